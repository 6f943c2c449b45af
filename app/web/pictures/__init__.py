"""Pictures of a position, for where no page is: the board's own drawing as a PNG.

What a picture shows is the drawing of the match page in the page's own style sheets, as a
phone shows it in the light theme.  Nothing is drawn here a second time.
"""
