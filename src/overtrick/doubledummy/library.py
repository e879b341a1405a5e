"""Where the DDS library is, how it is loaded and started, and what its error codes mean.
Nothing here knows about cards."""

from __future__ import annotations

import ctypes
import os
import platform
from collections.abc import Iterator
from ctypes.util import find_library
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Final

PATH_VARIABLE: Final = "OVERTRICK_DDS"
THREADS_VARIABLE: Final = "OVERTRICK_DDS_THREADS"
_WHEEL_NAMES: Final = ("libdds.so", "libdds.dylib", "dds.dll", "libdds.dll")
_SYSTEM_NAMES: Final = ("libdds.so.0", "libdds.so", "libdds.dylib")
_OK: Final = 1


class SolverError(RuntimeError):
    """The double-dummy library is missing, cannot be loaded, or refuses a position.

    >>> issubclass(SolverError, RuntimeError)
    True
    """


class _Info(ctypes.Structure):
    """DDSInfo of DDS 2.9. GetDDSInfo writes all 1204 bytes, whatever it is given."""

    _fields_ = (
        ("major", ctypes.c_int),
        ("minor", ctypes.c_int),
        ("patch", ctypes.c_int),
        ("version", ctypes.c_char * 10),
        ("system", ctypes.c_int),
        ("bits", ctypes.c_int),
        ("compiler", ctypes.c_int),
        ("constructor", ctypes.c_int),
        ("cores", ctypes.c_int),
        ("threading", ctypes.c_int),
        ("threads", ctypes.c_int),
        ("thread_sizes", ctypes.c_char * 128),
        ("text", ctypes.c_char * 1024),
        ("spare", ctypes.c_char * 4096),  # room for a later version that writes more
    )


@dataclass(frozen=True, slots=True)
class LibraryInfo:
    """Which library is in use, and with how many threads.

    >>> print(LibraryInfo("libdds.so", "2.9.0", 2))
    DDS 2.9.0, 2 threads, libdds.so
    """

    path: str
    version: str
    threads: int

    def __str__(self) -> str:
        return f"DDS {self.version}, {self.threads} threads, {self.path}"


def library_paths() -> Iterator[str]:
    """Places to look, best first: OVERTRICK_DDS, the build in this package, endplay's wheel, the
    system."""
    named = os.environ.get(PATH_VARIABLE)
    if named:
        yield named
        return  # asked for by name: another library in its place would be a surprise
    own = Path(__file__).parent / "lib" / _platform()
    for name in _WHEEL_NAMES:
        if (own / name).exists():
            yield str(own / name)
    spec = find_spec("endplay")  # finds the folder; endplay itself is not imported
    for folder in (spec.submodule_search_locations or ()) if spec is not None else ():
        for name in _WHEEL_NAMES:
            path = Path(folder, "_dds", name)
            if path.exists():
                yield str(path)
    found = find_library("dds")
    yield from (found,) if found else _SYSTEM_NAMES


def _platform() -> str:
    """The folder of this system's build, which may not exist."""
    systems = {"Darwin": "macos", "Windows": "windows", "Linux": "linux"}
    machines = {"AMD64": "x86_64", "amd64": "x86_64", "ARM64": "arm64"}
    machine = platform.machine()
    return f"{systems.get(platform.system(), '?')}-{machines.get(machine, machine)}"


def load(threads: int | None = None) -> tuple[ctypes.CDLL, LibraryInfo]:
    """Load the first library that can be loaded and start it; DDS needs SetMaxThreads first."""
    tried: list[str] = []
    for path in library_paths():
        try:
            library = ctypes.CDLL(path)
            library.SetMaxThreads(threads or default_threads())
        except (OSError, AttributeError) as error:
            tried.append(f"{path}: {error}")
            continue
        info = _Info()
        library.GetDDSInfo(ctypes.byref(info))
        return library, LibraryInfo(path, info.version.decode(), info.threads)
    raise SolverError(
        f"no double-dummy library: install libdds0 or endplay, or set {PATH_VARIABLE}; tried "
        + "; ".join(tried)
    )


def default_threads() -> int:
    """As many as this process may use cores, at most 16 (a thread takes about 100 MB)."""
    text = os.environ.get(THREADS_VARIABLE, "")
    if text:
        if not text.isdigit() or int(text) < 1:
            raise SolverError(f"{THREADS_VARIABLE} is a number of threads from 1, not {text!r}")
        return int(text)
    return max(1, min(16, usable_cores()))


def usable_cores() -> int:
    """Cores this process may run on (a container's share, where the system tells)."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def check(library: ctypes.CDLL, code: int) -> None:
    """Raise for any return code but success, in the library's own words."""
    if code == _OK:
        return
    text = ctypes.create_string_buffer(160)
    library.ErrorMessage(code, text)
    raise SolverError(f"DDS error {code}: {text.value.decode(errors='replace')}")
