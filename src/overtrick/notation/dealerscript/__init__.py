"""Scripts in the language of the `dealer` program, read into a syntax tree."""

from overtrick.notation.dealerscript.lexer import ScriptError
from overtrick.notation.dealerscript.nodes import Script
from overtrick.notation.dealerscript.parser import parse

__all__ = ["Script", "ScriptError", "parse"]
