"""Weeks of turns by mail on a clock that runs fast, and an account of them that asks nobody.

`plan` says who plays what and what goes wrong, `people` do what people do, `server`
is the worker and what kills it, `peer` the mail server they write to.  `books` and
`minutes` reckon by themselves what should have happened, `reckoning` compares.
"""
