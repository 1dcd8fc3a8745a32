"""Values that stand by seat, or by another small number."""

from typing import TypeVar

V = TypeVar("V")


def put(values: tuple[V, ...], place: int, value: V) -> tuple[V, ...]:
    """The same values but for one place."""
    return (*values[:place], value, *values[place + 1 :])


def added(one: tuple[int, ...], other: tuple[int, ...]) -> tuple[int, ...]:
    """The sum place by place."""
    return tuple(a + b for a, b in zip(one, other, strict=True))
