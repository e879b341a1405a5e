"""Packages whose names are imported when they are first used: importing the package is cheap."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from typing import Any


def lazily(
    package: str, where: Mapping[str, Sequence[str]], modules: Mapping[str, str] | None = None
) -> Callable[[str], Any]:
    """The `__getattr__` of a package: `where` says which module has which of its names, `modules`
    which names are modules themselves."""
    homes = {name: module for module, names in where.items() for name in names}

    def found(name: str) -> Any:
        if name in homes:
            value = getattr(import_module(homes[name]), name)
        elif modules and name in modules:
            value = import_module(modules[name])
        else:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        setattr(sys.modules[package], name, value)  # the next time it is simply there
        return value

    return found
