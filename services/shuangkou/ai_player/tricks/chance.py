"""Chance in a policy: always the same for the same view."""

import hashlib
from random import Random

from shuangkou.rules.tricks.view import SeatView


def chance_of(view: SeatView, label: str) -> Random:
    """A source of chance for one decision: of the deal, how far it is, and the seat."""
    place = f"{label}/{view.deal_number}/{len(view.opening)}/{len(view.history)}/{view.seat}".encode()
    return Random(int.from_bytes(hashlib.sha256(place + view.seed_hash).digest()))


def whims(view: SeatView, count: int, strength: float) -> list[float]:
    """`count` numbers from 0 to `strength`."""
    if not strength:
        return [0.0] * count
    chance = chance_of(view, "whim")
    return [chance.random() * strength for _ in range(count)]
