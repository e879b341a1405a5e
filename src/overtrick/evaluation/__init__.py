"""Numbers about a hand: 250 features of seed 000 Appendix A, losers, quality, stoppers.
Used by worlds, systems, bidding engines and `overtrick eval`."""

from overtrick.evaluation.features import feature_classes, paper_features, registry
from overtrick.evaluation.hands import HandArray, OneHand, one_hand
from overtrick.evaluation.registry import Feature, FeatureClass, FeatureError, feature

__all__ = [
    "Feature", "FeatureClass", "FeatureError", "HandArray", "OneHand", "feature",
    "feature_classes", "one_hand", "paper_features", "registry",
]  # fmt: skip
