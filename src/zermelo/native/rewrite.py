"""Rules as their author wrote them, rewritten into the Python that Numba takes.

What is done: `sugar` says some things more plainly; then names of the game (`self.width`, `self.helper(x)`,
`super().actions(state)`, `State.FULL`) become plain globals; `any`, `all`, `sum`, `min`, `max` and `next` of a
generator expression become loops; `yield from` becomes a loop; annotations go. Line numbers stay, so that messages
point into the author's file. What Numba can't take at all is told here, with the line and what to write instead.
"""

from __future__ import annotations

import ast
import contextlib
import copy
import enum
import inspect
import textwrap
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

from zermelo.errors import NotNative
from zermelo.native import twins
from zermelo.native.inline import inlined
from zermelo.native.sugar import Plain, Rename

CURES: dict[type[ast.AST], str] = {
    ast.Dict: "a dict: use a tuple indexed by number, made in __init__",
    ast.DictComp: "a dict: use a tuple indexed by number, made in __init__",
    ast.Set: "a set: use Bits (a set of squares) or a tuple",
    ast.SetComp: "a set: use Bits (a set of squares) or a tuple",
    ast.JoinedStr: "a string: rules work with numbers; make text in format_action or format_state",
    ast.GeneratorExp: "a generator expression here: write a for loop, or a list in square brackets",
    ast.Lambda: "a lambda: write a helper method",
    ast.Try: "try: test the condition with if",
    ast.With: "with: rules only compute",
    ast.Global: "global: what changes in play belongs in the state",
    ast.Nonlocal: "nonlocal: return the value instead",
    ast.Import: "an import: put it at the top of the file",
    ast.ImportFrom: "an import: put it at the top of the file",
    ast.Await: "await: rules are plain functions",
    ast.Starred: "a star: name the items one by one",
    ast.NamedExpr: ":=: give it a line of its own",
    ast.Delete: "del: it isn't needed in rules",
}
HOLDERS: dict[type, str] = {
    dict: "a dict: use a tuple indexed by number",
    list: "a list: use a tuple",
    set: "a set: use Bits or a tuple",
    frozenset: "a set: use Bits or a tuple",
    str: "a string: rules work with numbers",
    classmethod: "a classmethod: use a plain method or a staticmethod",
}
"""What is said of a constant of such a kind."""
EXTREME = "if first__: total__ = item__\nelif item__ {sign} total__: total__ = item__"
REDUCTIONS = {
    "any": "if item__: return True",
    "all": "if not item__: return False",
    "next": "return item__",
    "sum": "total__ += item__",
    "min": EXTREME.format(sign="<"),
    "max": EXTREME.format(sign=">"),
}
"""What each reduction does with an item."""
STAND_INS = {
    "invert__": twins.invert,
    "power__": twins.power,
    "range_back__": twins.range_back,
    "shift_left__": twins.shift_left,
    "shift_right__": twins.shift_right,
    "zip_strict__": twins.zip_strict,
}
"""What stands for an operation that Numba takes otherwise than Python does."""

SMALL = 1000
"""Up to how many parts of a syntax tree a function is put in line wherever it is called."""

Resolve = Callable[[ast.Attribute], tuple[str, Any] | None]
"""Gives, for `a.b`, the global name and the value that stand for it, and None where it must stay."""

Expand = Callable[[Any], "Rewritten | None"]
"""Gives a generator function of the game, rewritten; None for one that is being rewritten already."""


class Replacement(NamedTuple):
    """Stands for `state._replace` with these fields by name."""

    names: tuple[str, ...]


class Rewritten:
    """A function's rewritten source: the tree to compile and the values of the globals it needs."""

    def __init__(self, tree: ast.Module, function: Any, needs: dict[str, Any]) -> None:
        self.tree, self.function, self.needs = tree, function, needs
        self.name, self.path = function.__code__.co_name, function.__code__.co_filename

    @property
    def is_small(self) -> bool:
        """Whether the compiler shall put the function's code wherever it is called; one that calls itself can't be."""
        names = [node.id for node in ast.walk(self.tree) if isinstance(node, ast.Name)]
        return self.name not in names and sum(1 for _ in ast.walk(self.tree)) <= SMALL

    def make(self, namespace: dict[str, Any]) -> Any:
        """The function, with `namespace` as its globals."""
        exec(compile(self.tree, self.path, "exec"), namespace)
        made = namespace[self.name]
        made.__defaults__ = self.function.__defaults__
        return made


