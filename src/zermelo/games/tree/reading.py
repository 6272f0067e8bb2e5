"""Reading a tree: nested lists, numbers and objects become numbered nodes and edges, or one sentence."""

from __future__ import annotations

import json
import re
from fractions import Fraction
from graphlib import CycleError, TopologicalSorter
from itertools import pairwise
from math import fsum
from numbers import Real
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

from zermelo.errors import BadInput
from zermelo.game import CHANCE

DEEPEST = 500
"""The most levels a tree may be nested."""


def read_json(file: str) -> Any:
    """What a JSON file holds."""
    if not Path(file).is_file():
        raise BadInput(f"there is no file {file!r} to read a tree from")
    try:
        return json.loads(Path(file).read_text("utf-8"))
    except OSError as error:
        raise BadInput(f"can't read {file}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise BadInput(f"{file} is not a text file in UTF-8") from None
    except RecursionError:
        raise BadInput(f"{file} is nested too deep: a tree has at most {DEEPEST} levels") from None
    except json.JSONDecodeError as error:
        raise BadInput(f"{file} line {error.lineno}: this is not JSON: {error.msg}") from None
    except ValueError:
        raise BadInput(f"{file} holds a number with too many digits") from None


KINDS = {
    "value": {"name", "value"},
    "values": {"name", "values"},
    "children": {"name", "player", "children"},
    "chance": {"name", "chance"},
    "ref": {"ref"},
}
"""What makes an object a node of some kind, with all the keys that kind may have."""


class _Move(NamedTuple):
    label: str
    odds: float
    child: Any


class Tables:
    """The numbered nodes and edges of a tree; what can't be understood is refused with its place in the tree.

    `turns` counts on from the parent's turn, so that it is the mover modulo the number of players, which
    is known only in the end; `worths` holds what is written at each end, None elsewhere.
    """

    def __init__(self, source: str, content: Any) -> None:
        self.source = source
        self.names: list[str] = []
        self.turns: list[int] = []
        self.first: list[int] = []
        self.degree: list[int] = []
        self.worths: list[float | tuple[float, ...] | None] = []
        self.targets: list[int] = []
        self.odds: list[float] = []
        self.labels: list[str] = []
        self.numbers: dict[str, int] = {}
        self.references: list[tuple[int, str, str]] = []
        self.chosen: list[tuple[str, int]] = []
        declared, root = self.unwrapped(content)
        self.walk(root)
        self.link()
        self.refuse_cycles()
        self.players = declared or next((len(w) for w in self.worths if isinstance(w, tuple)), 2)
        for where, player in self.chosen:
            if player >= self.players:
                self.refuse(where, f"has player {player}, but there are {self.players}, numbered from 0")
        self.movers = [turn if turn == CHANCE else turn % self.players for turn in self.turns]
        self.values = [value for node in range(len(self.names)) for value in self.settled(node)]

    def refuse(self, where: str, what: str) -> NoReturn:
        place = where if len(where) <= 60 else f"{where[:60]}…"
        raise BadInput(f"{self.source}{place} {what}")

    def unwrapped(self, content: Any) -> tuple[int, Any]:
        """How many players are declared, 0 for none, and the root."""
        if not isinstance(content, dict) or "root" not in content:
            return 0, content
        self.only("the tree", content, {"players", "root"})
        players = content.get("players", 0)
        if "players" in content and (not _is_whole(players) or not 1 <= players <= 20):
            self.refuse("the tree", f"has {_brief(players)} for players: give a whole number from 1 to 20")
        return players, content["root"]

    def walk(self, root: Any) -> None:
        """Number all nodes and edges, depth first."""
        stack = [(root, "root", 0, -1, 1)]
        while stack:
            written, where, turn, edge, depth = stack.pop()
            if depth > DEEPEST:
                self.refuse(where, f"is nested too deep: a tree has at most {DEEPEST} levels")
            if isinstance(written, dict) and "ref" in written:
                self.refer(written, where, edge)
                continue
            node, moves = self.add(written, where, turn)
            if edge >= 0:
                self.targets[edge] = node
            name, after = self.names[node], turn if self.turns[node] == CHANCE else self.turns[node] + 1
            children = [
                (move.child, f"{name}.{place + 1}", after, self.first[node] + place, depth + 1)
                for place, move in enumerate(moves)
            ]
            stack += reversed(children)

    def refer(self, written: dict[Any, Any], where: str, edge: int) -> None:
        """Remember a reference until all names are known."""
        self.only(where, written, KINDS["ref"])
        if edge < 0:
            self.refuse(where, "is a ref: give the node itself")
        self.references.append((edge, self.text(where, "ref", written["ref"]), where))

    def add(self, written: Any, where: str, turn: int) -> tuple[int, list[_Move]]:
        """Number a node and its edges; the moves hold the children as they are written."""
        full = self.in_full(written, where)
        name = self.text(where, "name", full.get("name", where))
        if name in self.numbers:
            self.refuse(where, f"has the name {name!r}, which another node has: use {{'ref': {name!r}}} for that one")
        if "player" in full:
            if not _is_whole(full["player"]) or full["player"] < 0:
                self.refuse(where, f"has {_brief(full['player'])} for player: give a whole number from 0")
            self.chosen.append((where, turn := full["player"]))
        moves = self.moves(full, where)
        self.numbers[name] = len(self.names)
        self.names.append(name)
        self.turns.append(CHANCE if "chance" in full else turn)
        self.first.append(len(self.targets))
        self.degree.append(len(moves))
        self.worths.append(self.worth(full, where))
        self.targets += [0] * len(moves)
        self.odds += [move.odds for move in moves]
        self.labels += [move.label for move in moves]
        return self.numbers[name], moves

    def in_full(self, written: Any, where: str) -> dict[Any, Any]:
        """A node written in short as it would be written in full."""
        if _is_number(written):
            return {"value": written}
        if isinstance(written, tuple):
            return {"values": list(written)}
        if isinstance(written, list):
            return {"children": written}
        if not isinstance(written, dict):
            self.refuse(where, f"is {_brief(written)}: a node is a number, a list or an object")
        kinds = [kind for kind in KINDS if kind in written]
        if len(kinds) != 1:
            has = " and ".join(kinds) or "none"
            self.refuse(where, f"needs exactly one of {', '.join(KINDS)}, and has {has}")
        self.only(where, written, KINDS[kinds[0]])
        return written

    def moves(self, full: dict[Any, Any], where: str) -> list[_Move]:
        """The edges below a node, checked as a whole."""
        kind = "chance" if "chance" in full else "children"
        if kind not in full:
            return []
        written = full[kind]
        if not isinstance(written, list) or not written:
            self.refuse(where, f"has {_brief(written)} for {kind}: give a list of at least one, or a number for an end")
        moves = [self.move(item, f"{where}.{place}", str(place), kind) for place, item in enumerate(written, 1)]
        labels = sorted(move.label for move in moves)
        for label, other in pairwise(labels):
            if label == other:
                self.refuse(where, f"has two moves called {label!r}: give each its own name")
        total = fsum(move.odds for move in moves)
        if kind == "chance" and abs(total - 1) > 1e-9:
            self.refuse(where, f"has probabilities that add up to {total:.10g}: make it 1")
        return moves

    def move(self, written: Any, where: str, label: str, kind: str) -> _Move:
        """One edge below a node; alone or with its label, for chance with its probability."""
        if kind == "children" and not (isinstance(written, dict) and "node" in written):
            return _Move(label, 0.0, written)
        if not isinstance(written, dict) or "node" not in written:
            self.refuse(where, f"is {_brief(written)}: an outcome of chance is written {{'p': 0.5, 'node': …}}")
        self.only(where, written, {"action", "node"} | ({"p"} if kind == "chance" else set()))
        label = self.text(where, "action", written.get("action", label))
        if label.split() != [label]:
            self.refuse(where, f"has the action {label!r}: leave out the spaces")
        return _Move(label, self.chance(written.get("p"), where) if kind == "chance" else 0.0, written["node"])

    def chance(self, written: Any, where: str) -> float:
        """A probability, as a number or a fraction in text."""
        if isinstance(written, str) and re.fullmatch(r"[0-9]{1,9}/0*[1-9][0-9]{0,8}", written):
            written = float(Fraction(written))
        if not _is_number(written) or not 0 < written <= 1:
            self.refuse(where, f"has {_brief(written)} for p: give a probability above 0 and up to 1, as 0.5 or '1/2'")
        return float(written)

    def worth(self, full: dict[Any, Any], where: str) -> float | tuple[float, ...] | None:
        """What is written at an end; None for other nodes."""
        if "value" in full:
            return self.number(full["value"], where)
        if "values" not in full:
            return None
        if not isinstance(full["values"], list) or not 1 <= len(full["values"]) <= 20:
            self.refuse(where, f"has {_brief(full['values'])} for values: give a list of a number for each player")
        return tuple(self.number(value, where) for value in full["values"])

    def number(self, value: Any, where: str) -> float:
        if not _is_number(value) or not abs(value) <= 1e300:
            self.refuse(where, f"has the value {_brief(value)}: give a finite number")
        return float(value)

    def settled(self, node: int) -> tuple[float, ...]:
        """The values of a node to all players; zeros inside the tree."""
        worth = self.worths[node]
        if worth is None:
            return (0.0,) * self.players
        if isinstance(worth, float):
            if self.players > 2:
                self.refuse(self.names[node], f"has one value for {self.players} players: give values for all")
            return (worth, 0.0 - worth)[: self.players]
        if len(worth) != self.players:
            self.refuse(self.names[node], f"has {len(worth)} values for {self.players} players: give one each")
        return worth

    def link(self) -> None:
        """Let references lead to the nodes they name."""
        for edge, name, where in self.references:
            if name not in self.numbers:
                self.refuse(where, f"refers to {name!r}, but no node has that name")
            self.targets[edge] = self.numbers[name]

    def refuse_cycles(self) -> None:
        edges = [range(first, first + degree) for first, degree in zip(self.first, self.degree, strict=True)]
        below = {node: [self.targets[edge] for edge in ways] for node, ways in enumerate(edges)}
        try:
            TopologicalSorter(below).prepare()
        except CycleError as error:
            path = " → ".join(self.names[node] for node in reversed(error.args[1]))
            raise BadInput(f"{self.source}the tree leads back to itself: {path}; take one of these refs out") from None

    def only(self, where: str, written: dict[Any, Any], known: set[str]) -> None:
        for key in written:
            if key not in known:
                self.refuse(where, f"has {_brief(key)}: what may stand there is {', '.join(sorted(known))}")

    def text(self, where: str, what: str, value: Any) -> str:
        if not isinstance(value, str) or not value or not value.isprintable():
            self.refuse(where, f"has {_brief(value)} for {what}: give a text")
        return str(value)


def _is_number(value: Any) -> bool:
    return isinstance(value, Real) and not isinstance(value, bool)


def _is_whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _brief(value: Any) -> str:
    """A value for a message, never long."""
    if isinstance(value, list | dict | tuple):
        return f"{'a full' if value else 'an empty'} {'object' if isinstance(value, dict) else 'list'}"
    return repr(value) if len(repr(value)) <= 40 else f"{repr(value)[:40]}…"
