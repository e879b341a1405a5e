"""What stands between us and a program that is not ours: it shuts itself in, starts the program,
and ends it when we are gone. Run as a file, in a process of its own, with nothing but the standard
library; the first line of its input says what to do, all others belong to the program.

How much can be closed depends on the system (`HOWS`, the best first):

- `namespaces` (Linux): the program sees no process but its own, no network, no device but the usual
  ones, no file that it was not meant to see, and can write only to a folder in memory that goes
  with it; what two programs could tell each other by a file that both only read is closed as well:
  pipes and sockets that have a name, locks, notices of who opens what;
- `user` (where we are root): it runs as a user that nobody else is;
- `process`: it is a process, with an environment of its own.
"""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import platform
import select
import signal
import struct
import sys
from typing import Any, Final

HOWS: Final = ("namespaces", "user", "process")
HIDDEN: Final = ("/tmp", "/var/tmp", "/run", "/sys", "/dev")
_DEVICES: Final = ("null", "zero", "full", "random", "urandom")
_SCRATCH: Final = b"mode=0755,size=256m"
_LOOK: Final = 1000  # milliseconds between two looks at who asks
_CPU: Final = "/sys/devices/system/cpu"

# From <sched.h>, <sys/mount.h>, <linux/mount.h>, <sys/prctl.h>.
_NEW: Final = 0x00020000 | 0x10000000 | 0x20000000 | 0x40000000 | 0x08000000  # ns user pid net ipc
_RDONLY, _NOSUID, _NODEV, _NOEXEC, _BIND, _REC, _PRIVATE = 1, 2, 4, 8, 4096, 16384, 1 << 18
_MOUNT_SETATTR, _ANYWHERE, _RECURSIVE = 442, -100, 0x8000
_JOIN_SESSION_KEYRING: Final = 1
_KEYCTL: Final = {"x86_64": 250, "aarch64": 219}
_PDEATHSIG, _DUMPABLE, _SECCOMP, _NO_NEW_PRIVS = 1, 4, 22, 38

# From <linux/landlock.h>: a right that is refused wherever no rule gives it.
_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
_WRITE_FILE, _PATH_BENEATH = 1 << 1, 1

# From <linux/filter.h>, <linux/seccomp.h>, <linux/audit.h>, <fcntl.h>: what each call is called by
# number, and what is answered in its place. A lock is always granted, and nobody else is told.
_LOAD, _EQUAL, _AT_LEAST, _RETURN = 0x20, 0x15, 0x35, 0x06
_ALLOW, _ANSWER, _KILL = 0x7FFF0000, 0x00050000, 0x80000000
_NUMBER, _MACHINE, _FIRST, _SECOND = 0, 4, 16, 24  # where a filter finds them
_OTHER_NUMBERS: Final = 0x40000000  # of a second way to call the same
_GRANTED, _ACCESS, _NOT_THERE = 0, 13, 38  # errno
_LOCKING: Final = (6, 7, 37, 38, 1024, 1026)  # fcntl: locks, leases, notices
_FAMILIES: Final = (2, 10, 16)  # of sockets, which reach nothing but this namespace
_CALLS: Final = {  # flock, fcntl, socket; inotify, fanotify, io_uring
    "x86_64": (0xC000003E, 73, 72, 41, (253, 254, 294, 300, 425)),
    "aarch64": (0xC00000B7, 32, 25, 198, (26, 27, 262, 425)),
}


def close_to_others() -> None:
    """Other processes of this user cannot look into the memory, the environment or the open files
    of this one. Nothing happens where the system knows no such thing."""
    if sys.platform == "linux":
        _prctl(_DUMPABLE, 0)


def main() -> None:
    """Shut in and start what the first line of the input describes; ends as the program ends."""
    told = json.loads(_first_line())
    if told["how"] == "namespaces":
        _separate()
    close_to_others()
    errors, theirs = os.pipe()
    parent = os.getppid()
    child = os.fork()
    if child == 0:
        try:
            os.dup2(theirs, 2)
            _shut_in(told)
            os.execvpe(told["command"][0], told["command"], told["environment"])
        except OSError as error:
            said = f"{told['command'][0]} does not start: {error}"
            os.write(1, json.dumps({"type": "error", "text": said}).encode() + b"\n")
        finally:
            os._exit(126)
    os.close(theirs)
    os.close(1)
    _watch(child, errors, parent)


def _first_line() -> bytes:
    """Byte by byte: what follows is for the program."""
    line = b""
    while not line.endswith(b"\n"):
        byte = os.read(0, 1)
        if not byte:
            sys.exit(0)
        line += byte
    return line