def rewrite(function: Any, resolve: Resolve, expand: Expand | None, bound: str = "") -> Rewritten:
    """Rewrite `function`; `bound` is its name for the game, where that is known. Without `expand`, inline nothing."""
    path = function.__code__.co_filename
    try:
        lines, first = inspect.getsourcelines(function.__code__)
        tree = ast.parse(textwrap.dedent("".join(lines)))
    except (OSError, SyntaxError) as error:
        raise NotNative(f"the source of {function.__qualname__} can't be read: put the game into a file") from error
    ast.increment_lineno(tree, first - 1)
    definition = tree.body[0]
    if not isinstance(definition, ast.FunctionDef):
        raise NotNative(f"{path} line {first}: {function.__name__} must be written with def to be native")
    _strip(definition)
    rewriter = _Rewriter(function, resolve, expand, bound)
    if definition.args.kwonlyargs or definition.args.vararg or definition.args.kwarg:
        rewriter.refuse(definition, "* among its parameters: name them one by one")
    definition.body = rewriter.visit_all(rewriter.made_plain(definition.body))
    tree.body = [*rewriter.lifted.values(), definition]
    ast.fix_missing_locations(tree)
    return Rewritten(tree, function, rewriter.needs)


def _strip(definition: ast.FunctionDef) -> None:
    """Take away what matters only to readers, and the defaults, which the function has evaluated already."""
    definition.decorator_list = []
    definition.returns = None
    arguments = definition.args
    for argument in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs):
        argument.annotation = None
    arguments.defaults = []
    if ast.get_docstring(definition) is not None:
        definition.body = definition.body[1:] or [ast.copy_location(ast.Pass(), definition)]


