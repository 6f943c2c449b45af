"""What clocks mean, as pure functions: instants in, instants out, no database and no present.

* `spans`      stretches of time, joined and cut
* `local`      what a wall shows, as an instant; daylight saving
* `calendar`   when time runs: nights, weekends and whatever else stops it
* `terms`      what a table has agreed on
* `reckoning`  until when a seat has, how long it took, what is left in its bank

Everything is computed from what is written down (when a seat was asked, what
stopped the time), so no answer depends on when somebody asked for it.
"""
