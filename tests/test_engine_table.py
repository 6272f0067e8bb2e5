"""The transposition table: what an entry says stays true, what is torn is not found, and files are not trusted."""

from __future__ import annotations

import hashlib
import tempfile
from math import inf
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphs import Graph, Hashed, spots_of
from trees import examples
from zermelo.bits import WORD, Bits
from zermelo.engine.decide import Run
from zermelo.engine.entries import (
    AGES,
    ENDLESS,
    EXACT,
    LOWER,
    UPPER,
    action_in,
    depth_in,
    grow,
    kind_in,
    lookup,
    packed,
    serves,
    state_key,
    store,
    value_in,
)
from zermelo.engine.machine import Machine
from zermelo.engine.options import Options
from zermelo.engine.table import BUCKET, MAGIC, MIB, Table
from zermelo.engine.work import LARGEST, SURE, WON, Work
from zermelo.errors import BadInput
from zermelo.native.memory import from_short_bits, peek, poke, short_bits
from zermelo.position import Position
from zermelo.search.result import Limits

KINDS = st.sampled_from([EXACT, LOWER, UPPER])
AT_ANY_PLY = st.integers(0, 2000)
KEYS = st.integers(1, WORD).map(Bits)
MARK = "nim stones=21 pvs"


def work_of(distance: int = 0, mask: int = 3, largest: int = 3, age: int = 0) -> Work:
    return Work(distance=distance, mask=mask, largest_mask=largest, age=age)


def says_no_more(word: Bits, work: Work, ply: int, kind: int, value: float) -> bool:
    """Whether what an entry says follows from what was stored."""
    found, now = kind_in(word), value_in(work, word, ply)
    if found == EXACT:
        return kind == EXACT and now == value
    if found == LOWER:
        return kind in (EXACT, LOWER) and now <= value
    return found != UPPER or (kind in (EXACT, UPPER) and now >= value)


# Entries.


@examples(500)
@given(
    st.floats(-1e38, 1e38) | st.integers(-100, 100).map(float) | st.sampled_from([inf, -inf, 0.1, -1 / 3, 5e-324]),
    KINDS, st.integers(1, 3000), st.integers(-(2**63), 2**63 - 1), AT_ANY_PLY, st.integers(0, AGES - 1),
)  # fmt: skip
def test_an_entry_says_no_more_than_was_found(
    value: float, kind: int, depth: int, action: int, ply: int, age: int
) -> None:
    work = work_of(age=age)
    word = packed(work, value, kind, depth, action, ply)
    assert word != 0
    assert says_no_more(word, work, ply, kind, value)
    assert depth_in(word) == min(depth, ENDLESS)
    assert action_in(word) == action & 0xFFFF
    assert word >> 44 & 15 == age
    if from_short_bits(short_bits(value)) == value:
        assert (kind_in(word), value_in(work, word, ply)) == (kind, value)


@examples(300)
@given(st.integers(0, 2000), st.sampled_from([1, -1]), KINDS, AT_ANY_PLY, AT_ANY_PLY)
def test_a_sure_end_is_as_far_from_its_state_wherever_that_is_met(
    plies: int, sign: int, kind: int, ply: int, other: int
) -> None:
    work = work_of(distance=1)
    word = packed(work, sign * (WON - ply - plies), kind, 3, 0, ply)
    assert kind_in(word) == kind
    assert value_in(work, word, other) == sign * (WON - other - plies)


@examples(200)
@given(st.floats(-LARGEST, LARGEST), KINDS, AT_ANY_PLY, AT_ANY_PLY)
def test_any_other_value_is_the_same_at_every_ply(value: float, kind: int, ply: int, other: int) -> None:
    work = work_of(distance=1)
    word = packed(work, value, kind, 3, 0, ply)
    assert says_no_more(word, work, other, kind, value)


@examples(20)
@given(st.sampled_from([SURE, -SURE]), KINDS, st.integers(0, 50), st.integers(0, 50))
def test_a_win_of_unknown_length_is_the_same_at_every_ply(value: float, kind: int, ply: int, other: int) -> None:
    work = work_of(distance=1)
    assert value_in(work, packed(work, value, kind, 3, 0, ply), other) == value


