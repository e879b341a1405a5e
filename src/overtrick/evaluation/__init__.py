"""Numbers about a hand: the 250 features of Amit & Markovitch 2006, losers, quality, stoppers."""

from overtrick.evaluation.features import feature_classes, paper_features, registry
from overtrick.evaluation.hands import HandArray, OneHand, one_hand
from overtrick.evaluation.registry import Feature, FeatureClass, FeatureError, feature
from overtrick.evaluation.table import Features, feature_matrix, features
from overtrick.evaluation.tricks import expected_score, expected_tricks, total_tricks

__all__ = [
    "Feature", "FeatureClass", "FeatureError", "Features", "HandArray", "OneHand",
    "expected_score", "expected_tricks", "feature", "feature_classes", "feature_matrix",
    "features", "one_hand", "paper_features", "registry", "total_tricks",
]  # fmt: skip
