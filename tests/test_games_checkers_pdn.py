"""Games of checkers as PDN: what is read, what is refused, what comes back, and 200,000 broken texts of each kind."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trees import examples
from zermelo.errors import BadInput
from zermelo.games.checkers import Checkers
from zermelo.games.checkers.pdn import GameRecord, read_pdn, write_pdn
from zermelo.native import is_enabled
from zermelo.position import Position

GAME = Checkers()
TINSLEY = """\
[Event "US National 1946"]
[Black "WF Ryan"]
[White "MF Tinsley"]
[Result "0-1"]
1. 11-15 23-18 2. 12-16 18x11 3. 8x15 24-20 4. 9-14 20x11 5. 7x16 22-18 6.
15x22 25x18x9 7. 5x14 29x25 8. 4-8 25-22 9. 16-20 26-23 10. 8-11 30-26 11.
6-9 22-18 12. 1-5 26-22 13. 2-7 28-24 14. 9-13 18x9 15. 5x14 22-18 16. 14-17
21x14 17. 10x17 18-14 18. 7-10 14x7 19. 3x10 23-18 20. 10x15 18-14 21. 11-16
14-10 22. 16-19 32-28 23. 17-22 10-7 24. 22-25 7-3 25. 25-30 3-8 26. 30-25
8-12 27. 25-22 12-16 0-1

