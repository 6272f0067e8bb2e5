"""The GPU's driver, as far as kernels need it: memory there, code for it, and starting that.

Nothing but the driver itself is needed, which comes with the GPU; no toolkit. What can't be done is told in a
sentence by `NoDevice`, so that a caller can go on without.
"""

from __future__ import annotations

import ctypes
import sys
import weakref
from collections.abc import Callable
from functools import cache
from typing import Any

from zermelo.errors import GameError, NoDevice
from zermelo.game import Game
from zermelo.native.device import ENTRY, FAILED, flattened, ptx_for

BLOCK = 128
"""Threads that start together."""
OUT_OF_MEMORY, NO_GPU = 2, 100
MULTIPROCESSORS, MAJOR, MINOR = 16, 75, 76
"""Numbers of a GPU's attributes."""
PROCESSORS = (50, 52, 53, 60, 61, 62, 70, 72, 75, 80, 86, 87, 89, 90, 100, 120)
"""The kinds of GPUs that code is made for; a newer one runs that of an older."""
MEBIBYTE = 1 << 20


@cache
def gpu() -> Gpu:
    """The first GPU; `NoDevice` if there is none."""
    return Gpu()


class Gpu:
    """One GPU. For one thread at a time, whichever it is."""

    def __init__(self) -> None:
        try:
            self._driver: Any = ctypes.CDLL("nvcuda.dll" if sys.platform == "win32" else "libcuda.so.1")
        except OSError:
            raise NoDevice("there is no CUDA GPU here: its driver is not installed") from None
        self._call("cuInit", 0)
        device, context = ctypes.c_int(), ctypes.c_void_p()
        self._call("cuDeviceGet", ctypes.byref(device), 0)
        name = ctypes.create_string_buffer(100)
        self._call("cuDeviceGetName", name, len(name), device)
        self.name = name.value.decode(errors="replace")
        major, minor, self.multiprocessors = (self._attribute(each, device) for each in (MAJOR, MINOR, MULTIPROCESSORS))
        fitting = [number for number in PROCESSORS if number <= 10 * major + minor]
        if not fitting:
            raise NoDevice(f"the GPU {self.name} is too old for CUDA code made here")
        self.processor = f"sm_{fitting[-1]}"
        self._call("cuDevicePrimaryCtxRetain", ctypes.byref(context), device)
        self._context = context

    def _attribute(self, number: int, device: Any) -> int:
        value = ctypes.c_int()
        self._call("cuDeviceGetAttribute", ctypes.byref(value), number, device)
        return value.value

    def _call(self, name: str, *args: Any) -> None:
        status = getattr(self._driver, name)(*args)
        if status == OUT_OF_MEMORY:
            raise NoDevice(f"the GPU {getattr(self, 'name', '')} has no memory left: end what else runs there")
        if status == NO_GPU:
            raise NoDevice("there is no CUDA GPU here")
        if status:
            text = ctypes.c_char_p()
            self._driver.cuGetErrorString(status, ctypes.byref(text))
            raise NoDevice(f"the GPU does not answer: {name} says {(text.value or b'?').decode()} ({status})")

    def use(self) -> None:
        """Make this thread one that speaks to the GPU."""
        self._call("cuCtxSetCurrent", self._context)

    def free_memory(self) -> int:
        """How many bytes are free there."""
        free, total = ctypes.c_size_t(), ctypes.c_size_t()
        self.use()
        self._call("cuMemGetInfo_v2", ctypes.byref(free), ctypes.byref(total))
        return free.value

    def memory(self, size: int) -> Memory:
        """So many bytes, all 0; `NoDevice` if there are not as many."""
        self.use()
        if size > (free := self.free_memory()):
            raise NoDevice(
                f"the GPU {self.name} has {free // MEBIBYTE:,} MiB free, and {size // MEBIBYTE:,} MiB are needed"
            )
        address = ctypes.c_uint64()
        self._call("cuMemAlloc_v2", ctypes.byref(address), ctypes.c_size_t(size))
        made = Memory(self, address.value, size)
        made.clear()
        return made

    def program(self, kernel: Callable[..., Any], game: Game, args: tuple[Any, ...]) -> Program:
        """A kernel, ready for arguments of these kinds."""
        return Program(self, kernel, game, args)


class Memory:
    """Bytes on the GPU."""

    def __init__(self, gpu: Gpu, address: int, size: int) -> None:
        self._gpu, self.address, self.size = gpu, address, size
        weakref.finalize(self, gpu._driver.cuMemFree_v2, ctypes.c_uint64(address))

    def clear(self) -> None:
        """Make all of it 0."""
        self._gpu.use()
        self._gpu._call("cuMemsetD8_v2", ctypes.c_uint64(self.address), 0, ctypes.c_size_t(self.size))

    def write(self, array: Any) -> None:
        """Fill its beginning from an array."""
        place = ctypes.c_void_p(array.ctypes.data)
        self._gpu.use()
        self._gpu._call("cuMemcpyHtoD_v2", ctypes.c_uint64(self.address), place, ctypes.c_size_t(array.nbytes))

    def read(self, array: Any) -> None:
        """Fill an array from its beginning."""
        place = ctypes.c_void_p(array.ctypes.data)
        self._gpu.use()
        self._gpu._call("cuMemcpyDtoH_v2", place, ctypes.c_uint64(self.address), ctypes.c_size_t(array.nbytes))


class Program:
    """A kernel on the GPU."""

    def __init__(self, gpu: Gpu, kernel: Callable[..., Any], game: Game, args: tuple[Any, ...]) -> None:
        self._gpu, self._game = gpu, game
        code = ptx_for(kernel, game, args, gpu.processor)
        gpu.use()
        module, self._function = ctypes.c_void_p(), ctypes.c_void_p()
        gpu._call("cuModuleLoadData", ctypes.byref(module), ctypes.c_char_p(code.encode()))
        gpu._call("cuModuleGetFunction", ctypes.byref(self._function), module, ENTRY.encode())
        self._failed = gpu.memory(8)
        blocks = ctypes.c_int()
        gpu._call(
            "cuOccupancyMaxActiveBlocksPerMultiprocessor",
            *(ctypes.byref(blocks), self._function, BLOCK, ctypes.c_size_t(0)),
        )
        self.threads = max(blocks.value, 1) * gpu.multiprocessors * BLOCK
        """As many as the GPU runs at once."""

    def launch(self, args: tuple[Any, ...], threads: int) -> None:
        """Run it in so many threads, a multiple of `BLOCK`, and wait; `GameError` if a rule raised."""
        values = [ctypes.c_uint64(self._failed.address), *flattened(args)]
        pointers = (ctypes.c_void_p * len(values))(*(ctypes.addressof(value) for value in values))
        self._gpu.use()
        grid = (threads // BLOCK, 1, 1, BLOCK, 1, 1)
        self._gpu._call("cuLaunchKernel", self._function, *grid, 0, None, pointers, None)
        self._gpu._call("cuCtxSynchronize")
        failed = (ctypes.c_int64 * 1)()
        place = ctypes.c_uint64(self._failed.address)
        self._gpu._call("cuMemcpyDtoH_v2", failed, place, ctypes.c_size_t(8))
        if failed[0] == FAILED:
            raise GameError(f"a rule of {self._game.title} raised an error on the GPU: run zermelo check on it")