def _watch(child: int, errors: int, parent: int) -> None:
    """Pass on what the program says to its standard error, which it must not share with others;
    end it when the one who asks closes its input, or is gone while it holds that open itself."""
    news, wake = os.pipe()
    os.set_blocking(wake, False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(wake)
    poll = select.poll()
    for pipe, events in ((0, 0), (errors, select.POLLIN), (news, select.POLLIN)):
        poll.register(pipe, events)
    patience: int | None = None
    code: int | None = None
    while True:
        if code is None:
            ended, status = os.waitpid(child, os.WNOHANG)
            code = os.waitstatus_to_exitcode(status) & 0xFF if ended else None
        ready = dict(poll.poll((_LOOK if patience is None else patience) if code is None else 0))
        if errors in ready:
            text = os.read(errors, 65536)
            with contextlib.suppress(OSError):
                os.write(2, text)
            if not text:
                poll.unregister(errors)
        elif code is not None:
            os._exit(code)
        elif news in ready:
            os.read(news, 4096)
        elif 0 in ready:  # a closed input is the polite way to say goodbye
            poll.unregister(0)
            patience = 200
        elif patience is not None or os.getppid() != parent:
            os.kill(child, signal.SIGKILL)
            os.killpg(0, signal.SIGKILL)


# ---------------------------------------------------------------- namespaces


def _separate() -> None:
    """New namespaces; the next child is the first process of its own."""
    user, group = os.geteuid(), os.getegid()
    _done(_libc().unshare(_NEW), "unshare")
    # Root, too, is somebody without rights inside: with a number other than 0, starting the
    # program gives up all that is needed to set this up.
    for name, text in (
        ("setgroups", "deny"),
        ("uid_map", f"{user or 65534} {user} 1"),
        ("gid_map", f"{group or 65534} {group} 1"),
    ):
        with open(f"/proc/self/{name}", "w") as file:
            file.write(text)


def _shut_in(told: dict[str, Any]) -> None:
    os.umask(0o077)
    if told["how"] == "namespaces":
        _files(told)
        number = _KEYCTL.get(platform.machine())
        if number is not None:  # a ring of keys is a place for messages, too
            _libc().syscall(number, _JOIN_SESSION_KEYRING, None)
    elif told["how"] == "user":
        os.setgroups([])
        os.setgid(told["user"])
        os.setuid(told["user"])
    if sys.platform == "linux":
        _prctl(_NO_NEW_PRIVS, 1)
        _prctl(_PDEATHSIG, signal.SIGKILL)
    if told["how"] == "namespaces":
        _write_only_to([*HIDDEN, *(f"/dev/{name}" for name in _DEVICES)])
        _filter_calls()
    with contextlib.suppress(OSError):
        os.chdir(told["folder"])


def _files(told: dict[str, Any]) -> None:
    """Everything can only be read; hidden folders are empty but for what is shown again."""
    _mount("none", "/", None, _REC | _PRIVATE)
    _read_only("/")
    hidden = [folder for folder in HIDDEN if os.path.isdir(folder) and not os.path.islink(folder)]
    shown = [*(f"/dev/{name}" for name in _DEVICES), _CPU, *told["shown"]]
    held = {path: os.open(path, os.O_PATH) for path in shown if _lies_in(path, hidden)}
    for folder in hidden:
        _mount("tmpfs", folder, "tmpfs", _NOSUID, _SCRATCH)
    for path, old in held.items():
        _show(old, path)
    for path in told["hidden"]:
        if os.path.isdir(path):
            _mount("tmpfs", path, "tmpfs", _RDONLY, b"size=4k")
        elif os.path.exists(path):
            _mount("/dev/null", path, None, _BIND)
    for name, place in (("fd", "fd"), ("stdin", "fd/0"), ("stdout", "fd/1"), ("stderr", "fd/2")):
        os.symlink(f"/proc/self/{place}", f"/dev/{name}")
    os.mkdir("/dev/shm")
    try:
        _mount("proc", "/proc", "proc", _RDONLY | _NOSUID | _NODEV | _NOEXEC)
    except OSError:  # inside a container that hides some of its own
        _mount("tmpfs", "/proc", "tmpfs", _RDONLY, b"size=4k")


def _lies_in(path: str, folders: list[str]) -> bool:
    return os.path.exists(path) and any(path.startswith(f"{folder}/") for folder in folders)


def _show(old: int, path: str) -> None:
    """Put a file or folder that was opened before its folder was hidden at its place again."""
    source = f"/proc/self/fd/{old}"
    if os.path.exists(path):  # within something that is shown already
        return
    if os.path.isdir(source) and not path.startswith("/sys/"):
        # Files of its own, with the same contents: its pipes and sockets lead nowhere else.
        os.makedirs(path, 0o755)
        empty = "/dev/.empty"
        os.makedirs(empty, exist_ok=True)
        _mount("overlay", path, "overlay", _RDONLY, f"lowerdir={source}:{empty}".encode())
        return
    if os.path.isdir(source):
        os.makedirs(path, 0o755)
    else:
        os.makedirs(os.path.dirname(path), 0o755, exist_ok=True)
        os.close(os.open(path, os.O_CREAT | os.O_WRONLY))
    _mount(source, path, None, _BIND | _REC)


def _mount(source: str, place: str, kind: str | None, flags: int, options: bytes = b"") -> None:
    result = _libc().mount(
        source.encode(), place.encode(), kind and kind.encode(), flags, options or None
    )
    _done(result, f"mount {place}")


def _read_only(place: str) -> None:
    class Attributes(ctypes.Structure):
        _fields_ = [(name, ctypes.c_uint64) for name in ("set", "clear", "propagation", "users")]

    wanted = Attributes(_RDONLY | _NOSUID, 0, 0, 0)
    size = ctypes.c_size_t(ctypes.sizeof(wanted))
    result = _libc().syscall(
        _MOUNT_SETATTR, _ANYWHERE, place.encode(), _RECURSIVE, ctypes.byref(wanted), size
    )
    _done(result, "mount_setattr")


def _write_only_to(places: list[str]) -> None:
    """Nothing else is opened to write, whatever it is: a pipe with a name is no file, and what can
    only be read as a file could be written as a pipe."""
    call = _libc().syscall
    right = ctypes.c_uint64(_WRITE_FILE)
    rules = call(_CREATE_RULESET, ctypes.byref(right), ctypes.c_size_t(8), 0)
    _done(min(rules, 0), "landlock")
    for place in places:
        if not os.path.exists(place):
            continue
        beneath = os.open(place, os.O_PATH)
        rule = struct.pack("=Qi", _WRITE_FILE, beneath)
        _done(call(_ADD_RULE, rules, _PATH_BENEATH, rule, 0), f"landlock {place}")
        os.close(beneath)
    _done(call(_RESTRICT_SELF, rules, 0), "landlock")
    os.close(rules)


def _filter_calls() -> None:
    """Answer calls by which programs that read the same files could speak with each other."""
    if platform.machine() not in _CALLS:
        raise OSError(_NOT_THERE, f"no numbers of calls are known for {platform.machine()}")
    machine, flock, fcntl, socket, watching = _CALLS[platform.machine()]
    steps = [
        (_LOAD, 0, 0, _MACHINE), (_EQUAL, 1, 0, machine), (_RETURN, 0, 0, _KILL),
        (_LOAD, 0, 0, _NUMBER), (_AT_LEAST, 0, 1, _OTHER_NUMBERS), (_RETURN, 0, 0, _KILL),
    ]  # fmt: skip
    for number, answer in ((flock, _GRANTED), *((n, _NOT_THERE) for n in watching)):
        steps += [(_EQUAL, 0, 1, number), (_RETURN, 0, 0, _ANSWER | answer)]
    steps += [(_EQUAL, 0, len(_LOCKING) + 3, fcntl), (_LOAD, 0, 0, _SECOND)]
    steps += [(_EQUAL, len(_LOCKING) - i, 0, what) for i, what in enumerate(_LOCKING)]
    steps += [(_RETURN, 0, 0, _ALLOW), (_RETURN, 0, 0, _ANSWER | _GRANTED)]
    steps += [(_EQUAL, 0, len(_FAMILIES) + 3, socket), (_LOAD, 0, 0, _FIRST)]
    steps += [(_EQUAL, len(_FAMILIES) - i, 0, what) for i, what in enumerate(_FAMILIES)]
    steps += [(_RETURN, 0, 0, _ANSWER | _ACCESS), (_RETURN, 0, 0, _ALLOW)]
    steps += [(_RETURN, 0, 0, _ALLOW)]
    code = b"".join(struct.pack("=HBBI", *step) for step in steps)
    program = struct.pack("@HP", len(steps), _address(code))
    _done(_libc().prctl(_SECCOMP, 2, ctypes.c_char_p(program), 0, 0), "seccomp")


def _address(data: bytes) -> int:
    return ctypes.cast(ctypes.c_char_p(data), ctypes.c_void_p).value or 0


def _prctl(option: int, value: int) -> None:
    _libc().prctl(option, ctypes.c_ulong(value), ctypes.c_ulong(0), ctypes.c_ulong(0), 0)


def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)


def _done(result: int, what: str) -> None:
    if result != 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")


if __name__ == "__main__":
    main()
