"""The invented solved deals of the uncontested recipes."""

from tests.training.uncontested.conftest import solved

__all__ = ["solved"]
