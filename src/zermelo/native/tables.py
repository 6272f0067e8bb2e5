"""Constant tuples of numbers as read-only tables in the program text of a native function.

Numba would unfold a long tuple into as many values; a table is a pointer and a length. A table of
tables (the lines of a board, the neighbours of a square) may be ragged.
"""

from __future__ import annotations

import operator
from typing import Any

from llvmlite import ir
from numba.core import cgutils, types
from numba.core.imputils import RefType, iternext_impl, lower_builtin, lower_constant
from numba.core.typing.templates import AbstractTemplate, infer_global, signature
from numba.extending import models, overload, overload_method, register_jitable, register_model, typeof_impl

from zermelo.native.states import SCALARS

SHORT = 8
"""Tuples of up to this many numbers stay Numba tuples: they unpack and unroll well."""


class TableType(types.IterableType):
    """A read-only array of `item`, which is a scalar type or again a table."""

    def __init__(self, item: types.Type) -> None:
        self.item = item
        super().__init__(f"Table({item})")

    @property
    def iterator_type(self) -> types.Type:
        return TableIteratorType(self)


class TableIteratorType(types.SimpleIteratorType):
    """The iterator over a table."""

    def __init__(self, table: TableType) -> None:
        self.table = table
        super().__init__(f"Iterator({table})", table.item)


class Table:
    """Stands for a constant tuple in the namespace of a native function."""

    def __init__(self, items: tuple[Any, ...], kind: TableType) -> None:
        self.items, self.kind = items, kind


@register_model(TableType)
class _TableModel(models.StructModel):
    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(manager, kind, [("data", types.CPointer(kind.item)), ("size", types.int64)])


@register_model(TableIteratorType)
class _IteratorModel(models.StructModel):
    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(manager, kind, [("index", types.EphemeralPointer(types.int64)), ("table", kind.table)])


def as_table(value: tuple[Any, ...]) -> Table | None:
    """The tuple as a table, or None if it is short, mixed or holds other things than numbers."""
    kind = _table_type(value)
    nested = kind is not None and isinstance(kind.item, TableType)
    return Table(value, kind) if kind is not None and (nested or len(value) > SHORT) else None


def _table_type(value: Any) -> TableType | None:
    """The type of a table; rows that are empty, at any depth, are of the kind of the others."""
    items = {_item_type(item) for item in value if not _is_empty(item)}
    item = items.pop() if len(items) == 1 else None
    return TableType(item) if item is not None else None


def _item_type(item: Any) -> types.Type | None:
    return _table_type(item) if isinstance(item, tuple) else SCALARS.get(type(item))


def _is_empty(item: Any) -> bool:
    return isinstance(item, tuple) and all(_is_empty(inner) for inner in item)


@typeof_impl.register(Table)
def _typeof_table(value: Table, context: Any) -> types.Type:
    return value.kind


@lower_constant(TableType)
def _constant(context: Any, builder: Any, kind: TableType, value: Any) -> Any:
    items = value.items if isinstance(value, Table) else value
    stored = context.get_data_type(kind.item)
    numbers = [
        ir.Constant(stored, int(item))
        if kind.item == types.boolean
        else context.get_constant_generic(builder, kind.item, item)
        for item in items
    ]
    content = ir.Constant(ir.ArrayType(stored, len(items)), numbers)
    array = cgutils.global_constant(builder, "zermelo_table", content)
    zero = ir.Constant(ir.IntType(32), 0)
    return ir.Constant.literal_struct([array.gep([zero, zero]), ir.Constant(ir.IntType(64), len(items))])


@infer_global(len)
class _Length(AbstractTemplate):
    def generic(self, args: Any, kws: Any) -> Any:
        return signature(types.int64, args[0]) if len(args) == 1 and isinstance(args[0], TableType) else None


