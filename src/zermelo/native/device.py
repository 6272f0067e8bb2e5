"""Kernels for a GPU, from the very code that runs natively: what Numba made of rules and kernel, compiled for CUDA.

Numba turns a kernel with all the rules it calls into LLVM's language, generators included. That is taken as it is,
given an entry that every thread of the GPU runs, and turned into PTX by the same LLVM. So nothing is needed but the
GPU's driver, and both worlds do the same arithmetic. A kernel for a GPU takes numbers, states and addresses, gives
nothing, and its last two arguments are the thread's number and how many there are.
"""

from __future__ import annotations

import ctypes
import hashlib
import re
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import llvmlite.binding as llvm
import numba
from numba import typeof
from numba.core import types

from zermelo.errors import NotNative
from zermelo.game import Game
from zermelo.native.cache import SUFFIX, folder, keep, kept
from zermelo.native.compile import attempt
from zermelo.native.diagnosis import explain
from zermelo.native.digest import digest, of_machinery
from zermelo.native.functions import Library
from zermelo.native.rules import rules_type
from zermelo.native.words import BitsType

ENTRY = "zermelo_entry"
TRIPLE = "nvptx64-nvidia-cuda"
FAILED = 1
"""What the first word that an entry is given becomes if a rule raises."""

THERE = frozenset(
    (
        *("abs", "bitreverse", "bswap", "ctlz", "ctpop", "cttz", "fshl", "fshr", "smax", "smin", "umax", "umin"),
        *("sadd", "scmp", "smul", "ssub", "uadd", "ucmp", "umul", "usub", "masked", "vector"),
        *("ceil", "copysign", "fabs", "floor", "fma", "nearbyint", "rint", "round", "roundeven", "sqrt", "trunc"),
        *("assume", "expect", "experimental", "lifetime", "memcpy", "memmove", "memset", "nvvm", "trap"),
    )
)
"""LLVM's own functions that a GPU has, and that give there what they give here, to the last digit."""
WRITTEN = {"pow": "**", "powi": "**", "exp2": "**", "exp10": "**", "frem": "% or // of floats", "gil_ensure": "print"}
"""What an author writes, where LLVM or Numba has another word for it."""

_SCALARS: dict[str, Any] = {"i64": ctypes.c_int64, "double": ctypes.c_double, "i8": ctypes.c_int8, "i1": ctypes.c_int8}


class Code(NamedTuple):
    """A kernel in LLVM's language: its text, its name there, and the types of its arguments after the first two."""

    text: str
    name: str
    kinds: tuple[str, ...]


def ptx_for(kernel: Callable[..., Any], game: Game, args: tuple[Any, ...], processor: str) -> str:
    """The kernel as PTX for a GPU such as `sm_90`, from disk if it was made before."""
    rules = rules_type(game)
    what = (
        of_machinery(),
        digest(kernel),
        rules.mark,
        [str(typeof(item)) for item in args],
        processor,
        numba.__version__,
    )
    path = folder() / f"{kernel.__name__}-{hashlib.sha256(repr(what).encode()).hexdigest()[:40]}{SUFFIX}"
    known = kept(path)
    if known is not None:
        return known.decode()
    made = _ptx(code_of(kernel, game, args), processor)
    keep(path, made.encode())
    return made


def code_of(kernel: Callable[..., Any], game: Game, args: tuple[Any, ...]) -> Code:
    """What Numba makes of a kernel, its rules put in; `NotNative` if it can't, or if a GPU can't run it."""
    rules = rules_type(game)
    library = Library(game, rules.mark)
    kinds = tuple(typeof(item) for item in (game, *args))
    failure = attempt(lambda: library.entry(kernel, len(kinds)).compile(kinds))
    if failure is not None:
        raise explain(game, failure) from None
    made = library.entry(kernel, len(kinds)).overloads[kinds]
    name = made.fndesc.llvm_func_name
    module = llvm.parse_assembly(_portable(made.library.get_llvm_str()))
    for function in module.functions:
        if function.name != name and not function.is_declaration:
            function.linkage = "internal"
    for variable in module.global_variables:
        if not variable.is_declaration:
            variable.linkage = "internal"
    parameters = [str(argument.type) for argument in module.get_function(name).arguments]
    return Code(str(module), name, tuple(parameters[2:]))


def _portable(text: str) -> str:
    """LLVM's text without what ties it to this machine, and without the functions that Python itself calls.

    The C library's square root becomes LLVM's, which is exact everywhere.
    """
    text = re.sub(r"^target (triple|datalayout) = .*$", "", text, flags=re.MULTILINE)
    text = re.sub(
        r"^define [^\n]*@(\"?)(_ZN7cpython|cfunc\.)[^\n]*\{\n.*?^\}\n", "", text, flags=re.MULTILINE | re.DOTALL
    )
    text = re.sub(r"^declare [^\n]*@sqrt\([^\n]*", "", text, flags=re.MULTILINE).replace("@sqrt(", "@llvm.sqrt.f64(")
    return re.sub(r"\"(target-cpu|target-features|tune-cpu|probe-stack)\"=\"[^\"]*\"", "", text)


def _ptx(code: Code, processor: str) -> str:
    """The kernel with an entry that each thread of a GPU runs, as PTX."""
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    target = llvm.Target.from_triple(TRIPLE)
    machine = target.create_target_machine(cpu=processor, opt=3)
    module = _linked(code, _gpu_entry(code), machine, TRIPLE)
    _refuse_missing(module)
    text: str = machine.emit_assembly(module)
    return text


