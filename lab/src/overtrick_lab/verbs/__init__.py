"""`overtrick train` and `overtrick reproduce`, which the command line finds by entry points."""