class _Rewriter(ast.NodeTransformer):
    def __init__(self, function: Any, resolve: Resolve, expand: Expand | None, bound: str) -> None:
        self.function, self.resolve, self.expand, self.bound = function, resolve, expand, bound
        code = function.__code__
        self.locals = {*code.co_varnames, *code.co_cellvars}
        self.outside = {**function.__globals__, **_closure(function)}
        self.needs: dict[str, Any] = {}
        self.lifted: dict[str, ast.stmt] = {}
        self.sites = self.lifts = 0

    def made_plain(self, body: list[ast.stmt]) -> list[ast.stmt]:
        """Statements without what Numba has other words for."""
        plain = Plain(self._is_builtin, self.refuse)
        found = plain.body(body)
        self.locals |= plain.made
        self.needs |= {name: STAND_INS[name] for name in plain.calls}
        return found

    def visit_all(self, body: list[ast.stmt]) -> list[ast.stmt]:
        """Statements rewritten; one may become several."""
        made = [self.visit(statement) for statement in body]
        return [part for item in made for part in (item if isinstance(item, list) else [item])]

    def generic_visit(self, node: ast.AST) -> ast.AST:
        for kind, cure in CURES.items():
            if isinstance(node, kind):
                self.refuse(node, cure)
        return super().generic_visit(node)

    def refuse(self, node: ast.AST, cure: str) -> NoReturn:
        line = getattr(node, "lineno", self.function.__code__.co_firstlineno)
        name = self.function.__qualname__.rpartition("<locals>.")[2]
        path = shown_path(self.function.__code__.co_filename)
        raise NotNative(f"{path} line {line}: {name} can't be native with {cure}")

    def visit_Name(self, node: ast.Name) -> ast.AST:
        if node.id not in self.locals and node.id in self.outside:
            self.needs[node.id] = self._allowed(node, node.id, self.outside[node.id])
        elif self._is_builtin(node, "reversed"):
            self.needs[node.id] = twins.backwards
        return node

    def _allowed(self, node: ast.AST, name: str, value: Any) -> Any:
        """A constant that native code can hold; any other is refused."""
        for kind, cure in HOLDERS.items():
            if isinstance(value, kind) and not isinstance(value, enum.Enum):
                self.refuse(node, f"{name}, {cure}")
        return value

    def _is_builtin(self, node: ast.AST, *names: str) -> bool:
        """Whether an expression names one of these functions of Python itself."""
        return (
            isinstance(node, ast.Name)
            and node.id in names
            and node.id not in self.locals
            and node.id not in self.outside
        )

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        """A comparison of strings, such as `self.last == "wins"`, is true or false before any play."""
        sides = [self._text(side) for side in (node.left, *node.comparators)]
        if len(sides) == 2 and None not in sides and isinstance(node.ops[0], ast.Eq | ast.NotEq):
            return ast.copy_location(ast.Constant((sides[0] == sides[1]) == isinstance(node.ops[0], ast.Eq)), node)
        return self.generic_visit(node)

    def _text(self, node: ast.expr) -> str | None:
        """The string that an expression is, if it is one in every game like this."""
        value: Any = None
        if isinstance(node, ast.Constant):
            value = node.value
        elif isinstance(node, ast.Attribute):
            value = (self.resolve(node) or self._outside_attribute(node) or (None, None))[1]
        elif isinstance(node, ast.Name) and node.id not in self.locals:
            value = self.outside.get(node.id)
        return value if isinstance(value, str) else None

    def visit_If(self, node: ast.If) -> Any:
        """A branch that the game's own constants rule out is left out: it may not even make sense for this game."""
        truth = self._truth(node.test)
        if truth is None:
            return self.generic_visit(node)
        return self.visit_all(node.body if truth else node.orelse) or ast.copy_location(ast.Pass(), node)

    def _truth(self, node: ast.expr) -> bool | None:
        """What a condition is in every state of this game, where its constants alone decide it."""
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            inner = self._truth(node.operand)
            return None if inner is None else not inner
        if isinstance(node, ast.BoolOp):
            deciding = isinstance(node.op, ast.Or)
            for part in node.values:
                known = self._truth(part)
                if known is not (not deciding):
                    return known
            return not deciding
        found = self.resolve(node) if isinstance(node, ast.Attribute) else None
        return found[1] if found is not None and isinstance(found[1], bool) else None

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        if isinstance(node.value, str | bytes):
            self.refuse(node, CURES[ast.JoinedStr])
        return node

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        if isinstance(node.ctx, ast.Load):
            found = self.resolve(node) or self._outside_attribute(node)
            if found is not None:
                name, value = found
                self.needs[name] = self._allowed(node, ast.unparse(node), value)
                load: ast.expr = ast.Name(name, ast.Load())
                if isinstance(value, property):
                    self.needs[name] = value.fget
                    load = ast.Call(load, [ast.Name(self.bound, ast.Load())], [])
                return ast.copy_location(load, node)
        return self.generic_visit(node)

    def _outside_attribute(self, node: ast.Attribute) -> tuple[str, Any] | None:
        """`module.name` or `Class.name` of the author's own modules and classes, as a global."""
        base = node.value
        if isinstance(base, ast.Attribute) and node.attr == "value":
            member = self._outside_attribute(base)
            is_enum = member is not None and isinstance(member[1], enum.Enum)
            return (f"{member[0]}__value", member[1].value) if member is not None and is_enum else None
        if not isinstance(base, ast.Name) or base.id in self.locals or base.id not in self.outside:
            return None
        owner = self.outside[base.id]
        known = inspect.ismodule(owner) and owner.__name__.partition(".")[0] in ("math", "operator", "builtins")
        if known or not (inspect.ismodule(owner) or inspect.isclass(owner)) or not hasattr(owner, node.attr):
            return None
        return f"{base.id}__{node.attr}", getattr(owner, node.attr)

    def visit_Call(self, node: ast.Call) -> ast.AST:
        """Method calls take `self` in front; reductions of a generator expression become loops."""
        if isinstance(node.func, ast.Attribute) and node.func.attr == "_replace" and not node.args:
            names = tuple(str(keyword.arg) for keyword in node.keywords)
            self.needs["replace__" + "__".join(names)] = Replacement(names)
            function = ast.Name("replace__" + "__".join(names), ast.Load())
            values = [keyword.value for keyword in node.keywords]
            return self.generic_visit(ast.copy_location(ast.Call(function, [node.func.value, *values], []), node))
        if isinstance(node.func, ast.Attribute):
            target = self.resolve(node.func)
            if target is not None and inspect.isfunction(target[1]) and not target[0].startswith("static__"):
                node.args.insert(0, ast.copy_location(ast.Name(self.bound, ast.Load()), node))
        if self._is_reduction(node):
            return self._lift(node)
        if any(keyword.arg is None for keyword in node.keywords):
            self.refuse(node, CURES[ast.Starred])
        return self.generic_visit(node)

    def visit_For(self, node: ast.For) -> Any:
        """A loop over a generator of the game becomes the generator's own loop, where that is the same."""
        call = node.iter
        target = (
            self.resolve(call.func) if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) else None
        )
        if not isinstance(call, ast.Call) or target is None or not inspect.isgeneratorfunction(target[1]):
            return self.generic_visit(node)
        if self.expand is None or call.keywords or target[0].startswith("static__"):
            return self.generic_visit(node)
        source = self.expand(target[1])
        if source is None:
            self.refuse(node, "a generator that asks itself: keep what is still to do in a list, and loop")
        *lifted, generator = copy.deepcopy(source.tree.body)
        assert isinstance(generator, ast.FunctionDef)
        self.sites += 1
        tag = str(self.sites)
        apart = {name: f"{name}__of_{target[0]}" for name in source.needs}
        for part in (*lifted, generator):
            _rename_globals(part, apart, source.function)
        arguments = [ast.Name(self.bound, ast.Load()), *(self.visit(argument) for argument in call.args)]
        loop = ast.For(node.target, node.iter, self.visit_all(node.body), self.visit_all(node.orelse), None)
        made = inlined(ast.copy_location(loop, node), generator, arguments, tag)
        if made is None:
            return ast.copy_location(ast.For(loop.target, self.visit(call), loop.body, loop.orelse, None), node)
        self.needs |= {apart[name]: value for name, value in source.needs.items()}
        self.lifted |= {part.name: part for part in lifted if isinstance(part, ast.FunctionDef)}
        return made

    def visit_ListComp(self, node: ast.ListComp) -> ast.AST:
        """The variables of a comprehension are its own, whatever the module calls by their names."""
        outer, self.locals = self.locals, self.locals | {n for part in node.generators for n in _names_in(part.target)}
        made = self.generic_visit(node)
        self.locals = outer
        return made

    def visit_Raise(self, node: ast.Raise) -> ast.AST:
        """Only the kind of an error matters: its words are for interpreted play."""
        if isinstance(node.exc, ast.Call):
            node.exc = node.exc.func
        node.cause = None
        return self.generic_visit(node)

    def visit_Assert(self, node: ast.Assert) -> ast.AST:
        node.msg = None
        return self.generic_visit(node)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> Any:
        if node.value is None:
            return ast.copy_location(ast.Pass(), node)
        return self.visit(ast.copy_location(ast.Assign([node.target], node.value), node))

    def visit_Expr(self, node: ast.Expr) -> Any:
        if isinstance(node.value, ast.YieldFrom):
            each = ast.Name("each__", ast.Load())
            loop = ast.For(ast.Name("each__", ast.Store()), node.value.value, [ast.Expr(ast.Yield(each))], [], None)
            return self.visit(ast.fix_missing_locations(ast.copy_location(loop, node)))
        if isinstance(node.value, ast.Constant):
            return ast.copy_location(ast.Pass(), node)
        return self.generic_visit(node)

    def _is_reduction(self, node: ast.Call) -> bool:
        """Whether a call is `any`, `all`, `sum`, `min`, `max` or `next` of a generator expression."""
        takes_one = bool(node.args) and isinstance(node.args[0], ast.GeneratorExp)
        return takes_one and self._is_builtin(node.func, *REDUCTIONS)

    def _lift(self, call: ast.Call) -> ast.AST:
        """Turn `any(… for … in …)` into a function of its own that loops and is called here."""
        expression = call.args[0]
        assert isinstance(call.func, ast.Name)
        assert isinstance(expression, ast.GeneratorExp)
        reduction = call.func.id
        start = self._start_of(call, reduction)
        expression = _with_names_of_its_own(expression)
        own = {name for part in expression.generators for name in _names_in(part.target)}
        free = _free(expression)
        passed = sorted((free | ({self.bound} if "super" in free else set())) & self.locals)
        self.lifts += 1
        name = f"{reduction}__{self.function.__name__}_{self.lifts}"
        ends = {"any": "return False", "all": "return True"}
        empty = "" if start is not None or reduction in ends else "    if first__: raise ValueError\n"
        source = (
            f"def {name}({', '.join([*passed, *(['total__'] if start is not None else [])])}):\n"
            f"    first__ = True\n{empty}    {ends.get(reduction, 'return total__')}\n"
        )
        definition = ast.parse(source).body[0]
        assert isinstance(definition, ast.FunctionDef)
        inner = ast.parse(f"{REDUCTIONS[reduction]}\nfirst__ = False\n").body
        inner.insert(0, ast.Assign([ast.Name("item__", ast.Store())], expression.elt))
        for part in reversed(expression.generators):
            for condition in reversed(part.ifs):
                inner = [ast.If(condition, inner, [])]
            inner = [ast.For(part.target, part.iter, inner, [], None)]
        definition.body[1:1] = inner
        for node in ast.walk(definition):
            ast.copy_location(node, call)
        outer, self.locals = self.locals, {*passed, *own, "total__", "first__", "item__"}
        definition.body = self.visit_all(definition.body)
        self.locals = outer
        self.lifted[name] = definition
        self.needs[name] = _LIFTED
        arguments: list[ast.expr] = [ast.Name(each, ast.Load()) for each in passed]
        if start is not None:
            arguments.append(self.visit(start))
        return ast.copy_location(ast.Call(ast.Name(name, ast.Load()), arguments, []), call)

    def _start_of(self, call: ast.Call, reduction: str) -> ast.expr | None:
        """What the reduction of nothing is: `sum`'s start, a default; None where there is no such thing."""
        for keyword in call.keywords:
            if keyword.arg in ("start", "default"):
                return keyword.value
            self.refuse(call, f"{reduction}({keyword.arg}=…): write a for loop")
        if len(call.args) == 2:
            return call.args[1]
        if reduction == "next":
            self.refuse(call, "next of what may be empty: give it a second argument, for when there is none")
        return ast.copy_location(ast.Constant(0), call) if reduction == "sum" else None