def _refuse_missing(module: Any) -> None:
    """`NotNative` where there is something that a GPU can't do as it is done here; LLVM would end the process."""
    called = [function.name for function in module.functions if function.is_declaration]
    if any(name.startswith("NRT_") for name in called):
        raise NotNative("a GPU has no memory for the lists and arrays that rules make: use tuples with put(…), or Bits")
    missing = [name for name in called if not (name.startswith("llvm.") and name.split(".")[1] in THERE)]
    if " = frem " in str(module):
        missing.append("frem")
    if missing:
        word = missing[0].removeprefix("llvm.").removeprefix("numba_").split(".")[0]
        what = WRITTEN.get(word, word)
        raise NotNative(f"a GPU can't do {what} as the CPU does: work it out in __init__, or leave it out of play")


def _linked(code: Code, entry: str, machine: Any, triple: str) -> Any:
    """The kernel and its entry as one module, optimised for a machine."""
    module = llvm.parse_assembly(code.text + entry)
    module.triple, module.data_layout = triple, str(machine.target_data)
    module.get_function(code.name).linkage = "internal"
    module.verify()
    options = llvm.create_pipeline_tuning_options(speed_level=3)
    options.loop_vectorization = options.slp_vectorization = False
    builder = llvm.create_pass_builder(machine, options)
    builder.getModulePassManager().run(module, builder)
    return module


def _arguments(code: Code) -> tuple[str, str]:
    """What an entry is given, after the address that tells of failure, and what it hands to the kernel."""
    names = *(f"%a{index}" for index in range(len(code.kinds) - 2)), "%thread", "%threads"
    handed = [f"{kind} {name}" for kind, name in zip(code.kinds, names, strict=True)]
    return ", ".join(handed[:-2]), ", ".join(handed)


def _gpu_entry(code: Code) -> str:
    """The entry of every thread; they are numbered through all blocks."""
    given, handed = _arguments(code)
    registers = {"block": "ctaid", "size": "ntid", "lane": "tid", "blocks": "nctaid"}
    reads = "".join(
        f"  %{name}32 = call i32 @llvm.nvvm.read.ptx.sreg.{register}.x()\n  %{name} = zext i32 %{name}32 to i64\n"
        for name, register in registers.items()
    )
    declared = "".join(f"declare i32 @llvm.nvvm.read.ptx.sreg.{each}.x()\n" for each in registers.values())
    return f"""
define ptx_kernel void @{ENTRY}(ptr %failed, {given}) {{
{reads}  %before = mul i64 %block, %size
  %thread = add i64 %before, %lane
  %threads = mul i64 %blocks, %size
  %result = alloca [8 x i64], align 8
  %raised = alloca ptr, align 8
  %status = call i32 @{_quoted(code.name)}(ptr %result, ptr %raised, {handed})
  %bad = icmp sgt i32 %status, 0
  br i1 %bad, label %tell, label %done
tell:
  store i64 {FAILED}, ptr %failed, align 8
  br label %done
done:
  ret void
}}
{declared}"""


def _quoted(name: str) -> str:
    return name if re.fullmatch(r"[\w.$]+", name) else f'"{name}"'


def flattened(args: tuple[Any, ...]) -> list[Any]:
    """Arguments as the numbers that the kernel's entry takes: a state is its fields, one after the other."""
    return [item for value in args for item in _scalars(typeof(value), value)]


def _scalars(kind: Any, value: Any) -> Iterator[Any]:
    if isinstance(kind, types.BaseTuple):
        for inner, item in zip(kind, value, strict=True):
            yield from _scalars(inner, item)
    elif isinstance(kind, types.Float):
        yield ctypes.c_double(value)
    elif isinstance(kind, types.Boolean):
        yield ctypes.c_int8(value)
    elif isinstance(kind, BitsType):
        yield ctypes.c_uint64(int(value))
    else:
        yield ctypes.c_int64(value)


class Simulated:
    """The kernel run on this machine as a GPU would: the same code and entry, its threads one after the other."""

    def __init__(self, kernel: Callable[..., Any], game: Game, args: tuple[Any, ...]) -> None:
        code = code_of(kernel, game, args)
        llvm.initialize_native_target()
        llvm.initialize_native_asmprinter()
        triple = llvm.get_process_triple()
        machine = llvm.Target.from_triple(triple).create_target_machine(opt=3)
        self._engine = llvm.create_mcjit_compiler(_linked(code, _loop_entry(code), machine, triple), machine)
        self._engine.finalize_object()
        kinds = [_SCALARS[kind] for kind in code.kinds[:-2]]
        maker = ctypes.CFUNCTYPE(None, ctypes.c_void_p, *kinds, ctypes.c_int64)
        self._function = maker(self._engine.get_function_address(ENTRY))

    def launch(self, args: tuple[Any, ...], threads: int) -> bool:
        """Run all threads; False if a rule raised."""
        failed = ctypes.c_int64(0)
        self._function(ctypes.addressof(failed), *(item.value for item in flattened(args)), threads)
        return failed.value == 0


def _loop_entry(code: Code) -> str:
    """The entry with the threads in a loop."""
    given, handed = _arguments(code)
    return f"""
define void @{ENTRY}(ptr %failed, {given}, i64 %threads) {{
start:
  %result = alloca [8 x i64], align 8
  %raised = alloca ptr, align 8
  br label %loop
loop:
  %thread = phi i64 [0, %start], [%next, %after]
  %status = call i32 @{_quoted(code.name)}(ptr %result, ptr %raised, {handed})
  %bad = icmp sgt i32 %status, 0
  br i1 %bad, label %tell, label %after
tell:
  store i64 {FAILED}, ptr %failed, align 8
  br label %after
after:
  %next = add i64 %thread, 1
  %more = icmp slt i64 %next, %threads
  br i1 %more, label %loop, label %done
done:
  ret void
}}
"""
