"""A hand beside its packed count."""

from dataclasses import dataclass

from shuangkou.rules.cards import Card


@dataclass(frozen=True, slots=True)
class Held:
    """The cards of a seat, sorted, and their packed count."""

    hand: tuple[Card, ...]
    packed: int
