"""Chance in a policy: always the same for the same view."""

import hashlib
from random import Random

from shuangkou.rules.commands import BuryKitty
from shuangkou.rules.tricks.commands import SeatAct
from shuangkou.rules.tricks.legal_acts import legal_acts_in_view
from shuangkou.rules.tricks.options import TricksOptions
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


def choose_at_random(options: TricksOptions, view: SeatView, salt: str = "") -> SeatAct:
    """One of the acts that are listed as legal, each equally likely; any burial."""
    legal, chance = legal_acts_in_view(options, view), chance_of(view, f"random{salt}")
    if view.seat is not None and legal.free:
        return BuryKitty(view.seat, tuple(chance.sample(legal.free, options.kitty)))
    return chance.choice(list(legal))
