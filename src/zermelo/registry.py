"""Games by name: built in, from plug-ins, and from files of the user's own.

A plug-in is a distribution with an entry point in the group `zermelo.games`: a name, and its Game class.
"""

from __future__ import annotations

import builtins
import difflib
import hashlib
import importlib
import importlib.util
import inspect
import linecache
import os
import re
import sys
from collections.abc import Callable
from functools import partial
from math import isfinite
from pathlib import Path
from types import CodeType, ModuleType, NoneType
from typing import TYPE_CHECKING, Any, NamedTuple, TypeGuard, get_type_hints

from zermelo.errors import BadInput, GameError, ZermeloError
from zermelo.fields import options
from zermelo.game import REQUIRED, Game
from zermelo.guard import line_in, told, within
from zermelo.probe import PATIENCE, probe
from zermelo.switches import KINDS, parse_value

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

BUILT_IN = {
    "2048": "zermelo.games.twenty_forty_eight:TwentyFortyEight",
    "awari": "zermelo.games.awari:Awari",
    "backgammon": "zermelo.games.backgammon:Backgammon",
    "checkers": "zermelo.games.checkers:Checkers",
    "chess": "zermelo.games.chess:Chess",
    "connect-four": "zermelo.games.connect_four:ConnectFour",
    "dice-race": "zermelo.games.dice_race:DiceRace",
    "go": "zermelo.games.go:Go",
    "heaps": "zermelo.games.heaps:Heaps",
    "kalah": "zermelo.games.kalah:Kalah",
    "nim": "zermelo.games.nim:Nim",
    "othello": "zermelo.games.othello:Othello",
    "pacman": "zermelo.games.pacman:Pacman",
    "p-game": "zermelo.games.p_game:BoardSplitting",
    "pig": "zermelo.games.pig:Pig",
    "pursuit": "zermelo.games.pursuit:Pursuit",
    "quoridor": "zermelo.games.quoridor:Quoridor",
    "qubic": "zermelo.games.qubic:Qubic",
    "random-tree": "zermelo.games.random_tree:RandomTree",
    "tic-tac-toe": "zermelo.games.tic_tac_toe:TicTacToe",
    "tree": "zermelo.games.tree:Tree",
}
"""The built-in games with their modules and classes; each is imported when it is asked for."""

GROUP = "zermelo.games"
"""The entry points of plug-ins."""

PREFIX = "zermelo_file_"
"""How the modules of game files are called in `sys.modules`."""

_NOTHING = object()
"""What a word that can't be read is read as, since None may be a value."""


class Entry(NamedTuple):
    """What is to tell of a game, made with its defaults; `parameters` are as one would write them."""

    name: str
    summary: str
    players: int
    chance: bool
    known: str
    parameters: tuple[str, ...]


def names() -> list[str]:
    """All games that have a name, in alphabetical order."""
    return sorted({*BUILT_IN, *_plugins()})


def load(text: str, *, tried: bool = True) -> Game:
    """The game that `text` writes, or a `ZermeloError` that says in one sentence what is wrong.

    Understood are `nim`, `nim:stones=30,most=4`, `mygame.py`, `mygame.py:MyGame`, `mygame.py:stones=5`
    and `path/mygame.py:MyGame:stones=5`. A game from a file has shown that its rules run (see `probe`), unless
    `tried` is false.
    """
    found = re.fullmatch(r"(.+?\.py)(?::([A-Za-z_]\w*))?(?::(.*))?", text.strip())
    if found is None:
        name, _, arguments = text.strip().partition(":")
        return _make(_named(name), arguments, name)
    file, name, arguments = found[1], found[2] or "", found[3] or ""
    kind = _class_in(_module(file), name, Path(file).name)
    game = _make(kind, arguments, f"{file}:{name}" if name else file)
    if tried:
        probe(game, PATIENCE)
    return game


def load_function(text: str) -> Callable[..., Any]:
    """The function that a text such as `mine.py:policy` names, or `BadInput`."""
    found = re.fullmatch(r"(.+?\.py):([A-Za-z_]\w*)", text.strip())
    if found is None:
        raise BadInput(f"{text!r} names no function: write FILE.py:function")
    function = vars(_module(found[1])).get(found[2])
    if not inspect.isfunction(function):
        raise BadInput(f"{Path(found[1]).name} has no function {found[2]}: write def {found[2]}(…) in it")
    return function


