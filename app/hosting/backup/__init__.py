"""Backups: one file, taken while people play, checked before a byte of it is believed."""
