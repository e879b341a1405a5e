"""Engines of one's own: `mymodule:Class`, `./my_engine.py` or `./my_engine.py:Class` as a name."""

from __future__ import annotations

import importlib.util
import inspect
import sys
from collections.abc import Callable
from functools import lru_cache
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any, Final

from overtrick.game import Call, Card, Decision, Meaning, OptionError, View, WrongType

_METHODS: Final = {"bidder": "bid", "player": "play"}
_ACTIONS: Final[dict[str, type[Call] | type[Card]]] = {"bid": Call, "play": Card}


def names_code(name: str) -> bool:
    """Is this the name of a module or a file rather than of a known engine?

    >>> names_code("mymodule:Class"), names_code("./my_engine.py"), names_code("rules")
    (True, True, False)
    """
    return ":" in name or name.endswith(".py")


def place_of(name: str) -> str:
    """The file or the module that a name of code names.

    >>> place_of("./my_engine.py:Class"), place_of("mymodule:Class")
    ('./my_engine.py', 'mymodule')
    """
    return _split(name)[0]


def factory_of(name: str, kind: str) -> Callable[..., Any]:
    """What makes the engine: a class, a function that returns one, or the module itself.

    Whatever it makes may lack a name or a system, and may answer with a plain call or card
    instead of a Decision.
    """
    method = _METHODS[kind]
    found = code_of(name, method)
    if isinstance(found, ModuleType):
        return lambda: Own(found, name, method)

    def make(*args: Any, **options: Any) -> Own:
        return Own(found(*args, **options), name, method)

    make.__signature__ = inspect.signature(found)  # type: ignore[attr-defined]
    make.__doc__ = inspect.getdoc(found)
    return make


def code_of(name: str, method: str) -> Any:
    """The class or function of somebody's module or file that has the method, or the module itself
    where the method is a function of it."""
    place, attribute = _split(name)
    module = _file(place) if place.endswith(".py") else _module(place)
    return _picked(module, attribute, method, name)


class Own:
    """Somebody's engine as tables know engines."""

    def __init__(self, inner: Any, spec: str, method: str) -> None:
        self._inner, self._spec, self._method = inner, spec, method
        if not callable(getattr(inner, method, None)):
            raise OptionError(f"{spec} makes no engine: it needs {method}(view)")

    @property
    def name(self) -> str:
        given = getattr(self._inner, "name", "")
        return given if isinstance(given, str) and given else self._spec

    @property
    def system(self) -> str:
        """What it declares to the opponents."""
        given = getattr(self._inner, "system", "")
        return given if isinstance(given, str) else ""

    def bid(self, view: View) -> Decision:
        """The engine's call."""
        return self._asked(view)

    def play(self, view: View) -> Decision:
        """The engine's card."""
        return self._asked(view)

    def _asked(self, view: View) -> Decision:
        answer = getattr(self._inner, self._method)(view)
        if isinstance(answer, Decision):
            return answer
        kind = _ACTIONS[self._method]
        if not isinstance(answer, str | kind):
            what = f"the answer of {self._spec}"
            raise WrongType(what, f"a Decision, a {kind.__name__} or its text", answer)
        return Decision(kind(answer), Meaning("not explained"), engine=self.name)


def completed(engine: Any, method: str) -> Any:
    """Somebody's engine as tables know engines: itself, where it has a name, and a system if it
    bids.

    >>> class Shy:
    ...     def bid(self, view: View) -> Call:
    ...         return Call("P")
    >>> completed(Shy(), "bid").name, completed("no engine", "bid")
    ('Shy', 'no engine')
    """
    needed = ("name", "system") if method == "bid" else ("name",)
    known = all(isinstance(getattr(engine, n, None), str) for n in needed)
    if known or not callable(getattr(engine, method, None)):
        return engine
    return Own(engine, type(engine).__name__, method)


def _split(name: str) -> tuple[str, str]:
    """The place and the attribute; a drive letter's colon belongs to the place."""
    place, colon, attribute = name.rpartition(":")
    if not colon or attribute.endswith(".py"):
        return name, ""
    return place, attribute


@lru_cache(maxsize=64)
def _file(path: str) -> ModuleType:
    """A module from a file, under a name that nothing else has; loaded once."""
    file = Path(path).expanduser()
    if not file.is_file():
        raise OptionError(f"there is no file {path!r}")
    name = f"overtrick_own_{file.stem}_{abs(hash(str(file.resolve())))}"
    spec = importlib.util.spec_from_file_location(name, file)
    if spec is None or spec.loader is None:
        raise OptionError(f"{path!r} is no Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # dataclasses look their module up there
    try:
        spec.loader.exec_module(module)
    except Exception as error:  # it is their code: whatever it throws is said in one line
        del sys.modules[name]
        raise OptionError(f"{path} cannot be loaded: {_said(error)}") from error
    return module


def _module(name: str) -> ModuleType:
    """A module by its name; one in the current folder is found, too."""
    here = str(Path.cwd())
    added = here not in sys.path
    if added:
        sys.path.insert(0, here)
    try:
        return import_module(name)
    except ModuleNotFoundError as error:
        if error.name != name.partition(".")[0] and error.name != name:
            raise OptionError(f"{name} cannot be loaded: {_said(error)}") from error
        raise OptionError(f"there is no module {name!r} here or among the packages") from None
    except Exception as error:  # as above
        raise OptionError(f"{name} cannot be loaded: {_said(error)}") from error
    finally:
        if added and here in sys.path:
            sys.path.remove(here)


def _said(error: Exception) -> str:
    return f"{type(error).__name__}: {' '.join(str(error).split())}"


def _picked(module: ModuleType, attribute: str, method: str, name: str) -> Any:
    if attribute:
        found = getattr(module, attribute, None)
        if not callable(found):
            raise OptionError(f"{name}: there is no class or function {attribute!r}")
        return found
    if callable(getattr(module, method, None)):
        return module
    classes = [
        c
        for c in vars(module).values()
        if inspect.isclass(c) and c.__module__ == module.__name__ and hasattr(c, method)
    ]
    if len(classes) == 1:
        return classes[0]
    if not classes:
        raise OptionError(f"{name} has no class or function with {method}(view)")
    named = " or ".join(f"{name}:{c.__name__}" for c in classes)
    raise OptionError(f"{name} has several engines; write {named}")