def spec(game: Game) -> str:
    """A text that `load` turns into the same game again; `BadInput` if there is none."""
    kind = type(game)
    writable = _writable(kind)
    written = []
    for name, value in game.parameters.items():
        if name in writable and value != writable[name].default:
            written.append(f"{name}={_text(value)}")
            if "," in _text(value) or _parsed(_text(value).strip(), writable[name]) != value:
                raise BadInput(f"{game.title} can't be written as text: its parameter {name} is {value!r}")
        elif name not in writable and value not in (None, (), {}):
            raise BadInput(f"{game.title} can't be written as text: its parameter {name} is no number or text")
    return ":".join([_home(kind), *([",".join(written)] if written else [])])


def blame_for(error: BaseException) -> str:
    """The sentence for an error that was raised in a game file, naming the file and line; empty for any other."""
    for module in [module for name, module in sys.modules.items() if name.startswith(PREFIX)]:
        line = line_in(error, module.__file__)
        if line is not None:
            return f"{Path(str(module.__file__)).name} line {line} raised {told(error)}: mend the game there"
    return ""


def describe(name: str) -> Entry:
    """What is to tell of the game that `load(name)` gives."""
    game = load(name)
    facts = game.facts
    summary = inspect.cleandoc(type(game).__doc__ or "").partition("\n")[0]
    parameters = tuple(_shown(parameter) for parameter in _writable(type(game)).values())
    return Entry(name, summary, facts.players, facts.chance, game.known, parameters)


# Names.


def _plugins() -> dict[str, EntryPoint]:
    from importlib.metadata import entry_points

    return {entry.name: entry for entry in entry_points(group=GROUP)}


def _named(name: str) -> type[Game]:
    """The class of a built-in game or a plug-in."""
    simple = name.lower().replace("_", "-")
    if simple in BUILT_IN:
        module, _, kind = BUILT_IN[simple].partition(":")
        found: type[Game] = getattr(importlib.import_module(module), kind)
        return found
    plugins = _plugins()
    if name in plugins:
        return _plugged(plugins[name])
    file = [f"{name}.py"] if os.path.isfile(f"{name}.py") else []
    hint = "".join(f"did you mean {guess}? " for guess in file or difflib.get_close_matches(simple, names(), 1))
    raise BadInput(f"unknown game {name!r}: {hint}`zermelo games` lists them, and mygame.py loads a file of your own")


def _plugged(entry: EntryPoint) -> type[Game]:
    """The class that a plug-in offers."""
    blame = f"the plug-in game {entry.name} ({entry.value})"
    try:
        found = within(PATIENCE, f"{blame} did not load within {PATIENCE:g} s", entry.load)
    except ZermeloError:
        raise
    except Exception as error:
        raise GameError(f"{blame} can't be loaded: {told(error)}") from None
    if not _is_game(found):
        raise GameError(f"{blame} is not a class derived from Game")
    return found


def _home(kind: type[Game]) -> str:
    """The name or file under which a class is found again."""
    target = f"{kind.__module__}:{kind.__qualname__}"
    for name, place in BUILT_IN.items():
        if place == target:
            return name
    if kind.__module__.startswith(PREFIX):
        return f"{sys.modules[kind.__module__].__file__}:{kind.__qualname__}"
    for name, entry in _plugins().items():
        if entry.value == target:
            return name
    raise BadInput(f"{kind.__name__} has no name to load it by: put it into a file of its own, or make it a plug-in")


# Files.


