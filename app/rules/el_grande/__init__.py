"""El Grande: majorities in old Spain, two to five seats, nine or six rounds."""
