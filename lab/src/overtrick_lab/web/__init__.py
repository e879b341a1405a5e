"""Makes the lessons and bidding problems that the page asks."""
