"""Models that bid uncontested auctions, in plain numpy: ridge trees and small networks."""

from overtrick_lab.uncontested.features import CONTRACTS
from overtrick_lab.uncontested.models import Model, NetModel, TreeModel, load, save

__all__ = ["CONTRACTS", "Model", "NetModel", "TreeModel", "load", "save"]
