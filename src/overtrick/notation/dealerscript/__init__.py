"""Scripts in the language of the `dealer` program, read into a syntax tree.
Used by worlds.script (which deals by them), `overtrick deal` and practice tables."""

from overtrick.notation.dealerscript.lexer import ScriptError
from overtrick.notation.dealerscript.nodes import Script
from overtrick.notation.dealerscript.parser import parse

__all__ = ["Script", "ScriptError", "parse"]
