"""Learning to bid from nothing in uncontested auctions: Ho & Lin 2015, Yeh et al. 2016, ours.
Used by `overtrick reproduce ho2015`, the `bandit`, `penetrative` and `relay` engines and the docs.

| module | what it holds |
|---|---|
| `costs` | contract scores and IMP cost vectors from double-dummy tricks |
| `deals` | pairs of hands with tricks or costs, the split, suit permutations |
| `baselines` | CSTSR and CSOSR on one hand, or on both ("optimistic") |
| `ridge` | ridge regression for every call of every node, updated in piles |
| `learner` | the multi-layer bandit: UCB1 or LinUCB; single or full, penetrative, delayed updates |
| `board`, `mlp` | the game and small networks in JAX |
| `penetrative` | Yeh's Q-networks with penetrative targets |
| `spectator` | sees both hands and prices random deals without a solver |
| `relay` | our own learner: self-play policy gradient with a critic that sees everything |
| `gpu` | one command that trains the network learners for several seeds |
| `experiment`, `networks`, `store`, `report` | the paper's tables, resumable; Markdown and plots |

Features, bidding nodes and the models themselves are in `nets.uncontested` (numpy only).
"""
