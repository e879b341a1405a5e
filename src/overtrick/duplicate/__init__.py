"""Duplicate evenings as values: movements, results, rankings, travellers, ratings.
Nothing here keeps, shows or asks anything; a club's pages and files are made from it."""
