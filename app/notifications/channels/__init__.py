"""The roads to people, one file each."""
