"""Makes the technique exam: endings are found, proved and named; `overtrick.exam` asks them."""
