"""The contract itself: defaults, facts, sealing, positions, and states as text and key."""

from __future__ import annotations

import ast
import contextlib
import pkgutil
import subprocess
import sys
from enum import Enum, IntEnum
from typing import Any, NamedTuple, Optional

import pytest
from hypothesis import given
from hypothesis import strategies as st

import zermelo
from zermelo.bits import WORD, Bits
from zermelo.board import Fields
from zermelo.errors import BadInput, GameError, IllegalAction
from zermelo.fields import format_fields, hash_fields, is_literal, literal, parse_fields, why_not_plain
from zermelo.game import CHANCE, MOST_ACTIONS, Game
from zermelo.games.nim import Nim
from zermelo.games.tic_tac_toe import TicTacToe
from zermelo.position import Position
from zermelo.tuples import put, weighted


class Textbook(Game):
    """The contract's own example, with nothing optional."""

    class State(NamedTuple):
        stones: int
        turn: int

    def __init__(self, stones: int = 5, most: int = 3) -> None:
        self.stones, self.most = stones, most

    def initial(self) -> Any:
        return self.State(self.stones, 0)

    def to_move(self, state: Any) -> int:
        return state.turn

    def actions(self, state: Any) -> Any:
        for n in range(1, min(self.most, state.stones) + 1):
            yield n

    def result(self, state: Any, action: Any) -> Any:
        return self.State(state.stones - action, 1 - state.turn)

    def is_terminal(self, state: Any) -> bool:
        return state.stones == 0

    def utility(self, state: Any, player: int) -> float:
        return 1 if state.turn != player else -1


def test_six_methods_make_a_game_and_the_rest_has_defaults() -> None:
    game = Textbook()
    state = game.initial()
    assert game.evaluate(state, 0) == game.evaluate(state, 1) == 0
    assert list(game.noisy(state)) == list(game.symmetries(state)) == []
    assert list(game.plausible(state)) == [1, 2, 3]
    assert game.bounds(state, 0) == (float("-inf"), float("inf"))
    assert game.team(1) == 1
    assert game.format_state(state) == "stones=5 turn=0"
    assert game.parse_state("turn=0 stones=5") == state
    assert game.format_action(state, 2) == "2"
    assert game.parse_action(state, "2") == 2
    assert game.board(state) == Fields(("stones", "turn"), ("5", "0"))
    assert game.facts == (2, False, 0, True, float("-inf"), float("inf"), False)
    assert game.facts.zero_sum
    assert repr(game) == "Textbook(stones=5, most=3)"
    assert [game.player_name(player) for player in (0, 1, CHANCE)] == ["player 1", "player 2", "chance"]


def test_a_weighted_sum_is_rounded_after_each_addition() -> None:
    assert weighted((1e16, 1.0, -1e16), (1.0, 1.0, 1.0)) == 0.0
    assert weighted((0.1,) * 10, (1.0,) * 10) != 1.0


def test_features_times_weights_is_the_evaluation() -> None:
    class Weighed(Textbook):
        weights = (0.5, 2.0)

        def features(self, state: Any) -> tuple[float, ...]:
            return state.stones, 1

    assert Weighed().evaluate(Weighed().initial(), 0) == 4.5
    assert Weighed().evaluate(Weighed().initial(), 1) == -4.5


def test_a_missing_method_is_named() -> None:
    class Half(Game):
        def initial(self) -> Any:
            return 0

    with pytest.raises(GameError, match="Half has no to_move, actions, result, is_terminal and utility"):
        Half()


def test_a_game_does_not_change_once_it_is_made() -> None:
    game = Textbook()
    with pytest.raises(GameError, match=r"Textbook\.stones can't change once the game is made"):
        game.stones = 7
    assert game.stones == 5


def test_outcomes_must_be_written_where_chance_moves() -> None:
    class Lucky(Textbook):
        def to_move(self, state: Any) -> int:
            return CHANCE

    with pytest.raises(GameError, match="has no method outcomes"):
        Lucky().legal(Lucky().initial())


