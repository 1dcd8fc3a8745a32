"""Chance in a policy: always the same for the same view."""

import hashlib
from random import Random

import numpy as np

from shuangkou.ai_player.climbing.features import Floats
from shuangkou.rules.climbing.commands import PhaseAct
from shuangkou.rules.climbing.legal_acts import legal_acts_in_view
from shuangkou.rules.climbing.options import ClimbingOptions
from shuangkou.rules.climbing.view import SeatView
from shuangkou.rules.commands import Pass, PlayCards


def chance_of(view: SeatView, label: str) -> Random:
    """A source of chance for one decision: of the deal, how far it is, and the seat."""
    place = f"{label}/{view.deal_number}/{len(view.history)}/{view.seat}".encode()
    return Random(int.from_bytes(hashlib.sha256(place + view.seed_hash).digest()))


def whim(view: SeatView, count: int, strength: float) -> Floats:
    """`count` numbers from 0 to `strength`."""
    if not strength:
        return np.zeros(count, dtype=np.float32)
    chance = chance_of(view, "whim")
    return np.array([chance.random() * strength for _ in range(count)], dtype=np.float32)


def choose_at_random(options: ClimbingOptions, view: SeatView, salt: str = "") -> PlayCards | Pass | PhaseAct:
    """One of the legal acts, each distinct combination and the pass equally likely."""
    legal = legal_acts_in_view(options, view)
    count = len(legal.before_play) + len(legal)
    chosen = chance_of(view, f"random{salt}").randrange(count + legal.may_pass)
    if chosen < len(legal.before_play):
        return legal.before_play[chosen]
    for place, play in enumerate(legal):
        if place == chosen:
            return play.command
    return Pass(legal.seat)
