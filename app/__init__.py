"""Plaça: play Castell and El Grande with friends."""