def test_actions_that_never_end_are_told() -> None:
    class Loop(Textbook):
        def actions(self, state: Any) -> Any:
            while True:
                yield 1

    with pytest.raises(GameError, match=f"more than {MOST_ACTIONS:,} actions in state 'stones=5 turn=0'"):
        Loop().legal(Loop().initial())


def test_a_dead_end_that_is_not_the_end_is_told() -> None:
    class Stuck(Textbook):
        def actions(self, state: Any) -> Any:
            return ()

    with pytest.raises(GameError, match="let is_terminal be true"):
        Stuck().legal(Stuck().initial())


def test_positions_take_legal_actions_only() -> None:
    position = Position(Textbook())
    position.push(2)
    for wrong in (0, 4, "2", 2.0, True, None):
        with pytest.raises(IllegalAction, match="is not legal in state 'stones=3 turn=1'; legal are 1 2 3"):
            position.push(wrong)
    assert position.history == (2,)
    assert position.pop() == 2
    assert str(position) == "stones=5 turn=0"
    with pytest.raises(IllegalAction, match="no move to take back"):
        position.pop()


def test_moves_as_text_are_taken_all_or_none() -> None:
    position = Position(Textbook())
    with pytest.raises(IllegalAction, match="'9' is not legal"):
        position.push_text("1 2 9")
    assert position.history == ()
    position.push_text("1, 2 2")
    assert position.is_terminal
    assert position.moves == []
    assert position.utilities == (1, -1)
    with pytest.raises(IllegalAction, match=r"move 1 \('1'\) comes after the end of the game"):
        position.push_text("1")


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt, GameError])
def test_no_move_is_taken_where_a_later_one_fails_for_any_reason(error: type[BaseException]) -> None:
    class Failing(Textbook):
        def result(self, state: Any, action: Any) -> Any:
            if state.stones < 4:
                raise error
            return super().result(state, action)

    position = Position(Failing())
    position.push_text("1")
    with pytest.raises(error):
        position.push_text("1 1")
    assert position.history == (1,)
    assert str(position) == "stones=4 turn=1"


@given(st.lists(st.integers(0, 2**16), max_size=12))
def test_push_and_pop_undo_each_other(luck: list[int]) -> None:
    position = Position(TicTacToe())
    before = [position.state]
    for number in luck:
        if position.is_terminal:
            break
        position.push(position.moves[number % len(position.moves)])
        before.append(position.state)
    assert position.states == tuple(before)
    twin = position.copy()
    for state in reversed(before[:-1]):
        position.pop()
        assert position.state == state
    assert twin.states == tuple(before)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("1 2  3", ["1", "2", "3"]),
        ("1,2, 3", ["1", "2", "3"]),
        ("(1,0) (2,0),x(3,1)", ["(1,0)", "(2,0)", "x(3,1)"]),
        ("((1, 0),2) 3", ["((1,0),2)", "3"]),
        ("1) 2", ["1)", "2"]),
        ("(1 2, 3", ["(1", "2", "3"]),
        ("((1,2) 3)) 4", ["((1,2)3))", "4"]),
        ("((1,2) 3", ["((1,2)", "3"]),
        ("", []),
        (" , ", []),
    ],
)
def test_moves_are_split_at_spaces_and_commas_outside_brackets(text: str, words: list[str]) -> None:
    assert Nim().split_moves(text) == words


@pytest.mark.parametrize("text", ["1)", "(1", "1 (", ")1"])
def test_a_stray_bracket_is_refused(text: str) -> None:
    with pytest.raises(IllegalAction, match="is not legal in state"):
        Position(Nim()).push_text(text)


class Kind(IntEnum):
    LOW = 0
    HIGH = 1


class Colour(Enum):
    RED = "red"


class Choice(Textbook):
    """A game whose actions are whatever it is given."""

    def __init__(self, actions: tuple[Any, ...]) -> None:
        self.choices = actions

    def initial(self) -> Any:
        return self.State(1, 0)

    def actions(self, state: Any) -> Any:
        return self.choices


