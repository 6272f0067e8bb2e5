"""Compiling a kernel as one whole: what it calls is only translated, and all of it is optimised together, once.

Numba makes machine code of every function by itself, with a way in for Python and one for C, and then again inside
each function that calls it. Of a game's rules Python calls none: only the kernels. So a rule is a *part*, which stays
as Numba translated it, and a kernel's entry is a *whole*, which takes in the parts below it.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterable, Iterator
from typing import Any
from weakref import WeakValueDictionary

import llvmlite.binding as llvm
from numba import _dynfunc
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase, DefaultPassBuilder, Flags
from numba.core.compiler_machinery import register_pass
from numba.core.environment import lookup_environment
from numba.core.typed_passes import NativeLowering

UNRESOLVED = ".numba.unresolved$"
"""Before the name of a function that was called when it was not yet made: one that calls itself."""
MANGLED = "_ZN"
"""How the names of all functions begin that Numba made of Python."""
ENVIRONMENT = f"{MANGLED}08NumbaEnv"
"""How the names of Numba's globals begin that hold a function's constants."""
NOT_FOR_PYTHON = ctypes.cast(ctypes.pythonapi.PyObject_Call, ctypes.c_void_p).value
"""Where a part's way in for Python would be: it answers that a function of this kind takes no such arguments."""


_parts: WeakValueDictionary[str, Part] = WeakValueDictionary()
"""The parts by the names of their functions: one that calls itself through another knows it by no more."""


class Part(JITCodeLibrary):
    """A function as translated, and the libraries of those it calls; it has no machine code of its own."""

    def finalize(self) -> None:
        self._finalized = True

    @property
    def called(self) -> tuple[Any, ...]:
        return tuple(self._linking_libraries)

    def own_module(self) -> Any:
        """This function's module alone, as another takes it in."""
        return super()._get_module_for_linking()

    def _get_module_for_linking(self) -> Any:
        """For a library of Numba's own, which knows of no parts: this function with all below it."""
        module = self.own_module().clone()
        link(module, self.called)
        return module


class Whole(JITCodeLibrary):
    """A function with all the parts below it, optimised together."""

    def finalize(self) -> None:
        libraries = list(self._linking_libraries)
        self._linking_libraries.clear()
        link(self._final_module, libraries)
        while found := [name for name in self._unresolved() if self._refer(name)]:
            libraries += [_parts[name] for name in found if name in _parts]
            link(self._final_module, libraries)
        for library in below(libraries):
            self._reload_init.update(library._reload_init)
        if absent := [name for name in undefined(self._final_module) if name.startswith(MANGLED)]:
            raise RuntimeError(f"{self.name} would call what was not linked: {', '.join(absent)}")
        super().finalize()

    def _unresolved(self) -> list[str]:
        """The functions that are called by a name to be looked up later."""
        declared = [variable.name for variable in self._final_module.global_variables if variable.is_declaration]
        return [name.removeprefix(UNRESOLVED) for name in declared if name.startswith(UNRESOLVED)]

    def _refer(self, name: str) -> bool:
        """Look a function up here and now, if it is here or can be."""
        if name not in _parts and name not in defined(self._final_module):
            return False
        known = f'@"{UNRESOLVED}{name}" = linkonce_odr constant ptr @"{name}"'
        self._final_module.link_in(llvm.parse_assembly(f'{known}\ndeclare i32 @"{name}"()'))
        return True


def below(libraries: Iterable[Any]) -> Iterator[Any]:
    """These libraries and all that they call, each once."""
    seen: set[Any] = set()
    open_ones = list(libraries)[::-1]
    while open_ones:
        library = open_ones.pop()
        if library not in seen:
            seen.add(library)
            yield library
            if isinstance(library, Part):
                open_ones.extend(library.called[::-1])


def link(module: Any, libraries: Iterable[Any]) -> None:
    """Link into a module what it calls of these libraries and of all below them, and what that calls.

    By the names that are wanted, since the linker leaves out what nothing calls so far.
    """
    makers = {name: library for library in below(libraries) for name in defined(module_of(library))}
    while wanted := dict.fromkeys(makers[name] for name in undefined(module) if name in makers):
        for library in wanted:
            module.link_in(module_of(library), preserve=True)


def module_of(library: Any) -> Any:
    """What to link in for a library when everything that it calls is linked in too."""
    return library.own_module() if isinstance(library, Part) else library._get_module_for_linking()


def defined(module: Any) -> list[str]:
    """The functions that have a body in a module."""
    return [function.name for function in module.functions if not function.is_declaration]


def undefined(module: Any) -> list[str]:
    """The functions that have none."""
    return [function.name for function in module.functions if function.is_declaration]


@register_pass(mutates_CFG=True, analysis_only=False)
class _PartLowering(NativeLowering):
    _name = "zermelo_part_lowering"

    def run_pass(self, state: Any) -> bool:
        context, flags = state.targetctx, state.flags
        state.library = library = Part(context.codegen(), state.func_id.func_qualname)
        flags.no_compile = flags.no_cpython_wrapper = flags.no_cfunc_wrapper = True
        super().run_pass(state)
        made = state["cr"]
        library.finalize()
        _parts[made.fndesc.llvm_func_name] = library
        stub = _dynfunc.make_function(
            made.fndesc.lookup_module(), made.fndesc.qualname, "a part", NOT_FOR_PYTHON, made.env, (library,)
        )
        context.insert_user_function(stub, made.fndesc, [library])
        state["cr"] = made._replace(cfunc=stub)
        return True


@register_pass(mutates_CFG=True, analysis_only=False)
class _WholeLowering(NativeLowering):
    _name = "zermelo_whole_lowering"

    def run_pass(self, state: Any) -> bool:
        codegen = state.targetctx.codegen()
        state.library = library = Whole(codegen, state.func_id.func_qualname)
        library.enable_object_caching()
        super().run_pass(state)
        for variable in library._final_module.global_variables:
            if variable.name.startswith(ENVIRONMENT):
                codegen.set_env(variable.name, lookup_environment(variable.name))
        return True


class _QuickFlags(Flags):
    """Numba's flags, which it looks up at every operation that it types; its own way to compare them is slow."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _QuickFlags) and self._values == other._values

    def __hash__(self) -> int:
        return hash(bool(self.forceinline))


class _Compiler(CompilerBase):
    """Numba's own passes with another last one."""

    lowering: type

    def __init__(self, typing: Any, target: Any, library: Any, args: Any, gives: Any, flags: Any, names: Any) -> None:
        super().__init__(typing, target, library, args, gives, _QuickFlags(flags), names)

    def define_pipelines(self) -> list[Any]:
        passes = DefaultPassBuilder.define_nopython_pipeline(self.state)
        passes.passes = [(self.lowering if each is NativeLowering else each, why) for each, why in passes.passes]
        passes._finalized = False
        passes.finalize()
        return [passes]


class PartCompiler(_Compiler):
    """Makes a `Part` of a function."""

    lowering = _PartLowering


class WholeCompiler(_Compiler):
    """Makes a `Whole` of a function."""

    lowering = _WholeLowering
