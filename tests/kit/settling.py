"""Commits that settle a deal, as an engine writes them."""

from __future__ import annotations

from collections.abc import Sequence

from shuangkou.v1.events_pb2 import (
    DEAL_RESULT_DOUBLE,
    VOID_REASON_FORFEITS,
    ClimbingOutcome,
    Commit,
    DealSettled,
    DealVoided,
    Event,
    Passed,
    SeatForfeited,
    TrickEnded,
)

PEOPLE = ("alice", "bob", "carol", "dave")


def voiding_commit(
    table_id: str = "t1",
    number: int = 1,
    players: Sequence[str] = PEOPLE,
    scores: Sequence[int] = (-6, 2, -6, 10),
    time_ms: int = 1_000,
) -> Commit:
    """A commit that voids one deal for its forfeits, with fines only."""
    voided = DealVoided(
        number=number,
        reason=VOID_REASON_FORFEITS,
        scores=scores,
        players=players,
        totals=scores,
        seed=bytes(32),
        forfeited=[0, 2],
    )
    return Commit(
        table_id=table_id,
        ruleset_id="qq",
        version=number * 100,
        time_ms=time_ms,
        actor=players[2],
        command_id=f"v{number}",
        events=[Event(seat_forfeited=SeatForfeited(seat=2)), Event(deal_voided=voided)],
    )


def settling_commit(  # noqa: PLR0913  # each names one thing that a test is about
    table_id: str = "t1",
    number: int = 1,
    players: Sequence[str] = PEOPLE,
    scores: Sequence[int] = (2, -2, 2, -2),
    ruleset_id: str = "qq",
    time_ms: int = 1_000,
    winners: Sequence[int] | None = None,
) -> Commit:
    """A commit that settles one deal in which the highest score went out first.

    ``winners``: the seats with positive scores unless they are named.
    """
    gainers = [seat for seat in range(4) if scores[seat] > 0]
    finish_order = sorted(range(4), key=lambda seat: -scores[seat])
    deal = DealSettled(
        number=number,
        scores=scores,
        players=players,
        totals=scores,
        seed=bytes(32),
        winners=gainers if winners is None else winners,
        climbing=ClimbingOutcome(result=DEAL_RESULT_DOUBLE, finish_order=finish_order, multiplier=1, base=2),
    )
    return Commit(
        table_id=table_id,
        ruleset_id=ruleset_id,
        version=number * 100,
        time_ms=time_ms,
        actor=players[3],
        command_id=f"c{number}",
        events=[Event(passed=Passed(seat=3)), Event(trick_ended=TrickEnded()), Event(deal_settled=deal)],
    )
