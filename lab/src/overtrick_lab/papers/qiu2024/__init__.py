"""Zizhang Qiu, Shouguang Wang, Dan You and MengChu Zhou (2024): Bridge bidding via deep
reinforcement learning and belief Monte Carlo search. IEEE/CAA J. Autom. Sinica 11(10), 2111–2122.

Matches, openings and figures; the paper's bidders are the engines `policy` and `bmcs`.
"""