def test_an_entry_serves_its_depth_and_deeper_ones_if_asked() -> None:
    for found in (1, 5, 9, ENDLESS):
        word = packed(work_of(), 1.0, EXACT, found, 0, 0)
        for wanted in (1, 5, 9, 5000):
            deep, plain = work_of(), work_of()
            plain.deeper = 0
            assert serves(deep, word, wanted) == (found >= wanted or found == ENDLESS)
            assert serves(plain, word, wanted) == (found in (wanted, ENDLESS))


@examples(300)
@given(
    st.lists(st.tuples(st.integers(0, 30), st.integers(1, 40), st.integers(0, 15)), max_size=60),
    st.sampled_from([(0, 0), (3, 3), (0, 31), (1, 31)]),
)
def test_a_table_gives_the_last_entry_of_a_state_or_none(
    stored: list[tuple[int, int, int]], masks: tuple[int, int]
) -> None:
    work, last = work_of(mask=masks[0], largest=masks[1]), {}
    for name, depth, age in stored:
        work.age = age
        key = Bits(name * 0x9E3779B97F4A7C15 + 1)
        last[key] = packed(work, float(name), EXACT, depth, depth, 0)
        store(work, key, last[key])
        assert lookup(work, key) == last[key]
        assert all(lookup(work, other) in (0, word) for other, word in last.items())
    assert work.mask <= work.largest_mask


@pytest.mark.parametrize(("table_depth", "kept"), [(1, {0, 2, 3}), (2, {0, 2, 3}), (3, {0, 1, 2})])
def test_a_state_with_one_action_has_no_entry_if_its_child_may_have_one(table_depth: int, kept: set[int]) -> None:
    game = Graph(spots_of((0, (1, 2), 0), (1, (3,), 0), (1, (4, 5), 0), (0, (5, 4), 0), (0, (), 1), (0, (), -1)))
    machine = Machine(game, Options(extension=False), natively=False)
    work = machine.works[0]
    work.table_depth = table_depth
    assert machine.value(0, -inf, inf, 4) == 1
    assert {state for state in range(4) if lookup(work, state_key(game, state, 1, work))} == kept


def test_a_growing_table_keeps_what_it_holds() -> None:
    work, words = work_of(mask=63, largest=511), {}
    work.losses = 64
    while work.filled < 31:
        key = Bits(len(words) * 0xD1B54A32D192ED03 + 7)
        words[key] = packed(work, float(len(words)), LOWER, 3 + len(words) % 5, 1, 0)
        store(work, key, words[key])
    held = {key: word for key, word in words.items() if lookup(work, key)}
    assert len(held) > 31
    for mask in (127, 255, 511, 511):
        grow(work)
        assert work.mask == mask
        assert all(lookup(work, key) == word for key, word in held.items())


def test_deep_entries_stay_until_the_next_search() -> None:
    work, key = work_of(mask=0, largest=0), Bits(11)
    store(work, key, packed(work, 1.0, EXACT, 9, 0, 0))
    for other in range(2, 9):
        store(work, Bits(other), packed(work, 2.0, EXACT, 3, 0, 0))
        assert depth_in(lookup(work, key)) == 9
        assert depth_in(lookup(work, Bits(other))) == 3
    work.age = 1
    store(work, Bits(99), packed(work, 2.0, EXACT, 1, 0, 0))
    assert lookup(work, key) == 0
    assert lookup(work, Bits(99)) != 0


@examples(200)
@given(KEYS, KEYS, KINDS, KINDS, st.integers(1, 900), st.integers(1, 900))
def test_an_entry_torn_between_two_threads_is_not_found(
    one: Bits, two: Bits, kind: int, other: int, depth: int, deeper: int
) -> None:
    words = packed(work_of(), 1.0, kind, depth, 1, 0), packed(work_of(), -1.0, other, deeper, 2, 0)
    for keys, mixed in (((one, one), words), ((one, two), words)):
        works = [work_of(mask=0, largest=0) for _ in range(2)]
        for work, key, word in zip(works, keys, mixed, strict=True):
            store(work, key, word)
        poke(works[0].table, 1, peek(works[1].table, 1))
        found = lookup(works[0], one)
        assert found == 0 or mixed[0] == mixed[1]


# On disk.


def filled(mib: float = 0.02) -> Table:
    """A table that a search has used, with something of its own in every field."""
    import numpy

    table = Table(mib)
    table.mask = table.largest_mask // 2
    used = 4 * (table.mask + 1)
    table.words[:used] = numpy.arange(1, used + 1, dtype=numpy.uint64) * numpy.uint64(0x9E3779B97F4A7C15)
    table.filled, table.age = 77, 9
    return table