@pytest.mark.parametrize(
    ("action", "text"),
    [
        ("tent", "tent"),
        ("Grün-1", "Grün-1"),
        ("", "''"),
        ("a b", r"'a\x20b'"),
        ("it's", r"'it\x27s'"),
        ("a,(b)", r"'a\x2c\x28b\x29'"),
        (("a", 1), "(a,1)"),
        (Kind.HIGH, "1"),
        (Colour.RED, "red"),
        ((Kind.LOW, (Kind.HIGH, -3)), "(0,(1,-3))"),
        (((5, 2), (4, -3)), "((5,2),(4,-3))"),
        ((True, 0.5, None), "(True,0.5,None)"),
        (Bits(5), "0x5"),
    ],
)
def test_the_default_text_of_an_action(action: Any, text: str) -> None:
    game = Choice((action,))
    assert game.format_action(game.initial(), action) == text


atoms = st.integers() | st.booleans() | st.floats(allow_nan=False) | st.text(max_size=4) | st.sampled_from(Kind)
choices = st.one_of(
    st.lists(st.text(max_size=4), min_size=1, max_size=5, unique=True),
    st.lists(st.integers() | st.floats(allow_nan=False), min_size=1, max_size=5, unique=True),
    st.lists(st.tuples(atoms), min_size=1, max_size=1),
    st.lists(
        st.recursive(atoms, lambda inner: st.lists(inner, max_size=3).map(tuple), max_leaves=6).map(
            lambda item: (item, 0)
        ),
        min_size=1,
        max_size=1,
    ),
    st.lists(st.tuples(st.integers(-9, 9), st.tuples(st.integers(-9, 9), st.booleans())), min_size=1, unique=True),
)


@given(choices, st.lists(st.integers(0, 99), min_size=1, max_size=4))
def test_default_texts_of_actions_are_read_back(actions: list[Any], picks: list[int]) -> None:
    game = Choice(tuple(actions))
    taken = [actions[pick % len(actions)] for pick in picks]
    texts = [game.format_action(game.initial(), action) for action in taken]
    for gap in (" ", ",", ", "):
        assert game.split_moves(gap.join(texts)) == texts
    assert [game.parse_action(game.initial(), text) for text in texts] == taken


def test_upper_and_lower_case_moves_are_the_same_unless_both_exist() -> None:
    assert TicTacToe().parse_action(TicTacToe().initial(), "B2") == 4


class Mixed(NamedTuple):
    number: int
    share: float
    flag: bool
    cells: tuple[int, ...]
    marks: Bits
    pairs: tuple[tuple[int, bool], ...]


mixed = st.builds(
    Mixed,
    st.integers(-(2**63), 2**63 - 1),
    st.floats(allow_nan=False),
    st.booleans(),
    st.tuples(*[st.integers(-9, 9)] * 3),
    st.integers(0, WORD).map(Bits),
    st.tuples(*[st.tuples(st.integers(0, 3), st.booleans())] * 2),
)


@given(mixed)
def test_fields_as_text_come_back_as_they_were(state: Mixed) -> None:
    again = parse_fields(format_fields(state), state)
    assert again == state
    assert [type(value) for value in again] == [type(value) for value in state]


@given(mixed, mixed)
def test_equal_states_have_equal_keys_and_others_differ(one: Mixed, other: Mixed) -> None:
    assert (hash_fields(one) == hash_fields(other)) == (one == other)


def test_sets_of_few_members_have_different_keys() -> None:
    """Two sets of cells that differ in little, high members among them."""
    singles = [Bits(1) << cell for cell in range(64)]
    pairs = [one | other for one in singles for other in singles if one < other]
    states = [(one, other) for one in singles for other in pairs if not one & other]
    assert len({hash_fields(state) for state in states}) == len(states) == 64 * 63 * 62 // 2


