"""Whole deals played by a script: every act is known before the clock starts."""

from itertools import islice
from typing import Final

from shuangkou.cli.load_script import ScriptedAct, scripted_deal
from shuangkou.rules.cards import Card
from shuangkou.rules.ruleset import load
from shuangkou.rules.seats import SEATS
from shuangkou.v1 import table_pb2

__all__ = ["PLAYERS", "ScriptedAct", "script"]

PLAYERS = tuple(f"player{seat}" for seat in SEATS)
"""Who holds the seats."""


_RULES: Final = load("qq")


def script(
    view: table_pb2.SeatView, hands: tuple[tuple[Card, ...], ...], most: int | None = None
) -> list[ScriptedAct]:
    """A deal of `qq`, seen before its first act, in which everyone plays the lowest cards that are legal.

    `most`: no more than so many acts of it.
    """
    deal = scripted_deal(_RULES, view.table_id, view.version, SEATS[view.next.seats[0]], hands)
    return list(islice(deal, most))
