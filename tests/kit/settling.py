"""Commits that settle a deal, as an engine writes them."""

from __future__ import annotations

import random
from collections.abc import Sequence

from shuangkou.v1.events_pb2 import (
    DEAL_RESULT_DOUBLE,
    EVENT_REASON_DEAL,
    VOID_REASON_FORFEITS,
    ClimbingOutcome,
    Commit,
    DealSettled,
    DealVoided,
    Event,
    EventOutcome,
    EventTerms,
    MatchFinished,
    Passed,
    PlayersInvited,
    SeatForfeited,
    TableCreated,
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


def finishing(commit: Commit, winner: int, event_id: str = "ev_elder") -> Commit:
    """The same commit, which also ends the match in an event for this side."""
    finished = MatchFinished(
        totals=[0, 0, 0, 0],
        event=EventOutcome(
            terms=EventTerms(event_id=event_id),
            winner=winner,
            reason=EVENT_REASON_DEAL,
            side_totals=[0, 0],
            think_ms=[1, 2, 3, 4],
        ),
    )
    ended = Commit()
    ended.CopyFrom(commit)
    ended.events.append(Event(match_finished=finished))
    return ended


def opening_commit(
    table_id: str = "t1", ruleset_id: str = "qq", revision: int = 0, invited: Sequence[str] | None = None
) -> Commit:
    """The commit that opens a table; the rules of revision 0 are nobody's, so its deals cannot be checked.

    ``invited``: to a private table; None for a public one.
    """
    is_private = invited is not None
    created = TableCreated(creator="creator", ruleset_revision=revision, deals=1, is_private=is_private)
    invitations = [Event(players_invited=PlayersInvited(player_ids=invited))] if invited else []
    return Commit(
        table_id=table_id,
        ruleset_id=ruleset_id,
        version=1,
        time_ms=1,
        actor="creator",
        command_id="open",
        events=[Event(table_created=created), *invitations],
    )


def a_season(seed: int, deals: int) -> list[Commit]:
    """Deals of nine players and two personas, some void and some left, with many equal totals and times."""
    chance = random.Random(seed)
    names = [*(f"p{number}" for number in range(9)), "bot:plain", "bot:tilt"]
    season = []
    for deal in range(deals):
        points = chance.choice([0, 1, 2, 4])
        players = chance.sample(names, 4) if chance.random() < 0.9 else [chance.choice(names) for _ in "1234"]
        place, number, time_ms = f"t{deal % 7}", deal // 7 + 1, chance.choice(_TIMES) + chance.randrange(50)
        if chance.random() < 0.1:
            season.append(voiding_commit(place, number, players, time_ms=time_ms))
            continue
        scores = [points, -points, points, -points]
        commit = settling_commit(place, number, players, scores, time_ms=time_ms)
        if chance.random() < 0.1:
            commit.events[-1].deal_settled.forfeited.append(chance.randrange(4))
        season.append(commit)
    return season


_TIMES = (1_700_000_000_000, 1_700_086_400_000, 1_706_000_000_000)
"""Two days of one season, and another season."""
