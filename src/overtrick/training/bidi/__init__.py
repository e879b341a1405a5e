"""Learning of seed 000: states worth learning, tags by search, trees merged into nets, co-training.
Used by `overtrick reproduce bidi` and `overtrick train bidi`; the engine reads what is written."""