nested = st.recursive(st.integers(-2, 2), lambda inner: st.lists(inner, max_size=3).map(tuple), max_leaves=6)


@given(nested, nested)
def test_tuples_of_other_lengths_have_other_keys(one: Any, other: Any) -> None:
    assert (hash_fields(one) == hash_fields(other)) == (one == other)


def test_where_a_tuple_ends_counts_in_a_search() -> None:
    class Split(Game):
        class State(NamedTuple):
            mine: tuple[int, ...]
            yours: tuple[int, ...]

        def initial(self) -> Any:
            return self.State((), ())

        def to_move(self, state: Any) -> int:
            return 0

        def actions(self, state: Any) -> Any:
            return 0, 1

        def result(self, state: Any, action: Any) -> Any:
            mine, yours = state
            return self.State((*mine, 1), yours) if action == 0 else self.State(mine, (*yours, 1))

        def is_terminal(self, state: Any) -> bool:
            return len(state.mine) + len(state.yours) == 4

        def utility(self, state: Any, player: int) -> float:
            lead = len(state.yours) - len(state.mine)
            return lead if player == 0 else -lead

    assert zermelo.solve(Split()).value == 4


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5) | st.binary(max_size=3),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3) | st.tuples(inner, inner)
    ),
    max_leaves=8,
)


@given(values, values)
def test_states_of_other_kinds_have_keys_of_their_own(one: Any, other: Any) -> None:
    assert " " not in literal(one)
    assert ast.literal_eval(literal(one)) == one
    assert (literal(one, key=True) == literal(other, key=True)) == (one == other)
    assert (hash_fields([one]) == hash_fields([other])) == (one == other)


@given(values)
def test_states_of_other_kinds_come_back_from_their_text(value: Any) -> None:
    class Held(NamedTuple):
        value: Any
        turn: int

    for state in (Held([value], 1), [value], {"a": value}, "a b"):
        assert parse_fields(format_fields(state), state) == state


class Loose(NamedTuple):
    last: int | None
    word: Optional[str]  # noqa: UP045
    share: float | None
    cells: tuple[int, ...] | None
    marks: Bits | None
    any: Any
    kind: Kind


@given(
    st.builds(
        Loose,
        st.none() | st.integers(),
        st.none() | st.text(max_size=4),
        st.none() | st.floats(allow_nan=False),
        st.none() | st.lists(st.integers(), min_size=1, max_size=3).map(tuple),
        st.none() | st.integers(0, WORD).map(Bits),
        st.none(),
        st.sampled_from(Kind),
    ),
    st.booleans(),
)
def test_fields_that_may_be_none_come_back_from_their_text(state: Loose, empty: bool) -> None:
    example = Loose(None, None, None, None, None, None, Kind.LOW) if empty else state
    again = parse_fields(format_fields(state), example)
    assert again == state
    assert [type(value) for value in again] == [type(value) for value in state]


def test_what_is_no_value_of_an_optional_field_is_refused() -> None:
    example = Loose(None, None, None, None, None, None, Kind.LOW)
    text = format_fields(example)
    with pytest.raises(BadInput, match="last=x can't be read as int or None"):
        parse_fields(text.replace("last=None", "last=x"), example)
    with pytest.raises(BadInput, match=r"last=1\.5 can't be read as int or None"):
        parse_fields(text.replace("last=None", "last=1.5"), example)
    with pytest.raises(BadInput, match="any=x can't be read as Any"):
        parse_fields(text.replace("any=None", "any=x"), example)
    with pytest.raises(BadInput, match="kind=7 is not a Kind like 0"):
        parse_fields(text.replace("kind=0", "kind=7"), example)


def test_a_field_is_written_as_what_it_is_declared() -> None:
    class Declared(NamedTuple):
        share: float
        shares: tuple[float, ...]
        turn: int

    state = Declared(1, (0, 0.5), True)
    assert format_fields(state) == "share=1.0 shares=(0.0,0.5) turn=1"
    assert parse_fields(format_fields(state), state) == state