def _module(file: str) -> ModuleType:
    """The module in a file, imported once for each version of its text and of the neighbours that it imports."""
    if not os.path.isfile(file):
        raise BadInput(f"there is no file {file!r}")
    path = Path(file).resolve()
    try:
        source = path.read_bytes()
    except OSError as error:
        raise BadInput(f"can't read {file}: {error.strerror}") from None
    name = f"{PREFIX}{re.sub(r'[^A-Za-z0-9_]', '_', path.stem)}_{hashlib.sha256(os.fsencode(path)).hexdigest()[:12]}"
    before = sys.modules.get(name)
    if before is not None and _is_current(before, set()):
        return before
    linecache.cache.pop(str(path), None)
    found = importlib.util.spec_from_file_location(name, path)
    assert found is not None
    module = importlib.util.module_from_spec(found)
    code = _compiled(source, path)
    own = {"__zermelo_source__": source, "__zermelo_neighbours__": []}
    vars(module).update(own, __builtins__={**vars(builtins), "__import__": partial(_import, module)})
    sys.modules[name] = module
    try:
        _run(code, module, path)
    except BaseException:
        if before is None:
            del sys.modules[name]
        else:
            sys.modules[name] = before
        raise
    return module


def _is_current(module: ModuleType, seen: set[int]) -> bool:
    """Whether the file of a module, and those of its neighbours, are still what was run; `seen` are known to be."""
    if id(module) in seen:
        return True
    seen.add(id(module))
    try:
        source = Path(str(module.__file__)).read_bytes()
    except OSError:
        return False
    held = vars(module)
    return held["__zermelo_source__"] == source and all(
        _is_current(each, seen) for each in held["__zermelo_neighbours__"]
    )


def _import(module: ModuleType, name: str, *rest: Any, **named: Any) -> Any:
    """What `import` does in a game file: a neighbouring file is a module of that folder alone, however it is called.

    So two folders may each have a `helper.py`, and an edit of one is seen. Packages are imported as ever.
    """
    first, dot, _ = name.partition(".")
    level = rest[3] if len(rest) > 3 else named.get("level", 0)
    file = Path(str(module.__file__)).parent / f"{first}.py"
    if level or dot or first in {"zermelo", *sys.stdlib_module_names} or not file.is_file():
        return builtins.__import__(name, *rest, **named)
    neighbour = _module(str(file))
    vars(module)["__zermelo_neighbours__"].append(neighbour)
    return neighbour


def _compiled(source: bytes, path: Path) -> CodeType:
    """The file's code; compiled here, since Python's own cache may miss an edit within the same second."""
    try:
        return compile(source, str(path), "exec", dont_inherit=True)
    except SyntaxError as error:
        line = f" line {error.lineno}" if error.lineno else ""
        raise BadInput(f"{path.name}{line}: syntax error: {error.msg}") from None
    except (ValueError, RecursionError, MemoryError) as error:
        raise BadInput(f"{path.name} can't be read as Python: {told(error)}") from None


def _run(code: CodeType, module: ModuleType, path: Path) -> None:
    """Run a file's code with its folder first on the path, so that it can import its neighbours."""
    folder = str(path.parent)
    sys.path.insert(0, folder)
    try:
        slow = f"{path.name} did not load within {PATIENCE:g} s: does it loop for ever?"
        within(PATIENCE, slow, exec, code, vars(module))
    except ZermeloError:
        raise
    except (Exception, SystemExit) as error:
        raise GameError(f"{_place(error, path)} raised {told(error)} while it was loaded") from None
    finally:
        if folder in sys.path:
            sys.path.remove(folder)


def _class_in(module: ModuleType, name: str, file: str) -> type[Game]:
    """The game class of that name in a file; with no name the only one that the file defines."""
    games = [kind for kind in vars(module).values() if _is_game(kind)]
    own = {kind.__name__: kind for kind in games if kind.__module__ == module.__name__}
    if name:
        kind = vars(module).get(name)
        if _is_game(kind):
            return kind
        cure = f"it defines {', '.join(own)}" if own else "it defines no game at all"
        raise BadInput(f"{file} has no game {name}: {cure}")
    if not own:
        raise BadInput(f"{file} defines no game: write a class derived from zermelo's Game in it")
    whole = {name: kind for name, kind in own.items() if _is_whole(kind)} or own
    if len(whole) > 1:
        first = next(iter(whole))
        raise BadInput(f"{file} defines several games, {', '.join(whole)}: say which, as in {file}:{first}")
    return next(iter(whole.values()))


def _is_game(value: Any) -> TypeGuard[type[Game]]:
    return inspect.isclass(value) and issubclass(value, Game) and value is not Game


