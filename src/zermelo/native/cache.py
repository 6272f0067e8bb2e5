"""Compiled kernels on disk, one file each, named by a digest of all that went into it.

A file is found only if rules, kernel, machinery, versions and processor are the same, so nothing stale
can be served. A file that is truncated or altered fails its checksum and is compiled again.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import pickle
import platform
import sys
import tempfile
from pathlib import Path
from typing import Any

import llvmlite
import numba
import numpy
from numba.core import compiler, serialize
from numba.core.caching import _Cache

from zermelo.native.digest import digest, of_machinery

MAGIC = b"zermelo kernel 1\n"
SUFFIX, NEW = ".kernel", ".new-"
"""How the name of a file of ours ends, and how it begins while it is being written."""
UNRESOLVED = b".numba.unresolved$"
"""Marks a call that only the process that compiled it can resolve; loaded by another, it would crash."""
MOST_BYTES = 1 << 29
"""How large the folder may grow before the files used longest ago are deleted."""


def folder() -> Path:
    """Where compiled kernels are kept: $ZERMELO_CACHE, or `zermelo` in the user's cache folder, if there is a home."""
    given = os.environ.get("ZERMELO_CACHE")
    if given:
        return Path(given)
    home = os.environ.get("XDG_CACHE_HOME") or os.environ.get("LOCALAPPDATA")
    try:
        return (Path(home) if home else Path.home() / ".cache") / "zermelo"
    except RuntimeError:
        return Path(tempfile.gettempdir()) / "zermelo"


class DiskCache(_Cache):
    """What a Numba dispatcher asks for compiled code, and gives it to; never an obstacle if the disk fails."""

    def __init__(self, kernel: Any) -> None:
        self.kernel = kernel

    @property
    def cache_path(self) -> str:
        return str(folder())

    def path(self, sig: Any, codegen: Any) -> Path:
        """The file for a kernel with these argument types on this machine."""
        argtypes = sig.args if hasattr(sig, "args") else sig
        versions = (sys.version, platform.machine(), numba.__version__, llvmlite.__version__, numpy.__version__)
        options = (numba.config.BOUNDSCHECK, numba.config.OPT)
        what = (of_machinery(), digest(self.kernel), [str(kind) for kind in argtypes])
        name = hashlib.sha256(repr((what, codegen.magic_tuple(), versions, options)).encode()).hexdigest()
        return folder() / f"{self.kernel.__name__}-{name[:40]}{SUFFIX}"

    def has(self, sig: Any, codegen: Any) -> bool:
        """Whether there is a file for these argument types."""
        return _is_ours(folder()) and self.path(sig, codegen).exists()

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        target_context.refresh()
        with contextlib.suppress(pickle.UnpicklingError, EOFError, AttributeError, ImportError):
            payload = kept(self.path(sig, target_context.codegen()))
            if payload is not None:
                return compiler.CompileResult._rebuild(target_context, *pickle.loads(payload))
        return None

    def save_overload(self, sig: Any, data: Any) -> None:
        payload = serialize.dumps(data._reduce())
        if UNRESOLVED not in payload:
            keep(self.path(sig, data.target_context.codegen()), payload)

    def enable(self) -> None:
        """The cache is always on."""

    def disable(self) -> None:
        """The cache is always on."""

    def flush(self) -> None:
        """Old files are never wrong, only unused: there is nothing to flush."""


def kept(path: Path) -> bytes | None:
    """What `keep` wrote to a file in the folder, if it is all there and this user's."""
    if not _is_ours(folder()):
        return None
    with contextlib.suppress(OSError):
        content = path.read_bytes()
        payload = content[len(MAGIC) + 32 :]
        if content.startswith(MAGIC) and hashlib.sha256(payload).digest() == content[len(MAGIC) : len(MAGIC) + 32]:
            with contextlib.suppress(OSError):
                os.utime(path)
            return payload
    return None


def keep(path: Path, payload: bytes) -> None:
    """Write a file into the folder, whole or not at all; the files used longest ago go if it grows too large."""
    with contextlib.suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=NEW)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(MAGIC + hashlib.sha256(payload).digest() + payload)
            os.replace(name, path)
        except OSError:
            os.unlink(name)
        _prune(path.parent)


def _is_ours(place: Path) -> bool:
    """Whether the folder is this user's: code of others is never loaded."""
    try:
        return not hasattr(os, "getuid") or place.stat().st_uid == os.getuid()
    except OSError:
        return False


def _prune(place: Path) -> None:
    ours = (entry for entry in os.scandir(place) if entry.name.endswith(SUFFIX) or entry.name.startswith(NEW))
    files = [(entry.stat(), entry.path) for entry in ours]
    total = 0
    for about, path in sorted(files, key=lambda file: -file[0].st_mtime):
        total += about.st_size
        if total > MOST_BYTES:
            os.unlink(path)
