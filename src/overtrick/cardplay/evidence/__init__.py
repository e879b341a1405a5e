"""What speaks for one layout of the hidden cards and against another: a witness for each kind of
evidence, and the funnel that asks them."""