@lower_builtin(len, TableType)
def _length(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    return size_of(context, builder, sig.args[0], args[0])


def size_of(context: Any, builder: Any, kind: TableType, value: Any) -> Any:
    """How many items a table has."""
    return cgutils.create_struct_proxy(kind)(context, builder, value).size


@infer_global(operator.getitem)
class _Item(AbstractTemplate):
    def generic(self, args: Any, kws: Any) -> Any:
        fits = len(args) == 2 and isinstance(args[0], TableType) and isinstance(args[1], types.Integer | types.Boolean)
        return signature(args[0].item, args[0], types.int64) if fits else None


@lower_builtin(operator.getitem, TableType, types.Integer)
def _item(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    table = cgutils.create_struct_proxy(sig.args[0])(context, builder, args[0])
    index = args[1]
    negative = builder.icmp_signed("<", index, index.type(0))
    index = builder.select(negative, builder.add(index, table.size), index)
    with cgutils.if_unlikely(builder, builder.icmp_unsigned(">=", index, table.size)):
        context.call_conv.return_user_exc(builder, IndexError, ("tuple index out of range",))
    return _load(context, builder, sig.args[0], table, index)


def item_of(context: Any, builder: Any, kind: TableType, value: Any, index: Any) -> Any:
    """The item of a table at a place that is there."""
    return _load(context, builder, kind, cgutils.create_struct_proxy(kind)(context, builder, value), index)


def _load(context: Any, builder: Any, kind: TableType, table: Any, index: Any) -> Any:
    stored = builder.load(builder.gep(table.data, [index]))
    return context.data_model_manager[kind.item].from_data(builder, stored)


@lower_builtin("getiter", TableType)
def _iterate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    iterator = cgutils.create_struct_proxy(sig.return_type)(context, builder)
    iterator.index = cgutils.alloca_once_value(builder, ir.Constant(ir.IntType(64), 0))
    iterator.table = args[0]
    return iterator._getvalue()


@lower_builtin("iternext", TableIteratorType)
@iternext_impl(RefType.UNTRACKED)
def _next(context: Any, builder: Any, sig: Any, args: Any, result: Any) -> None:
    iterator = cgutils.create_struct_proxy(sig.args[0])(context, builder, args[0])
    table = cgutils.create_struct_proxy(sig.args[0].table)(context, builder, iterator.table)
    index = builder.load(iterator.index)
    more = builder.icmp_signed("<", index, table.size)
    result.set_valid(more)
    with builder.if_then(more):
        result.yield_(_load(context, builder, sig.args[0].table, table, index))
        builder.store(builder.add(index, index.type(1)), iterator.index)


@overload(operator.contains)
def _contains(table: Any, wanted: Any) -> Any:
    if not isinstance(table, TableType):
        return None
    if isinstance(table.item, TableType) and not isinstance(wanted, types.UniTuple | TableType):
        return None

    def look(table: Any, wanted: Any) -> Any:
        return count_equal(table, wanted) > 0

    return look


@register_jitable
def count_equal(items: Any, wanted: Any) -> int:
    """How many of the items equal something."""
    found = 0
    for item in items:
        if item == wanted:
            found += 1
    return found


@overload_method(TableType, "count")
@overload_method(types.UniTuple, "count")
def _count(items: Any, wanted: Any) -> Any:
    def count(items: Any, wanted: Any) -> Any:
        return count_equal(items, wanted)

    return count


@overload_method(TableType, "index")
def _index(items: Any, wanted: Any) -> Any:
    def search(items: Any, wanted: Any) -> Any:
        for place in range(len(items)):
            if items[place] == wanted:
                return place
        raise ValueError

    return search


@overload(operator.eq)
def _equal(one: Any, other: Any) -> Any:
    if not _are_rows(one, other):
        return None

    def compare(one: Any, other: Any) -> Any:
        same = len(one) == len(other)
        for place in range(min(len(one), len(other))):
            same = same and one[place] == other[place]
        return same

    return compare


@overload(operator.ne)
def _unequal(one: Any, other: Any) -> Any:
    def compare(one: Any, other: Any) -> Any:
        return not (one == other)  # noqa: SIM201

    return compare if _are_rows(one, other) else None


def _are_rows(one: Any, other: Any) -> bool:
    """Whether two things are compared as tuples are, and one of them is a table."""
    kinds = (one, other)
    return any(isinstance(kind, TableType) for kind in kinds) and all(
        isinstance(kind, TableType | types.UniTuple) for kind in kinds
    )


@overload(bool)
def _truth(table: Any) -> Any:
    def has_items(table: Any) -> Any:
        return len(table) > 0

    return has_items if isinstance(table, TableType) else None


@overload(operator.not_)
def _falsehood(table: Any) -> Any:
    def has_none(table: Any) -> Any:
        return len(table) == 0

    return has_none if isinstance(table, TableType | types.UniTuple) else None
