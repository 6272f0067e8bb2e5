"""Python that Numba has no word for, said in words that it has; what it means stays the same."""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable, Iterator
from typing import Any, NoReturn

Refuse = Callable[[ast.AST, str], NoReturn]
"""Told of a node that can't be said otherwise, and of the cure."""

IsBuiltin = Callable[..., bool]
"""Whether a node names one of these functions of Python itself."""

PATTERN = "match with such a pattern: use numbers, alternatives with | and case _, or write if and elif"
REDUCTIONS = ("any", "all", "sum", "min", "max")
INVERT = "invert__"
CALLS = {ast.Pow: "power__", ast.LShift: "shift_left__", ast.RShift: "shift_right__"}
"""The functions that stand for `~`, and for `**`, `<<` and `>>` by what is not written as a number."""


class Plain(ast.NodeTransformer):
    """Rewrites a function's body; `made` are the variables it adds, `calls` the functions that it puts in."""

    def __init__(self, is_builtin: IsBuiltin, refuse: Refuse) -> None:
        self.is_builtin, self.refuse = is_builtin, refuse
        self.made: set[str] = set()
        self.calls: set[str] = set()

    def body(self, statements: list[ast.stmt]) -> list[ast.stmt]:
        """Statements said plainly; one may become several."""
        found = [self.visit(statement) for statement in statements]
        return [part for item in found for part in (item if isinstance(item, list) else [item])]

    def fresh(self, name: str) -> str:
        """A variable of our own, unlike all others."""
        self.made.add(f"{name}__{len(self.made)}_")
        return f"{name}__{len(self.made) - 1}_"

    # Expressions.

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        """`x in {1, 2}` as `x in (1, 2)`, or as `x == 1 or x == 2` where x may be repeated."""
        self.generic_visit(node)
        for place, (test, holder) in enumerate(zip(node.ops, node.comparators, strict=True)):
            if isinstance(test, ast.In | ast.NotIn) and isinstance(holder, ast.Set):
                node.comparators[place] = ast.copy_location(ast.Tuple(holder.elts, ast.Load()), holder)
        test, holder = node.ops[0], node.comparators[0]
        if len(node.ops) > 1 or not isinstance(test, ast.In | ast.NotIn) or not _are_items(holder):
            return node
        if not _is_simple(node.left):
            return node
        equal: list[ast.expr] = [ast.Compare(copy.deepcopy(node.left), [ast.Eq()], [item]) for item in holder.elts]  # type: ignore[attr-defined]
        found: ast.expr = ast.BoolOp(ast.Or(), equal)
        found = found if isinstance(test, ast.In) else ast.UnaryOp(ast.Not(), found)
        return ast.fix_missing_locations(ast.copy_location(found, node))

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        """`pair[True]` as `pair[1]`."""
        if isinstance(node.slice, ast.Constant) and isinstance(node.slice.value, bool):
            node.slice = ast.copy_location(ast.Constant(int(node.slice.value)), node.slice)
        return self.generic_visit(node)

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        """`(x,) * 3` written out; `a ** b`, `a << b` and `a >> b` as calls."""
        self.generic_visit(node)
        if type(node.op) in CALLS and not _is_count(node.right):
            return self._call(node, CALLS[type(node.op)], node.left, node.right)
        if isinstance(node.op, ast.Mult):
            for items, times in ((node.left, node.right), (node.right, node.left)):
                if isinstance(items, ast.Tuple) and _is_count(times) and all(_is_simple(item) for item in items.elts):
                    repeated = [copy.deepcopy(item) for _ in range(times.value) for item in items.elts]  # type: ignore[attr-defined]
                    return ast.copy_location(ast.Tuple(repeated, ast.Load()), node)
        return node

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.AST:
        self.generic_visit(node)
        if type(node.op) in CALLS and isinstance(node.target, ast.Name) and not _is_count(node.value):
            old = ast.copy_location(ast.Name(node.target.id, ast.Load()), node)
            made = self._call(node, CALLS[type(node.op)], old, node.value)
            return ast.copy_location(ast.Assign([node.target], made), node)
        return node

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.AST:
        self.generic_visit(node)
        return self._call(node, INVERT, node.operand) if isinstance(node.op, ast.Invert) else node

    def _call(self, node: ast.AST, name: str, *arguments: ast.expr) -> ast.expr:
        self.calls.add(name)
        return ast.copy_location(ast.Call(ast.Name(name, ast.Load()), list(arguments), []), node)

    def visit_Call(self, node: ast.Call) -> ast.AST:
        """Some uses of Python's own functions, as Numba knows them."""
        self.generic_visit(node)
        if not node.args:
            return node
        first = node.args[0]
        if self.is_builtin(node.func, "float") and isinstance(first, ast.Constant) and isinstance(first.value, str):
            return self._number(node, first.value)
        if self.is_builtin(node.func, "pow") and len(node.args) == 2:
            return self.visit(ast.copy_location(ast.BinOp(node.args[0], ast.Pow(), node.args[1]), node))
        if self.is_builtin(node.func, "enumerate") and [word.arg for word in node.keywords] == ["start"]:
            return ast.copy_location(ast.Call(node.func, [first, node.keywords[0].value], []), node)
        if self.is_builtin(node.func, "zip") and node.keywords:
            return self._zip(node)
        if self.is_builtin(node.func, "sorted", "list") and isinstance(first, ast.GeneratorExp):
            node.args[0] = ast.copy_location(ast.ListComp(first.elt, first.generators), first)
        if self.is_builtin(node.func, "reversed") and isinstance(first, ast.Call):
            return self._reversed(node, first)
        if self.is_builtin(node.func, *REDUCTIONS) and _are_items(first) and len(node.args) == 1 and not node.keywords:
            return self._of_items(node, first.elts)  # type: ignore[attr-defined]
        single = len(node.args) == 1 or self.is_builtin(node.func, "sum")
        if self.is_builtin(node.func, *REDUCTIONS) and single and not isinstance(first, ast.GeneratorExp):
            node.args[0] = self._each(first)
        return node

    def _zip(self, node: ast.Call) -> ast.AST:
        """`zip(a, b, strict=True)` as a call of our own, with `strict=False` as `zip(a, b)`."""
        strict = node.keywords[0].value
        if not isinstance(strict, ast.Constant) or not isinstance(strict.value, bool):
            self.refuse(node, "zip(strict=…) that is decided in play: write True or False")
        if strict.value:
            return self._call(node, "zip_strict__", *node.args)
        return ast.copy_location(ast.Call(node.func, node.args, []), node)

    def _number(self, node: ast.Call, text: str) -> ast.AST:
        try:
            return ast.copy_location(ast.Constant(float(text)), node)
        except ValueError:
            return node

    def _reversed(self, node: ast.Call, items: ast.Call) -> ast.AST:
        """`reversed(range(a, b))` as `range(b - 1, a - 1, -1)`."""
        if not self.is_builtin(items.func, "range"):
            return node
        if len(items.args) > 2:
            return self._call(node, "range_back__", *items.args)
        start, stop = ([ast.Constant(0), *items.args])[-2:]
        ends: list[ast.expr] = [ast.BinOp(end, ast.Sub(), ast.Constant(1)) for end in (stop, start)]
        made = ast.Call(items.func, [*ends, ast.UnaryOp(ast.USub(), ast.Constant(1))], [])
        return ast.fix_missing_locations(ast.copy_location(made, node))

    def _each(self, items: ast.expr) -> ast.expr:
        """The items as a generator expression."""
        name = self.fresh("each")
        loop = ast.comprehension(ast.Name(name, ast.Store()), items, [], 0)
        return ast.copy_location(ast.GeneratorExp(ast.Name(name, ast.Load()), [loop]), items)

    def _of_items(self, node: ast.Call, items: list[ast.expr]) -> ast.AST:
        """`min((a, b))` as `min(a, b)`, `sum((a, b))` as `0 + a + b`, `any((a, b))` as `bool(a) | bool(b)`."""
        if self.is_builtin(node.func, "min", "max"):
            return ast.copy_location(ast.Call(node.func, items, []), node)
        if self.is_builtin(node.func, "any", "all"):
            items = [ast.Call(ast.Name("bool", ast.Load()), [item], []) for item in items]
        joins = {"any": (ast.BitOr(), False), "all": (ast.BitAnd(), True), "sum": (ast.Add(), 0)}
        join, start = joins[node.func.id]  # type: ignore[attr-defined]
        found: ast.expr = ast.Constant(start)
        for item in items:
            found = ast.BinOp(found, join, item)
        return ast.fix_missing_locations(ast.copy_location(found, node))

    # Statements.

    def visit_Match(self, node: ast.Match) -> Any:
        """`match` on numbers as `if` and `elif`."""
        subject = self.fresh("match")
        start = ast.Assign([ast.Name(subject, ast.Store())], self.visit(node.subject))
        rest: list[ast.stmt] = []
        for case in reversed(node.cases):
            test = self._test(subject, case.pattern)
            if case.guard is not None:
                test = ast.BoolOp(ast.And(), [test, self.visit(case.guard)])
            always = isinstance(test, ast.Constant)
            rest = self.body(case.body) if always else [ast.If(test, self.body(case.body), rest)]
        return [ast.fix_missing_locations(ast.copy_location(part, node)) for part in (start, *rest)]

    def _test(self, subject: str, pattern: ast.pattern) -> ast.expr:
        """The condition under which a pattern fits."""
        loaded = ast.Name(subject, ast.Load())
        if isinstance(pattern, ast.MatchValue):
            return ast.Compare(loaded, [ast.Eq()], [self.visit(pattern.value)])
        if isinstance(pattern, ast.MatchSingleton):
            return ast.Compare(loaded, [ast.Is()], [ast.Constant(pattern.value)])
        if isinstance(pattern, ast.MatchOr):
            return ast.BoolOp(ast.Or(), [self._test(subject, one) for one in pattern.patterns])
        if not isinstance(pattern, ast.MatchAs) or pattern.name is not None:
            self.refuse(pattern, PATTERN)
        return ast.Constant(True)

    def visit_Expr(self, node: ast.Expr) -> Any:
        """`yield from (… for …)` as loops that yield."""
        if isinstance(node.value, ast.YieldFrom) and isinstance(node.value.value, ast.GeneratorExp):
            return self._loops(node, node.value.value)
        return self.generic_visit(node)

    def visit_Return(self, node: ast.Return) -> Any:
        """`return (… for …)` as loops that yield: the function becomes a generator."""
        if isinstance(node.value, ast.GeneratorExp):
            return [*self._loops(node, node.value), ast.copy_location(ast.Return(None), node)]
        return self.generic_visit(node)

    def _loops(self, node: ast.stmt, expression: ast.GeneratorExp) -> list[ast.stmt]:
        loops = self._unfolded(expression, lambda item: [ast.Expr(ast.Yield(item))])
        return self.body([ast.fix_missing_locations(ast.copy_location(loops, node))])

    def visit_For(self, node: ast.For) -> Any:
        """`for x in (… for …):` as one loop, where `break` and `continue` still mean the same."""
        if isinstance(node.iter, ast.GeneratorExp) and len(node.iter.generators) == 1:

            def inner(item: ast.expr) -> list[ast.stmt]:
                return [ast.Assign([node.target], item), *node.body]

            loop = self._unfolded(node.iter, inner)
            loop.orelse = node.orelse
            return self.generic_visit(ast.fix_missing_locations(ast.copy_location(loop, node)))
        return self.generic_visit(node)

    def _unfolded(self, expression: ast.GeneratorExp, inner: Callable[[ast.expr], list[ast.stmt]]) -> ast.For:
        """A generator expression as loops around what is done with each item; its variables stay its own."""
        names = {name for part in expression.generators for name in _stored(part.target)}
        rename = Rename({name: self.fresh(name) for name in sorted(names)})
        body = inner(rename.visit(expression.elt))
        for place, part in reversed(list(enumerate(expression.generators))):
            for condition in reversed(part.ifs):
                body = [ast.If(rename.visit(condition), body, [])]
            source = rename.visit(part.iter) if place else part.iter
            body = [ast.For(rename.visit(part.target), source, body, [], None)]
        (loop,) = body
        assert isinstance(loop, ast.For)
        return loop


class Rename(ast.NodeTransformer):
    """Gives variables other names."""

    def __init__(self, names: dict[str, str]) -> None:
        self.names = names

    def visit_Name(self, node: ast.Name) -> ast.AST:
        return ast.copy_location(ast.Name(self.names.get(node.id, node.id), node.ctx), node)


def _stored(target: ast.AST) -> Iterator[str]:
    return (name.id for name in ast.walk(target) if isinstance(name, ast.Name))


def _are_items(node: ast.AST) -> bool:
    """Whether an expression writes out two or more items."""
    return isinstance(node, ast.Tuple | ast.List) and len(node.elts) > 1


def _is_count(node: ast.AST) -> bool:
    """Whether an expression is a number such as 3."""
    return isinstance(node, ast.Constant) and type(node.value) is int and node.value >= 0


def _is_simple(node: ast.AST) -> bool:
    """Whether an expression may be repeated: it does nothing and costs nothing."""
    return isinstance(node, ast.Constant | ast.Name) or (isinstance(node, ast.Attribute) and _is_simple(node.value))