def shown_path(path: str) -> str:
    """A path for a message: relative where it lies below the working folder."""
    try:
        return str(Path(path).relative_to(Path.cwd()))
    except ValueError:
        return path


_LIFTED = object()
"""Marks a needed global that the rewritten module itself defines."""


def is_lifted(value: Any) -> bool:
    """Whether a needed value is a function that the rewriting itself made."""
    return value is _LIFTED


def _closure(function: Any) -> dict[str, Any]:
    cells = function.__closure__ or ()
    found = {}
    for name, cell in zip(function.__code__.co_freevars, cells, strict=True):
        with contextlib.suppress(ValueError):
            found[name] = cell.cell_contents
    return found


def _rename_globals(definition: ast.stmt, names: dict[str, str], function: Any) -> None:
    """Give the globals of a function other names, there and where its lifted functions are defined."""
    own = {*function.__code__.co_varnames, *function.__code__.co_cellvars}
    for node in ast.walk(definition):
        if isinstance(node, ast.Name) and node.id in names and node.id not in own:
            node.id = names[node.id]
        elif isinstance(node, ast.FunctionDef) and node.name in names:
            node.name = names[node.name]


COMPREHENSIONS = (ast.GeneratorExp, ast.ListComp)


def _free(node: ast.AST) -> set[str]:
    """The names an expression reads that none of the comprehensions in it binds."""
    if isinstance(node, ast.Name):
        return {node.id}
    names = set().union(*(_free(child) for child in ast.iter_child_nodes(node)))
    if isinstance(node, COMPREHENSIONS):
        names -= {name for part in node.generators for name in _names_in(part.target)}
        names |= _free(node.generators[0].iter)
    return names


def _with_names_of_its_own(expression: ast.GeneratorExp) -> ast.GeneratorExp:
    """The same where what is looped over first is named like a variable of the expression: `x for x in range(x)`."""
    own = {name for part in expression.generators for name in _names_in(part.target)}
    first = copy.deepcopy(expression.generators[0].iter)
    if not own & _free(first):
        return expression
    renamed = Rename({name: f"{name}__own" for name in own}).visit(expression)
    assert isinstance(renamed, ast.GeneratorExp)
    renamed.generators[0].iter = first
    return renamed


def _names_in(node: ast.AST) -> set[str]:
    return {name.id for name in ast.walk(node) if isinstance(name, ast.Name)}