def content_of(table: Table) -> tuple[Any, ...]:
    return table.mask, table.filled, table.age, table.words.tobytes()


def written(path: Path, numbers: bytes, body: bytes = b"", mark: str = MARK) -> Path:
    """A file whose checksum is right, whatever its numbers are."""
    head = MAGIC + mark.encode().hex().encode() + b"\n" + numbers + b"\n"
    path.write_bytes(head + hashlib.sha256(head + body).digest() + body)
    return path


def assert_refused(path: Path | str, words: str = "", mark: str = MARK) -> None:
    """One sentence, and a table that is as it was before."""
    table = filled()
    before = content_of(table)
    with pytest.raises(BadInput, match=rf"^[^\n]*{words}[^\n]*$"):
        table.load(path, mark)
    assert content_of(table) == before


def test_a_table_comes_back_from_disk(tmp_path: Path) -> None:
    table, path = filled(), tmp_path / "a table"
    for mark in (MARK, "", "Nim; ½\nstones=3"):
        table.save(path, mark)
        for mib in (0.02, 0.5):
            other = Table(mib)
            other.words[:] = 5
            other.load(path, mark)
            assert (other.mask, other.filled, other.age) == (table.mask, 77, 9)
            used = 4 * (table.mask + 1)
            assert (other.words[:used] == table.words[:used]).all()
    assert [each.name for each in tmp_path.iterdir()] == ["a table"]


@pytest.mark.native
def test_a_search_goes_on_from_a_table_on_disk(tmp_path: Path) -> None:
    position, options = Position(Hashed(12, 200, 4), Hashed.State(5, 0, 0)), Options(table=1)
    table = Table(1)
    first = Run(position, options, Limits(), world="native", table=table).result()
    table.save(tmp_path / "table", MARK)
    other = Table(1)
    other.load(tmp_path / "table", MARK)
    second = Run(position, options, Limits(), world="native", table=other).result()
    assert (second.value, second.kind) == (first.value, "exact")
    assert second.nodes < first.nodes
    assert 0 < first.table <= second.table < 1


@pytest.mark.parametrize("cut", [0, 1, 5, len(MAGIC), len(MAGIC) + 3, -1, -BUCKET, -1000])
def test_a_file_cut_short_is_refused(tmp_path: Path, cut: int) -> None:
    path = tmp_path / "table"
    filled().save(path, MARK)
    path.write_bytes(path.read_bytes()[:cut])
    assert_refused(path, "no table|damaged or cut short")


def test_a_file_with_something_after_it_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "table"
    filled().save(path, MARK)
    path.write_bytes(path.read_bytes() + bytes(BUCKET))
    assert_refused(path, "damaged or cut short")


@examples(120)
@given(st.data())
def test_a_flipped_bit_is_found(data: Any) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "table"
        filled(0.01).save(path, MARK)
        content = bytearray(path.read_bytes())
        place = data.draw(st.integers(0, min(len(content) - 1, 200)) | st.integers(0, len(content) - 1))
        content[place] ^= 1 << data.draw(st.integers(0, 7))
        path.write_bytes(content)
        assert_refused(path)


def test_a_table_of_another_game_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "table"
    filled().save(path, MARK)
    assert_refused(path, "of another game, or of other rules or options", mark=MARK + " ")


@pytest.mark.parametrize("content", [b"", b"\n\n\n", b"GIF89a", MAGIC, MAGIC + b"\n\n\n" + bytes(64), bytes(5000)])
def test_any_other_file_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "table"
    path.write_bytes(content)
    assert_refused(path, "no table of Zermelo's|damaged")


def test_what_can_not_be_read_or_written_is_one_sentence(tmp_path: Path) -> None:
    for odd in (tmp_path, "/dev/zero"):
        assert_refused(odd, "is no file, and so no table")
    assert_refused(tmp_path / "nothing", "can't be read: No such file")
    for path in (tmp_path, tmp_path / "nothing" / "table"):
        with pytest.raises(BadInput, match=r"^the table can't be written to [^\n]+: [A-Z][^\n]+$"):
            filled().save(path, MARK)


BAD_NUMBERS = {
    "odd mask": (b"2 0 0", 96),
    "too little": (b"3 0 0", 96),
    "too much": (b"0 0 0", 64),
    "huge mask": (b"18446744073709551615 0 0", 32),
    "age": (b"0 0 16", 32),
    "negative age": (b"0 0 -1", 32),
}


