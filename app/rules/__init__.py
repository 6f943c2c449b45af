"""The rules of the games: pure functions, no I/O, no clock, no chance of their own."""
