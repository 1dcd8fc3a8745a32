"""Who sits where, what comes from them, and whether a bot plays for them."""

from __future__ import annotations

from dataclasses import dataclass

from shuangkou.v1 import events_pb2


@dataclass(frozen=True, slots=True)
class Seating:
    """Who sits on which seat of which table, and the persona that gives hints.

    ``way_back`` is the command that leads here again. What happened up to ``told_version`` is not told again.
    """

    player: str
    table_id: str
    seat: int
    persona: str
    way_back: str
    told_version: int = 0


@dataclass(frozen=True, slots=True)
class Ended:
    """The input ended: nobody will type any more."""


@dataclass(frozen=True, slots=True)
class Interrupted:
    """Ctrl-C, or a request to end that must not wait for an answer."""

    may_ask: bool


Input = str | Ended | Interrupted
"""What comes from who sits there."""


def is_hosted_after(commit: events_pb2.Commit, seat: int, before: bool) -> bool:
    """Whether a bot plays the seat after the commit, as it did or not before."""
    hosted = before
    for event in commit.events:
        if event.HasField("seat_hosted") and event.seat_hosted.seat == seat:
            hosted = True
        elif event.HasField("seat_reclaimed") and event.seat_reclaimed.seat == seat:
            hosted = False
    return hosted


def is_drawing_after(commit: events_pb2.Commit, before: bool) -> bool:
    """Whether cards are drawn one by one (摸牌) after the commit, as they were or not before."""
    draws = before
    for event in commit.events:
        kind = event.WhichOneof("event")
        if kind == "deal_started":
            draws = event.deal_started.HasField("tricks")
        elif kind in _ENDS_OF_DRAW:
            draws = False
    return draws


_ENDS_OF_DRAW = frozenset(("phase_began", "trump_turned", "trump_fixed", "deal_settled", "deal_voided"))
