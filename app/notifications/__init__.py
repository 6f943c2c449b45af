"""Telling people that the match waits for them, and playing what they answer."""
