"""The transposition table as a thing one has: its memory, its age, how full it is, on disk."""

from __future__ import annotations

import hashlib
import os
import re
import stat
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from zermelo.engine.entries import AGES
from zermelo.errors import BadInput
from zermelo.fields import spread
from zermelo.native.memory import MIB, fresh_words

if TYPE_CHECKING:
    from zermelo.engine.work import Work

BUCKET = 32
"""Bytes of a bucket of two entries."""
FIRST_BUCKETS = 1 << 14
"""How much of the table is used at first."""
SAMPLE = 1000
"""How many buckets are looked at to tell how full the table is."""
MAGIC = b"zermelo table 1\n"
NUMBERS = re.compile(rb"([0-9]{1,15}) ([0-9]{1,15}) ([0-9]{1,2})")
"""The mask, how many entries there are, and the age."""


def masks(mib: float) -> tuple[int, int]:
    """The mask of a bucket's number at first, and once the whole of a table of so many MiB is used."""
    buckets = max(int(mib * MIB) // BUCKET, 2)
    largest = (1 << (buckets.bit_length() - 1)) - 1
    return min(FIRST_BUCKETS - 1, largest), largest


class Table:
    """A table of a number of MiB, which searches of one game share and keep between moves."""

    def __init__(self, mib: float) -> None:
        self._first_mask, self.largest_mask = masks(mib)
        self._words = fresh_words(4 * (self.largest_mask + 1) + 8, f"a table of {mib:g} MiB").view("u8")
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
        self.mask, self.filled = self._first_mask, 0

    def lend(self, work: Work, *, whole: bool) -> None:
        """Let a work use the table; `whole` makes all of it used at once, as threads that share it must."""
        if whole and self.mask < self.largest_mask:
            self._widen()
        work.mask, work.largest_mask, work.filled, work.age = self.mask, self.largest_mask, self.filled, self.age

    def _widen(self) -> None:
        """Use all of the table, and move each entry to the bucket where it is looked for now."""
        import numpy

        old = self.words[: 4 * (self.mask + 1)].reshape(-1, 2, 2).copy()
        self.words[: 4 * (self.mask + 1)] = 0
        self.mask = self.largest_mask
        place, side = numpy.nonzero(old[:, :, 1])
        entries = old[place, side]
        keys: Any = entries[:, 0] ^ entries[:, 1]
        buckets = numpy.asarray(spread(keys) & self.mask, numpy.int64)
        self.words.reshape(-1, 2, 2)[buckets, side] = entries

    def take_back(self, work: Any) -> None:
        """Learn from a work how much of the table is used."""
        self.mask, self.filled = int(work.mask), int(work.filled)

    def used(self) -> float:
        """Which part of the table holds entries, by a sample of it."""
        sample = self.words[1 : 4 * min(SAMPLE, self.mask + 1) : 2]
        share = float((sample != 0).mean())
        return share * (self.mask + 1) / (self.largest_mask + 1)

    # On disk: only numbers, with a checksum; nothing is ever executed.

    def save(self, path: str | Path, mark: str) -> None:
        """Write the used part to a file, whole or not at all; `mark` says what game and switches it is for."""
        body = self.words[: 4 * (self.mask + 1)].tobytes()
        head = MAGIC + _marked(mark) + f"\n{self.mask} {self.filled} {self.age}\n".encode()
        new = Path(f"{path}.new")
        try:
            with open(new, "wb") as file:
                for part in (head, hashlib.sha256(head + body).digest(), body):
                    file.write(part)
                file.flush()
                os.fsync(file.fileno())
            os.replace(new, path)
        except (OSError, ValueError) as error:
            with suppress(OSError, ValueError):
                new.unlink()
            raise BadInput(f"the table can't be written to {path}: {_reason(error)}") from None

    def load(self, path: str | Path, mark: str) -> None:
        """Read a table that `save` wrote; `BadInput` if it is not whole, or not for this game."""
        import numpy

        try:
            if not stat.S_ISREG(os.stat(path).st_mode):
                raise BadInput(f"{path} is no file, and so no table")
            with open(path, "rb") as file:
                if file.read(len(MAGIC)) != MAGIC:
                    raise BadInput(f"{path} is no table of Zermelo's")
                content = MAGIC + file.read()
        except (OSError, ValueError) as error:
            raise BadInput(f"the table {path} can't be read: {_reason(error)}") from None
        _, name, numbers, rest = (*content.split(b"\n", 3), b"", b"", b"")[:4]
        head = MAGIC + name + b"\n" + numbers + b"\n"
        check, body = rest[:32], rest[32:]
        if hashlib.sha256(head + body).digest() != check:
            raise BadInput(f"the table {path} is damaged or cut short: save it again")
        if name != _marked(mark):
            raise BadInput(f"the table {path} is of another game, or of other rules or options")
        fitting = NUMBERS.fullmatch(numbers)
        mask, filled, age = (int(word) for word in fitting.groups()) if fitting else (0, 0, AGES)
        if age >= AGES or mask & (mask + 1) or len(body) != BUCKET * (mask + 1):
            raise BadInput(f"the table {path} is damaged: save it again")
        if mask > self.largest_mask:
            raise BadInput(f"the table {path} has {BUCKET * (mask + 1) / MIB:.3g} MiB: ask for a table of that size")
        self.clear()
        self.words[: 4 * (mask + 1)] = numpy.frombuffer(body, "<u8")
        self.mask, self.filled, self.age = mask, filled, age


def _marked(mark: str) -> bytes:
    """A mark as it stands in a file, on one line whatever it holds."""
    return mark.encode(errors="surrogatepass").hex().encode()


def _reason(error: Exception) -> str:
    return error.strerror or str(error) if isinstance(error, OSError) else str(error)
