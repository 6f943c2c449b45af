"""How each game is drawn: `registry` says by which module."""