def test_a_number_too_large_for_its_field_is_refused() -> None:
    class Share(NamedTuple):
        share: float
        part: float | None

    with pytest.raises(BadInput, match=r"is not a float like 0\.5"):
        parse_fields(f"share={10**400} part=None", Share(0.5, None))
    with pytest.raises(BadInput, match="can't be read as float or None"):
        parse_fields(f"share=1 part={10**400}", Share(0.5, None))


def test_truth_values_are_written_as_such() -> None:
    assert format_fields({"a": True, "b": [False, 1.0]}) == "state={'a':True,'b':[False,1.0]}"
    assert hash_fields({"a": True}) == hash_fields({"a": 1.0}) == hash_fields({"a": 1})


def test_enums_in_a_state_have_the_keys_of_their_numbers() -> None:
    assert hash_fields((Kind.HIGH, 2)) == hash_fields((1, 2))
    assert hash_fields([Kind.HIGH]) == hash_fields([1])
    assert not is_literal(Colour.RED)


def test_what_can_t_be_told_apart_has_no_key() -> None:
    with pytest.raises(TypeError):
        hash_fields([object()])
    assert is_literal({"a": [1, {2, 3}, None]})
    assert not is_literal([object()])


@pytest.mark.native
@given(mixed)
def test_keys_are_the_same_native(state: Mixed) -> None:
    from zermelo import native

    class Keyed(Textbook):
        def initial(self) -> Any:
            return Mixed(0, 0.0, False, (0, 0, 0), Bits(0), ((0, False), (0, False)))

    assert native.call(_key, Keyed(), state) == hash_fields(state)


def _key(game: Any, state: Any) -> Any:
    return game.key(state)


@given(st.text(max_size=40))
def test_any_text_as_a_state_is_a_state_or_one_sentence(text: str) -> None:
    for game in (Nim(), TicTacToe()):
        with contextlib.suppress(BadInput):
            assert game.parse_state(text) is not None


@pytest.mark.parametrize(
    "text",
    ["", "stones=5", "stones=5 turn=0 x=1", "stones=5 turn=a", "stones=5 turn=1.5", "stones=(1,2) turn=0",
     "stones=5 stones=6 turn=0", "5 0", "stones= turn=0", "stones=((( turn=0", "stones=True turn=0"],
)  # fmt: skip
def test_bad_states_are_refused(text: str) -> None:
    with pytest.raises(BadInput):
        parse_fields(text, Nim().initial())


def test_what_is_plain_and_what_is_not() -> None:
    assert why_not_plain(Nim().initial()) == ""
    assert why_not_plain([1]) == "its state is a list, not a NamedTuple"

    class Worded(NamedTuple):
        word: str

    assert why_not_plain(Worded("a")) == "its field word holds a str"


@given(st.lists(st.integers(), min_size=1), st.data())
def test_put_changes_one_item(items: list[int], data: Any) -> None:
    index = data.draw(st.integers(0, len(items) - 1))
    changed = put(tuple(items), index, 99)
    assert changed[index] == 99
    assert changed[:index] + changed[index + 1 :] == (*items[:index], *items[index + 1 :])


def test_public_names_are_all_there() -> None:
    for name in zermelo.__all__:
        assert getattr(zermelo, name) is not None
        assert name in dir(zermelo)
    with pytest.raises(AttributeError):
        zermelo.nothing  # noqa: B018


def test_no_public_name_is_also_a_modules() -> None:
    """Importing `zermelo.x` sets the name `x` in `zermelo`, so a function of that name would turn into a module."""
    assert not {module.name for module in pkgutil.iter_modules(zermelo.__path__)} & set(zermelo.__all__)


def test_importing_zermelo_brings_no_numba_numpy_or_typer() -> None:
    code = "import sys, zermelo; zermelo.Game, zermelo.best, zermelo.load; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert not {"numba", "numpy", "llvmlite", "typer", "rich"} & set(loaded)
