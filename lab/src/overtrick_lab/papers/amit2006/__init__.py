"""Asaf Amit and Shaul Markovitch (2006): Learning to bid in bridge. Machine Learning 63, 287–327.

States worth learning, tags by search, trees, co-training and the experiments; the paper's bidder is
the engine `pidm`, which reads the agreements that are learned here.
"""
