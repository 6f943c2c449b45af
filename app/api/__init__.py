"""The JSON API: the same services as the pages, for programs."""
