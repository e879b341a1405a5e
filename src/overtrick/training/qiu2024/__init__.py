"""The tables and figures of Qiu et al. 2024 ("deep reinforcement learning and belief Monte Carlo
search"), computed again. Used by `overtrick reproduce qiu2024`, which plays the matches."""