@pytest.mark.parametrize("case", BAD_NUMBERS)
def test_a_head_of_wrong_numbers_is_refused(tmp_path: Path, case: str) -> None:
    numbers, size = BAD_NUMBERS[case]
    assert_refused(written(tmp_path / "table", numbers, bytes(size)), "damaged")


def test_a_table_that_is_too_large_is_refused(tmp_path: Path) -> None:
    table = Table(4)
    table.mask = table.largest_mask
    table.save(tmp_path / "table", MARK)
    assert_refused(tmp_path / "table", "has 4 MiB: ask for a table of that size")


@pytest.mark.parametrize("mib", [1e7, 1e12, 1e30])
def test_a_table_larger_than_memory_is_refused(mib: float) -> None:
    with pytest.raises(BadInput, match=r"^a table of [^\n]+ MiB does not fit into [^\n]+: ask for less$"):
        Table(mib)


def test_the_size_of_a_table_is_at_most_what_was_asked_for() -> None:
    for mib in (0.01, 0.5, 1, 3, 4):
        assert mib * MIB / 2 < Table(mib).size <= mib * MIB
        assert Table(mib).used() == 0


# Faults that were found and mended.


@pytest.mark.parametrize(
    "numbers",
    [b"x y z", b"1 2", b"", b"0 0 0 0", b"\xff 0 0", b"9" * 5000 + b" 0 0", b"0x1 0 0"],
    ids=["words", "two", "none", "four", "no ASCII", "long", "hex"],
)
def test_a_head_of_no_numbers_is_refused(tmp_path: Path, numbers: bytes) -> None:
    assert_refused(written(tmp_path / "table", numbers, bytes(32)), "damaged")


@pytest.mark.parametrize("numbers", [b"-1 0 0", b"0 -5 0", b"0 99999999999999999999999 0"])
def test_a_head_of_numbers_out_of_range_is_refused(tmp_path: Path, numbers: bytes) -> None:
    assert_refused(written(tmp_path / "table", numbers, bytes(0 if numbers[:1] == b"-" else 32)), "damaged")


@pytest.mark.parametrize("save", [True, False])
def test_a_path_with_a_zero_is_one_sentence(save: bool) -> None:
    with pytest.raises(BadInput):
        (filled().save if save else filled().load)("a\0b", MARK)


def test_a_mark_that_is_no_unicode_is_a_mark_all_the_same(tmp_path: Path) -> None:
    filled().save(tmp_path / "table", "\ud800")
    filled().load(tmp_path / "table", "\ud800")
    assert_refused(tmp_path / "table", "another game")


def test_a_table_with_a_long_mark_comes_back(tmp_path: Path) -> None:
    filled().save(tmp_path / "table", "x" * 6000)
    filled().load(tmp_path / "table", "x" * 6000)


def test_a_table_that_can_not_be_written_leaves_nothing(tmp_path: Path) -> None:
    (tmp_path / "table").mkdir()
    with pytest.raises(BadInput):
        filled().save(tmp_path / "table", MARK)
    assert [each.name for each in tmp_path.iterdir()] == ["table"]


def test_a_small_table_that_is_too_large_says_how_large_it_is(tmp_path: Path) -> None:
    table = Table(0.5)
    table.mask = table.largest_mask
    table.save(tmp_path / "table", MARK)
    with pytest.raises(BadInput) as caught:
        Table(0.01).load(tmp_path / "table", MARK)
    assert "has 0 MiB" not in str(caught.value)


@pytest.mark.native
def test_threads_go_on_from_what_a_table_holds() -> None:
    table = Table(1)
    position = Position(Hashed(), Hashed.State(5, 0, 0))
    Run(position, Options(table=1), Limits(), world="native", table=table).result()
    held = {word for word in table.words.tolist()[1::2] if word}
    Machine(position.game, Options(table=1, threads=2), natively=True, table=table)
    assert held
    assert {word for word in table.words.tolist()[1::2] if word} == held
    work = work_of()
    table.lend(work, whole=True)
    work.table = dict(enumerate(table.words.tolist()))
    for place in range(0, len(table.words), 2):
        word = Bits(work.table[place + 1])
        assert not word or lookup(work, Bits(work.table[place]) ^ word) == word
