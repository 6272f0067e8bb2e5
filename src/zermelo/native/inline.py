"""`for action in game.actions(state): …` with the generator's own loop in its place.

A native generator is a state machine that hands over each item through memory; unrolled into the loop
that asks for it, the items stay in registers and the loop can be unrolled. Where that can't be done
truly, the generator stays one.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator
from typing import Any

from zermelo.native.sugar import Rename

MOST_YIELDS = 2
"""How often the body of a loop may be copied: once for each `yield` of the generator."""


def inlined(loop: ast.For, generator: ast.FunctionDef, arguments: list[ast.expr], tag: str) -> list[ast.stmt] | None:
    """The statements that do what `loop` over a call of `generator` does, or None if they might not.

    `arguments` are those of the call, `self` first; `tag` sets the generator's variables apart from others.
    """
    parameters = [argument.arg for argument in generator.args.args]
    if loop.orelse or len(parameters) != len(arguments) or not _fits(loop, generator):
        return None
    body = copy.deepcopy(generator.body)
    rename = Rename({name: f"{name}__{tag}" for name in {*parameters, *_assigned(body)}})
    starts: list[ast.stmt] = [
        ast.Assign([ast.Name(rename.names[name], ast.Store())], value)
        for name, value in zip(parameters, arguments, strict=True)
    ]
    replace = _ReplaceYields(loop)
    made = [replace.visit(rename.visit(statement)) for statement in body]
    flat = [part for item in made for part in (item if isinstance(item, list) else [item])]
    return [ast.fix_missing_locations(ast.copy_location(statement, loop)) for statement in (*starts, *flat)]


def _fits(loop: ast.For, generator: ast.FunctionDef) -> bool:
    """Whether the loop's body can stand where the generator yields, and nothing else changes."""
    nodes = [node for statement in generator.body for node in ast.walk(statement)]
    yields = [node for node in nodes if isinstance(node, ast.Yield)]
    plain = [node for node in nodes if isinstance(node, ast.Expr) and isinstance(node.value, ast.Yield)]
    if not 1 <= len(yields) <= MOST_YIELDS or len(plain) != len(yields):
        return False
    if any(isinstance(node, ast.Return | ast.YieldFrom | ast.FunctionDef) for node in nodes):
        return False
    last_steps = [step for each in _loops(generator.body) for step in _last_steps(each.body)]
    if any(_loose(loop.body, ast.Continue)) and not all(node in last_steps for node in plain):
        return False
    return not any(_loose(loop.body, ast.Break)) or _is_one_loop(generator.body)


def _is_one_loop(body: list[ast.stmt]) -> bool:
    """Whether leaving the only loop that yields is leaving the generator."""
    *before, last = body
    if not isinstance(last, ast.For | ast.While) or last.orelse or any(_loops(last.body)):
        return False
    return not any(isinstance(node, ast.Yield) for statement in before for node in ast.walk(statement))


def _loops(body: list[ast.stmt]) -> Iterator[ast.For | ast.While]:
    for statement in body:
        for node in ast.walk(statement):
            if isinstance(node, ast.For | ast.While):
                yield node


def _last_steps(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """The statements after which a loop's body is at its end."""
    last = body[-1]
    if isinstance(last, ast.If):
        yield from _last_steps(last.body)
        if last.orelse:
            yield from _last_steps(last.orelse)
    else:
        yield last


def _loose(body: list[ast.stmt], kind: type[ast.stmt]) -> Iterator[ast.stmt]:
    """The `break` or `continue` statements that belong to the loop around `body`."""
    for statement in body:
        if isinstance(statement, kind):
            yield statement
        elif isinstance(statement, ast.For | ast.While):
            yield from _loose(statement.orelse, kind)
        elif isinstance(statement, ast.If):
            yield from _loose(statement.body, kind)
            yield from _loose(statement.orelse, kind)


def _assigned(body: list[ast.stmt]) -> set[str]:
    nodes = (node for statement in body for node in ast.walk(statement))
    return {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}


class _ReplaceYields(ast.NodeTransformer):
    """Put the loop's target and body where the generator yields."""

    def __init__(self, loop: ast.For) -> None:
        self.loop = loop

    def visit_Expr(self, node: ast.Expr) -> Any:
        if not isinstance(node.value, ast.Yield):
            return node
        item = node.value.value or ast.Constant(None)
        target = copy.deepcopy(self.loop.target)
        return [ast.copy_location(ast.Assign([target], item), node), *copy.deepcopy(self.loop.body)]
