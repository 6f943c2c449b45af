"""Matches: the event log, and the only feature that drives the rules."""
