"""Learning to bid from nothing in uncontested auctions (Ho & Lin 2015, Yeh, Hsieh & Lin 2016, ours).
Used by `overtrick reproduce ho2015`, the `bandit`, `penetrative` and `relay` engines and the docs.

| module | what it holds |
|---|---|
| `costs` | contract scores and IMP cost vectors from double-dummy tricks |
| `deals` | pairs of hands with tricks or costs, the split, suit permutations |
| `features` | points and lengths, polynomial expansion |
| `baselines` | CSTSR and CSOSR on one hand, or on both ("optimistic") |
| `nodes` | the bidding nodes as a tree or in layers |
| `ridge` | ridge regression for every call of every node, updated in piles |
| `learner` | the multi-layer bandit: UCB1 or LinUCB; single or full, penetrative, delayed updates |
| `mlp` | small networks and Adam in JAX for training, plain numpy for playing |
| `penetrative` | Yeh's Q-networks with penetrative targets |
| `relay` | our own learner: self-play policy gradient with a partner who sees both hands |
| `gpu` | one command that trains the two network learners for several seeds |
| `describe` | what a learned system's calls show, in points and lengths |
| `experiment`, `report` | the paper's tables, resumable; Markdown and plots |
"""