def _is_whole(kind: type[Game]) -> bool:
    """Whether a class has all the rules a game needs, and is not a base for others."""
    return all(getattr(kind, rule) is not getattr(Game, rule) for rule in REQUIRED)


def _place(error: BaseException, path: Path) -> str:
    line = line_in(error, str(path))
    return f"{path.name} line {line}" if line else path.name


# Parameters.


class _Parameter(NamedTuple):
    """A parameter that can be written as text; its kind is `object` where its author gives no hint.

    `optional` says that it may be None.
    """

    name: str
    kind: type
    default: Any
    optional: bool


def _make(kind: type[Game], text: str, label: str) -> Game:
    """The game with the parameters written in `text`; `label` is what the user called it."""
    values = arguments(kind, text, label)
    path = Path(str(getattr(sys.modules.get(kind.__module__), "__file__", label)))
    try:
        slow = f"{path.name}: {kind.__name__} was not made within {PATIENCE:g} s"
        return within(PATIENCE, slow, partial(kind, **values))
    except ZermeloError:
        raise
    except Exception as error:
        raise GameError(f"{_place(error, path)} raised {told(error)} while {kind.__name__} was made") from None


def arguments(make: Callable[..., object], text: str, label: str) -> dict[str, Any]:
    """The values of the parameters of a class or function in a text such as `stones=30,most=4`."""
    writable = _writable(make)
    values: dict[str, Any] = {}
    for piece in text.split(",") if text.strip() else []:
        name, equals, word = (part.strip() for part in piece.partition("="))
        if name not in writable:
            known = f"it has {', '.join(_shown(parameter) for parameter in writable.values())}"
            raise BadInput(f"{label} has no parameter {name!r}: {known if writable else 'it has none'}")
        if not equals or name in values:
            what = "is given twice" if name in values else "has no value"
            raise BadInput(f"{label}: {name} {what}: write {_shown(writable[name])}")
        values[name] = _parsed(word, writable[name])
        if values[name] is _NOTHING:
            wanted = KINDS[writable[name].kind] + (" or None" if writable[name].optional else "")
            raise BadInput(f"{label} needs {wanted} for {name}, not {word!r}")
    required = [name for name, parameter in writable.items() if parameter.default is inspect.Parameter.empty]
    missing = [name for name in required if name not in values]
    if missing:
        raise BadInput(f"{label} needs {', '.join(missing)}: write {label}:{','.join(f'{name}=…' for name in missing)}")
    return values


def _writable(make: Callable[..., object]) -> dict[str, _Parameter]:
    """The parameters of a class or function that can be written as text, in order."""
    function: Any = make
    if inspect.isclass(make):
        function = function.__init__
    try:
        hints = get_type_hints(function)
    except Exception:
        hints = {}
    found = {}
    for name, parameter in list(inspect.signature(function).parameters.items())[inspect.isclass(make) :]:
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD, parameter.POSITIONAL_ONLY):
            continue
        wanted = _kind(hints.get(name), parameter.default)
        if wanted is not None:
            optional = parameter.default is None or NoneType in options(hints.get(name))
            found[name] = _Parameter(name, wanted, parameter.default, optional)
    return found


def _kind(hint: Any, default: Any) -> type | None:
    """The kind of values to write for a parameter; None if it can't be written."""
    if hint is None:
        return object if default is inspect.Parameter.empty else _kind(type(default), None)
    return next((option for option in options(hint) if option in KINDS), None)


def _parsed(word: str, parameter: _Parameter) -> Any:
    """A value for a parameter, or `_NOTHING` if `word` doesn't write one."""
    if parameter.optional and word == "None":
        return None
    kinds = (int, float, str) if parameter.kind is object else (parameter.kind,)
    return next((value for kind in kinds if (value := _of_kind(word, kind)) is not _NOTHING), _NOTHING)


def _of_kind(word: str, kind: Any) -> Any:
    try:
        value = parse_value(word, kind)
    except ValueError:
        return _NOTHING
    return _NOTHING if kind is float and not isfinite(value) else value


def _text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _shown(parameter: _Parameter) -> str:
    required = parameter.default is inspect.Parameter.empty
    return f"{parameter.name}={'…' if required else _text(parameter.default)}"
