"""Castell: human towers of Catalonia, two to four collas, ten rounds."""
