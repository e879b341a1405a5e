"""Recipes that make the networks: supervised start, self-play, belief, tricks, export, gate.
Needs the extra `train` (JAX and optax)."""
