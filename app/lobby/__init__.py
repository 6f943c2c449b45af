"""Tables: the people around a match, before, during and after it."""
