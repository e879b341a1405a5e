"""Recipes for pairs that bid with silent opponents, from nothing: Yeh et al. 2016, and our own.

| module | what it holds |
|---|---|
| `costs` | contract scores and IMP cost vectors from double-dummy tricks |
| `deals` | pairs of hands with tricks or costs, the split, suit permutations |
| `board`, `mlp` | the game and small networks in JAX |
| `penetrative` | Yeh's Q-networks with penetrative targets |
| `spectator` | sees both hands and prices random deals without a solver |
| `relay` | our own learner: self-play policy gradient with a critic that sees everything |
| `recipe` | `overtrick train uncontested`: all of them, for several seeds side by side |
"""
