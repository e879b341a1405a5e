"""Recipes that make the networks: supervised start, self-play, belief, tricks, export, gate.
Used by `overtrick train`; needs the extra `train` (JAX and optax), which playing never does."""
