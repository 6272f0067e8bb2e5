"""The transposition table as a thing one has: its memory, its age, how full it is, on disk."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from zermelo.engine.entries import AGES
from zermelo.errors import BadInput

if TYPE_CHECKING:
    from zermelo.engine.work import Work

MIB = 1 << 20
BUCKET = 32
"""Bytes of a bucket of two entries."""
FIRST_BUCKETS = 1 << 12
"""How much of the table is used at first."""
SAMPLE = 1000
"""How many buckets are looked at to tell how full the table is."""
MAGIC = b"zermelo table 1\n"


class Table:
    """A table of a number of MiB, which searches of one game share and keep between moves."""

    def __init__(self, mib: float) -> None:
        import numpy

        buckets = max(int(mib * MIB) // BUCKET, 2)
        self.largest_mask = (1 << (buckets.bit_length() - 1)) - 1
        memory = _memory()
        if memory and self.size > memory:
            raise BadInput(
                f"a table of {mib:g} MiB does not fit into the {memory // MIB:,} MiB of memory: ask for less"
            )
        try:
            self._words = numpy.zeros(4 * (self.largest_mask + 1) + 8, numpy.uint64)
        except MemoryError:
            raise BadInput(f"there is no memory for a table of {mib:g} MiB: ask for less") from None
        self.address = (self._words.ctypes.data + 63) // 64 * 64
        start = (self.address - self._words.ctypes.data) // 8
        self.words = self._words[start : start + 4 * (self.largest_mask + 1)]
        self.age = 0
        self.mask = self.filled = 0
        self.clear()

    @property
    def size(self) -> int:
        """How many bytes the table has."""
        return (self.largest_mask + 1) * BUCKET

    def clear(self) -> None:
        """Forget everything."""
        self.words[: 4 * (self.mask + 1)] = 0
        self.mask, self.filled = min(FIRST_BUCKETS - 1, self.largest_mask), 0

    def lend(self, work: Work, *, whole: bool) -> None:
        """Let a work use the table; `whole` makes all of it used at once, as threads that share it must."""
        if whole and self.mask < self.largest_mask:
            self.clear()
            self.mask = self.largest_mask
        work.mask, work.largest_mask, work.filled, work.age = self.mask, self.largest_mask, self.filled, self.age

    def take_back(self, work: Any) -> None:
        """Learn from a work how much of the table is used."""
        self.mask, self.filled = int(work.mask), int(work.filled)

    def next_search(self) -> None:
        """From now on entries are from a new search, and replace older ones first."""
        self.age = (self.age + 1) % AGES

    def used(self) -> float:
        """Which part of the table holds entries, by a sample of it."""
        sample = self.words[1 : 4 * min(SAMPLE, self.mask + 1) : 2]
        share = float((sample != 0).mean())
        return share * (self.mask + 1) / (self.largest_mask + 1)

    # On disk: only numbers, with a checksum; nothing is ever executed.

    def save(self, path: str | Path, mark: str) -> None:
        """Write the used part to a file, whole or not at all; `mark` says what game and switches it is for."""
        body = self.words[: 4 * (self.mask + 1)].tobytes()
        head = MAGIC + mark.encode().hex().encode() + b"\n" + f"{self.mask} {self.filled} {self.age}\n".encode()
        new = Path(f"{path}.new")
        try:
            with open(new, "wb") as file:
                for part in (head, hashlib.sha256(head + body).digest(), body):
                    file.write(part)
                file.flush()
                os.fsync(file.fileno())
            os.replace(new, path)
        except OSError as error:
            raise BadInput(f"the table can't be written to {path}: {error.strerror}") from None

    def load(self, path: str | Path, mark: str) -> None:
        """Read a table that `save` wrote; `BadInput` if it is not whole, or not for this game."""
        import numpy

        try:
            content = Path(path).read_bytes()
        except OSError as error:
            raise BadInput(f"the table {path} can't be read: {error.strerror}") from None
        if not content.startswith(MAGIC):
            raise BadInput(f"{path} is no table of Zermelo's")
        lines = content[: len(MAGIC) + 10_000].split(b"\n", 3)
        head = b"\n".join(lines[:3]) + b"\n"
        check, body = content[len(head) : len(head) + 32], content[len(head) + 32 :]
        if len(lines) < 4 or hashlib.sha256(head + body).digest() != check:
            raise BadInput(f"the table {path} is damaged or cut short: save it again")
        if lines[1] != mark.encode().hex().encode():
            raise BadInput(f"the table {path} is of another game, or of other rules or options")
        mask, filled, age = (int(word) for word in lines[2].split())
        if len(body) != BUCKET * (mask + 1) or mask & (mask + 1) or not 0 <= age < AGES:
            raise BadInput(f"the table {path} is damaged: save it again")
        if mask > self.largest_mask:
            raise BadInput(f"the table {path} has {BUCKET * (mask + 1) // MIB} MiB: ask for a table of that size")
        self.clear()
        self.words[: 4 * (mask + 1)] = numpy.frombuffer(body, "<u8")
        self.mask, self.filled, self.age = mask, filled, age


def _memory() -> int:
    """How many bytes of memory this machine has, or 0 if it doesn't say."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (ValueError, OSError, AttributeError):
        return 0
