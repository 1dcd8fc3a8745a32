"""Views of tables, put wrong a little."""

from __future__ import annotations

from collections.abc import Iterator

from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message

from shuangkou.v1.table_pb2 import SeatView


def copy_of(view: SeatView) -> SeatView:
    """A view to spoil."""
    copy = SeatView()
    copy.CopyFrom(view)
    return copy


def numbers_in(message: Message) -> Iterator[tuple[Message, FieldDescriptor]]:
    """Every field with a number or numbers that is set, in the whole message."""
    for field, value in message.ListFields():
        if field.cpp_type in (FieldDescriptor.CPPTYPE_MESSAGE, FieldDescriptor.CPPTYPE_STRING):
            parts = value if field.is_repeated else [value]
            for part in parts if field.cpp_type == FieldDescriptor.CPPTYPE_MESSAGE else []:
                if isinstance(part, Message):
                    yield from numbers_in(part)
        else:
            yield message, field


def strike(message: Message, field: FieldDescriptor, value: int) -> None:
    """Set another number, small or large, or take the last one of several away."""
    chosen = value if value % 2 else value % 60
    if field.cpp_type == FieldDescriptor.CPPTYPE_BOOL:
        setattr(message, field.name, bool(value % 4))
    elif not field.is_repeated:
        setattr(message, field.name, chosen)
    elif value % 3:
        numbers = getattr(message, field.name)
        numbers[chosen % len(numbers)] = chosen
    else:
        getattr(message, field.name).pop()
