"""Requests that nobody should send, built by reflection over the descriptors: any rpc, any message."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

Pools = Mapping[str, Sequence[Any]]
"""Values that mean something to the suite, by the name of the field that they belong in."""

_MOST_BYTES = 60_000
"""A request of more is refused for its size alone; see `oversized`."""
_DEEPEST = 5

_MARK = "\x01surrogate\x01"
_SURROGATE = b"\x02\xed\xa0\x80\xc0\xaf\xff\xfe\xf5\xed\x03"
"""As long as the mark: a lone surrogate and bytes that are no UTF-8, which no library would write."""

_NUMBERS = (0, 1, 2, 3, 4, 5, 7, 53, 54, 55, 99, 100, 101, 255, 256, 2000, 65_535, 600_000, 600_001)
_EXTREMES = {
    FieldDescriptor.CPPTYPE_INT32: (-(2**31), 2**31 - 1, -1),
    FieldDescriptor.CPPTYPE_INT64: (-(2**63), 2**63 - 1, -1),
    FieldDescriptor.CPPTYPE_UINT32: (2**32 - 1, 2**31, 0),
    FieldDescriptor.CPPTYPE_UINT64: (2**64 - 1, 2**63, 2**53 + 1),
}
_FLOATS = (0.0, -0.0, 1e308, -1e308, 5e-324, float("nan"), float("inf"), float("-inf"))
_TEXTS: tuple[Callable[[Random], str], ...] = (
    lambda _: "",
    lambda rng: "x" * rng.choice((1, 64, 65, 1000, 20_000)),
    lambda rng: "".join(chr(rng.randrange(32)) for _ in range(rng.randrange(1, 20))),
    lambda _: "a\0b",
    lambda _: "命令 🃏 käse \u202e\u200b\ufeff",
    lambda _: _MARK,
    lambda _: "*.>",
    lambda _: "table.qq.aaaaaaaaaaaaaaaaaaaa.public.bot",
    lambda _: "../../etc/passwd",
    lambda _: "'; DROP TABLE deals; --",
    lambda _: "%s%n{0}{0.__class__}$(id)",
    lambda _: "INFO\r\nPUB table.x 0\r\n\r\n",
    lambda rng: "".join(
        chr(rng.choice((rng.randrange(1, 0xD800), rng.randrange(0xE000, 2**20)))) for _ in "123"
    ),
    lambda rng: f"{rng.getrandbits(64)}",
    lambda _: "-1",
    lambda _: "NaN",
    lambda rng: "9" * rng.choice((20, 5000)),
)


@dataclass(frozen=True, slots=True)
class Forge:
    """Makes requests; the same ones again from an equal `rng`.

    `pools`: what it names beside nonsense. `honest`: requests that mean something, by their type's name.
    """

    rng: Random
    pools: Pools
    honest: Mapping[str, Sequence[Message]]

    def request(self, kind: Descriptor) -> bytes:
        """One request of this type, or bytes that are none."""
        make = self.rng.choices((self._forged, self._bent, self._broken, self._noise), (35, 45, 15, 5))[0]
        return make(kind)[:_MOST_BYTES]

    def oversized(self) -> bytes:
        """More bytes than any server of ours takes."""
        return bytes(self.rng.choice((65_537, 200_000)))

    def _forged(self, kind: Descriptor) -> bytes:
        return _wire(self._message(kind, 0))

    def _bent(self, kind: Descriptor) -> bytes:
        """A request that means something, with a few of its fields put wrong."""
        known = self.honest.get(kind.full_name)
        message = _copy(self.rng.choice(known)) if known else self._message(kind, 0)
        for _ in range(self.rng.randrange(4)):
            self._bend(message)
        return _wire(message)

    def _broken(self, kind: Descriptor) -> bytes:
        """A message whose bytes have been damaged on their way."""
        raw = bytearray(self._bent(kind))
        for _ in range(self.rng.randrange(1, 6)):
            at = self.rng.randrange(len(raw) + 1)
            match self.rng.randrange(6):
                case 0:
                    del raw[at:]
                case 1:
                    raw[at:at] = self.rng.randbytes(self.rng.randrange(1, 9))
                case 2:
                    raw[at:at] = raw[: self.rng.randrange(200)]
                case 3:
                    raw[at:at] = b"\xff" * 12  # a varint that does not end
                case 4:
                    raw[at:at] = b"\x0b" * self.rng.choice((3, 200))  # groups within groups
                case _ if at < len(raw):
                    raw[at] ^= 1 << self.rng.randrange(8)
        return bytes(raw)

    def _noise(self, _kind: Descriptor) -> bytes:
        return self.rng.randbytes(self.rng.choice((0, 1, 2, 7, 100, 5000)))

    def _message(self, kind: Descriptor, depth: int) -> Message:
        message = GetMessageClass(kind)()
        for field in kind.fields:
            if self.rng.random() < (0.75 if depth == 0 else 0.4):
                self._fill(message, field, depth)
        return message

    def _bend(self, message: Message) -> None:
        """Put one field wrong, anywhere in the message."""
        present = [field for field, _ in message.ListFields() if _is_message(field) and not field.is_repeated]
        if present and self.rng.random() < 0.6:
            self._bend(getattr(message, self.rng.choice(present).name))
            return
        fields: Sequence[Any] = message.DESCRIPTOR.fields
        if not fields:
            return
        field = self.rng.choice(fields)
        if self.rng.random() < 0.8:
            message.ClearField(field.name)
        self._fill(message, field, 1)

    def _fill(self, message: Message, field: FieldDescriptor, depth: int) -> None:
        if _is_map(field):
            self._fill_map(message, field)
        elif _is_message(field):
            self._fill_message(message, field, depth)
        elif field.is_repeated:
            count = self.rng.choice((1, 1, 2, 4, 27, 108, 109, 3000))
            values = [self._value(field) for _ in range(min(count, 4))]
            getattr(message, field.name).extend(values * (count // len(values)))
        else:
            setattr(message, field.name, self._value(field))

    def _fill_message(self, message: Message, field: FieldDescriptor, depth: int) -> None:
        if depth >= _DEEPEST:
            return
        if field.is_repeated:
            for _ in range(self.rng.choice((1, 2, 4, 5, 50 if depth < 2 else 1))):
                getattr(message, field.name).add().CopyFrom(self._message(_type_of(field), depth + 1))
        else:
            getattr(message, field.name).CopyFrom(self._message(_type_of(field), depth + 1))

    def _fill_map(self, message: Message, field: FieldDescriptor) -> None:
        key, value = _type_of(field).fields
        if _is_message(value):
            return
        for _ in range(self.rng.choice((1, 2, 3, 300))):
            getattr(message, field.name)[self._value(key)] = self._value(value)

    def _value(self, field: FieldDescriptor) -> Any:
        pool = self.pools.get(field.name)
        if pool and self.rng.random() < 0.7:
            return self.rng.choice(pool)
        return self._nonsense(field)

    def _nonsense(self, field: FieldDescriptor) -> Any:
        rng, kind = self.rng, field.cpp_type
        if kind == FieldDescriptor.CPPTYPE_ENUM:
            assert field.enum_type is not None
            known = [value.number for value in field.enum_type.values]
            return rng.choice((*known, -1, 999, 2**31 - 1))
        if kind == FieldDescriptor.CPPTYPE_BOOL:
            return rng.random() < 0.5
        if kind == FieldDescriptor.CPPTYPE_STRING:
            text = rng.choice(_TEXTS)(rng)
            return text.encode() if field.type == FieldDescriptor.TYPE_BYTES else text
        if kind in (FieldDescriptor.CPPTYPE_DOUBLE, FieldDescriptor.CPPTYPE_FLOAT):
            return rng.choice(_FLOATS)
        return rng.choice((*_NUMBERS, *_EXTREMES[kind]))


def _wire(message: Message) -> bytes:
    return message.SerializeToString().replace(_MARK.encode(), _SURROGATE)


def _copy(message: Message) -> Message:
    copy = type(message)()
    copy.CopyFrom(message)
    return copy


def _is_message(field: FieldDescriptor) -> bool:
    return field.cpp_type == FieldDescriptor.CPPTYPE_MESSAGE


def _type_of(field: FieldDescriptor) -> Descriptor:
    assert field.message_type is not None
    return field.message_type


def _is_map(field: FieldDescriptor) -> bool:
    return _is_message(field) and field.is_repeated and bool(_type_of(field).GetOptions().map_entry)
