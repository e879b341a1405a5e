"""Chun-Yen Ho and Hsuan-Tien Lin (2015): Contract bridge bidding by learning. AAAI-15 Workshop on
Computer Poker and Imperfect Information.

| module | what it holds |
|---|---|
| `baselines` | CSTSR and CSOSR on one hand, or on both ("optimistic") |
| `ridge` | ridge regression for every call of every node, updated in piles |
| `learner` | the multi-layer bandit: UCB1 or LinUCB; single or full, penetrative, delayed updates |
| `experiment`, `networks`, `report` | the paper's tables, resumable; Markdown and plots |
| `ship` | writes the chosen models into the package |

The network learners that came after (`training.uncontested`) are measured on the same pairs.
Features, bidding nodes and the models themselves are in `overtrick_lab.uncontested` (numpy only).
"""
