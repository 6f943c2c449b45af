"""People: guests and accounts, their sessions, links and tokens."""
