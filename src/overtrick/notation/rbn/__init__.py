"""RBN and RBX, the notation of Richard Pavlicek: read with warnings, written label by label."""

from overtrick.notation.rbn.reader import RbnDeal, read
from overtrick.notation.rbn.writer import write

__all__ = ["RbnDeal", "read", "write"]