[Event "Practice game 1946"]
[Black "MF Tinsley"]
[White "RE Hunt"]
[Result "1/2-1/2"]
1. 9-14 22-18 2. 10x15 18x9 3. 5x14 25-22 4. 7-10 29x25 5. 3-7 24-20 6. 6-9
22-17 7. 9-13 25-22 8. 15-19 23x16 9. 12x19 20-16 10. 11x20 27-24 11. 20x27
31x24x15x6 12. 1x10 26-23 13. 7-11 22-18 14. 13x22 18x9 15. 22-26 21-17 16.
10x15 17-13 17. 11-16 9-6 18. 2x9 13x6 16-19 1/2-1/2
"""
"""Two games as programs hand them round: some steps are written with an x, and a move number is missing."""
ANNOTATED = """\
\ufeff[Event "A \\"match\\" \\\\ of two"]  [Site "Zürich"]
{before} 1. 11-15! $14 {the old
fourteenth} 23-19?! (1... 22-18 {not this} 15x22 (1... 99-99 ?)
2. 25x18 1-0) 2. 8-11* ; to the end } of the line
22-17 { } 2... *
"""
FEN = "B:W18,24,K27:B12,16,K20"


def moves(game: GameRecord) -> list[str]:
    """The moves of a game as text, played by the rules."""
    position = Position(GAME, game.start)
    for action in game.moves:
        position.push(action)
    return Position(GAME, game.start).line(list(game.moves))


def test_games_as_they_are_handed_round() -> None:
    first, second = read_pdn(TINSLEY)
    assert first.headers == {"Event": "US National 1946", "Black": "WF Ryan", "White": "MF Tinsley"}
    assert (first.result, second.result) == ("0-1", "1/2-1/2")
    assert (len(first.moves), len(second.moves)) == (54, 37)
    assert moves(first)[10:14] == ["15x22", "25x9", "5x14", "29-25"]
    assert moves(second)[2] == "10-15"
    assert moves(second)[21] == "31x6"
    assert first.start == GAME.initial()
    assert first.comments == ()
    assert read_pdn(write_pdn([first, second])) == [first, second]


def test_comments_marks_and_variations() -> None:
    (game,) = read_pdn(ANNOTATED)
    assert game.headers == {"Event": 'A "match" \\ of two', "Site": "Zürich"}
    assert moves(game) == ["11-15", "23-19", "8-11", "22-17"]
    assert game.result == "*"
    assert game.comments == ((0, "before"), (1, "the old fourteenth"), (3, "to the end } of the line"))
    assert read_pdn(ANNOTATED.encode()) == [game]
    assert write_pdn([game]) == (
        '[Event "A \\"match\\" \\\\ of two"]\n[Site "Zürich"]\n[Result "*"]\n\n'
        "{before} 1. 11-15 {the old fourteenth} 23-19 2. 8-11\n;to the end } of the line\n22-17 *\n"
    )
    assert read_pdn(write_pdn([game])) == [game]


def test_positions_as_starts() -> None:
    text = f'[SetUp "1"]\n[FEN "W{FEN[1:]}"]\n18-15 16-19 1-0\n[FEN "B:W26,27:B22"] *'
    first, second = read_pdn(text)
    assert first.headers == second.headers == {}
    assert GAME.format_state(first.start) == "W" + FEN[1:]
    assert moves(first) == ["18-15", "16-19"]
    assert (second.moves, second.result) == ((), "*")
    written = write_pdn([first, second])
    assert '[SetUp "1"]\n[FEN "W:W18,24,K27:B12,16,K20"]\n[Result "1-0"]\n\n1... 18-15 2. 16-19 1-0\n' in written
    assert read_pdn(written) == [first, second]


@pytest.mark.parametrize(
    ("text", "results"),
    [
        ("", []),
        (" \n {}", []),
        ("*", ["*"]),
        ("1-0 0-1 1/2-1/2 *", ["1-0", "0-1", "1/2-1/2", "*"]),
        ('[Result "1-0"] 1. 11-15 *', ["1-0"]),
        ('[Result "1-0"] 1. 11-15 0-1', ["0-1"]),
        ('[Result "1-0"] 1. 11-15', ["1-0"]),
        ('[Result "?"] 1. 11-15', ["*"]),
        ('1. 11-15 [Event "next"] 1. 11-15 0-1', ["*", "0-1"]),
        ("1.11-15 1... 23-19 11. 8-11 1-0", ["1-0"]),
    ],
)
def test_results(text: str, results: list[str]) -> None:
    games = read_pdn(text)
    assert [game.result for game in games] == results
    assert read_pdn(write_pdn(games)) == games


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("1. 11-15\n2. e4 *", "line 2: 'e4' is no move, comment, header or result$"),
        ("11-15 {never closed", "line 1: '{never' is no move, .*: a comment ends with }"),
        ('\n\n[Event "open]\n*', 'line 3: .* a header is written \\[Name "text"\\]'),
        ("[Event]", "line 1: '\\[Event\\]' is no move"),
        ("11-15 )", "line 1: there is a \\) without its \\("),
        ("11-15 (", "the text ends inside a variation: a \\) is missing"),
        ('( [Event "x"] )', "line 1: the header Event is inside a variation"),
        ("1. 11-15 11-16", "line 1: 11-16 is not legal in 'W:W21,.*'; legal are 21-17 22-18"),
        ("1. 10x17", "line 1: 10x17 is not legal"),
        ("11-00", "line 1: 11-00 is not legal"),
        ('[FEN "B:W9,14:B5"] 5-9', "line 1: 5-9 is not legal in 'B:W9,14:B5'; the game is over"),
        ('*\n[FEN "B:W9:B"]\n[FEN "B:W9"]\n[FEN "B:W:B9"]', "line 4: 'B:W:B9' has no piece of White"),
        ("11-15\n\x00", "line 2: '\\\\x00' is no move"),
        ("(" * 100_000, "the text ends inside a variation"),
        ("{" * 1_000_000, "line 1: '{{{"),
        ('["' * 500_000, "line 1: "),
        ("9" * 1_000_000, "line 1: '999"),
        ("é" * 1_000_000, "line 1: 'ééé"),
    ],
)
def test_refused_texts(text: str, complaint: str) -> None:
    with pytest.raises(BadInput, match=complaint) as refusal:
        read_pdn(text)
    assert len(str(refusal.value)) < 400


@pytest.mark.parametrize("coding", ["latin-1", "utf-16"])
def test_other_encodings_are_refused(coding: str) -> None:
    with pytest.raises(BadInput, match=r"line \d: the text is not in UTF-8, save it as that"):
        read_pdn('*\n[Site "Zürich"] *'.encode(coding))


def test_very_long_and_deep_texts() -> None:
    shuffle = "1-5 32-28 5-1 28-32 " * 900
    (game,) = read_pdn(f'[FEN "B:WK32:BK1"] {shuffle} 1/2-1/2')
    assert len(game.moves) == 3_600, "draws are claimed, so that games may go on"
    assert read_pdn(write_pdn([game])) == [game]
    (deep,) = read_pdn("11-15 " + "(22-18 " * 20_000 + ")" * 20_000 + "23-19 *")
    assert len(deep.moves) == 2


@pytest.mark.parametrize("headers", [{"two words": "x"}, {"": "x"}, {"Event": "two\nlines"}])
def test_headers_that_cannot_be_written(headers: dict[str, str]) -> None:
    with pytest.raises(BadInput, match="can't be written"):
        write_pdn([GameRecord(headers)])


TEXTS = st.text(st.characters(exclude_categories=["C", "Z"]) | st.sampled_from(' {};"\\()'), max_size=60)


@given(
    st.dictionaries(st.sampled_from(["Event", "Site", "Größe"]), TEXTS, max_size=3),
    st.integers(0, 2**32),
    st.integers(0, 30),
    st.sampled_from(["1-0", "0-1", "1/2-1/2", "*"]),
    st.lists(st.tuples(st.integers(0, 30), TEXTS), max_size=3),
)
@examples(100)
def test_what_is_written_is_read_again(
    headers: dict[str, str], seed: int, length: int, result: str, notes: list[tuple[int, str]]
) -> None:
    dice = random.Random(seed)
    states = [GAME.initial()]
    actions: list[int] = []
    while len(actions) < length and (legal := GAME.legal(states[-1])):
        actions.append(dice.choice(legal))
        states.append(GAME.result(states[-1], actions[-1]))
    cut = dice.randint(0, len(actions))
    made = len(actions) - cut
    comments = sorted((min(number, made), " ".join(text.split())) for number, text in notes if text.strip())
    game = GameRecord(headers, states[cut], tuple(actions[cut:]), result, tuple(comments))
    text = write_pdn([game, game])
    assert read_pdn(text) == [game, game]
    assert all(len(line) <= 80 for line in text.splitlines() if line[:1] not in ("[", ";"))


# Broken texts.


def mutants(sources: list[str], signs: str, count: int) -> Any:
    """Texts made from good ones: signs put in, left out and exchanged, pieces of others put in; always the same."""
    dice = random.Random(5)
    draw = dice.random
    for number in range(count):
        text = sources[number % len(sources)]
        for _ in range(1 + number % 3):
            start = int(draw() * (len(text) + 1))
            end = start + int(draw() * 3)
            if draw() < 0.1:
                other = sources[int(draw() * len(sources))]
                piece = other[: int(draw() * 20)]
            else:
                piece = signs[int(draw() * len(signs))]
            text = text[:start] + piece + text[end:]
        yield text


def refused(read: Callable[[Any], Any], texts: Any) -> tuple[int, int]:
    """How many texts are read and how many refused in a short sentence; anything else is an error."""
    good, longest, bad = 0, 0, 0
    for text in texts:
        try:
            read(text)
            good += 1
        except BadInput as error:
            longest = max(longest, len(str(error)))
            bad += 1
    assert longest < 400
    return good, bad


COUNT = 200_000 if is_enabled() else 20_000
SIGNS = '[]{}()"\\;*.,-x:0123456789 \nKWBHF!?$é\x00\ufeff²'


def test_broken_games() -> None:
    sources = ['[Event "a"] 1. 11-15 {b} 23-18 (2. 8-11) 1-0', '[FEN "B:W26:B22"] 22x31 *', "9-13! $1 22-18 1/2-1/2"]
    good, bad = refused(read_pdn, mutants(sources, SIGNS, COUNT))
    assert good > COUNT // 50
    assert bad > COUNT // 3


def test_broken_positions() -> None:
    good, bad = refused(GAME.parse_state, mutants([FEN, "W:WK1-K3,32:B5,12.", "B:W21:B9:H7"], SIGNS, COUNT))
    assert good > COUNT // 50
    assert bad > COUNT // 3


@given(st.text(max_size=200) | st.text(SIGNS, max_size=200))
@examples(200)
def test_any_text_is_read_or_refused(text: str) -> None:
    for read in (read_pdn, GAME.parse_state):
        refused(read, [text])


@given(st.binary(max_size=100))
@examples(100)
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    refused(read_pdn, [data])
