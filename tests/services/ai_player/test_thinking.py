"""How long bots take: as their character among people, not at all where nobody waits for a pause."""

from __future__ import annotations

import asyncio
import time

import pytest

from shuangkou.ai_player.personas import PERSONAS, PLAIN, Persona, persona_of
from shuangkou.ai_player.thinking import Thinking, acts_at
from shuangkou.v1.events_pb2 import Commit, Next
from shuangkou.v1.table_pb2 import Occupant, SeatState, SeatView

NOW_MS = 1_800_000_000_000


def commit_at(version: int = 7, clock_ms: int = 60_000) -> Commit:
    """A commit after which a bot has so long."""
    return Commit(
        table_id="t", version=version, time_ms=NOW_MS, next=Next(seats=[1], deadline_ms=NOW_MS + clock_ms)
    )


def view_of(*occupants: Occupant, hosted: int | None = None, forfeited: int | None = None) -> SeatView:
    """Seat 1's view of a table of these."""
    seats = [
        SeatState(seat=seat, occupant=occupant, hosted=seat == hosted, forfeited=seat == forfeited)
        for seat, occupant in enumerate(occupants)
    ]
    return SeatView(seat=1, seats=seats)


PERSON, BOT = Occupant(player_id="ann"), Occupant(persona="plain")
AMONG_PEOPLE = view_of(PERSON, BOT, BOT, BOT)


def thought(view: SeatView, persona: Persona, commit: Commit, times: float = 1.0) -> float:
    """Seconds after the commit."""
    return acts_at(commit, view, persona, times) - NOW_MS / 1000


@pytest.mark.parametrize("persona", PERSONAS, ids=lambda persona: persona.id)
def test_a_persona_takes_its_own_time(persona: Persona) -> None:
    times = [thought(AMONG_PEOPLE, persona, commit_at(version)) for version in range(200)]
    least, most = persona.think_seconds
    assert least - 0.01 <= min(times) < max(times) <= most + 0.01
    assert max(times) - min(times) > 0.8 * (most - least)


def test_no_persona_uses_more_than_half_its_clock() -> None:
    slowest = persona_of("steady")
    assert max(thought(AMONG_PEOPLE, slowest, commit_at(v, 5000)) for v in range(50)) <= 2.501
    assert thought(AMONG_PEOPLE, slowest, commit_at(clock_ms=-1000)) == pytest.approx(0)


def test_whoever_takes_the_work_over_waits_for_the_same_moment() -> None:
    assert acts_at(commit_at(), AMONG_PEOPLE, PLAIN, 1.0) == acts_at(commit_at(), AMONG_PEOPLE, PLAIN, 1.0)


@pytest.mark.parametrize(
    "view",
    [
        view_of(BOT, BOT, BOT, BOT),
        view_of(PERSON, BOT, BOT, BOT, forfeited=0),
    ],
    ids=["bots alone", "nobody who will come back"],
)
def test_nobody_is_kept_waiting_for_nothing(view: SeatView) -> None:
    assert thought(view, PLAIN, commit_at()) == pytest.approx(0)


@pytest.mark.parametrize("others", [(BOT, BOT, BOT), (PERSON, BOT, BOT)])
def test_who_is_hosted_has_time_to_take_the_seat_back(others: tuple[Occupant, ...]) -> None:
    assert thought(view_of(PERSON, *others, hosted=0), PLAIN, commit_at()) > 0


def test_a_suite_may_have_its_bots_play_at_once() -> None:
    assert thought(AMONG_PEOPLE, PLAIN, commit_at(), times=0) == pytest.approx(0)


async def test_bots_that_think_never_keep_the_others_from_their_turn() -> None:
    commit = commit_at()
    commit.time_ms = int(time.time() * 1000)
    commit.next.deadline_ms = commit.time_ms + 60_000
    thinking = Thinking(times=1.0, most=2)
    thinkers = [asyncio.create_task(thinking.wait(commit, AMONG_PEOPLE, PLAIN)) for _ in range(2)]
    await asyncio.sleep(0)
    assert await thinking.wait(commit, AMONG_PEOPLE, PLAIN) == 0
    for thinker in thinkers:
        thinker.cancel()
    await asyncio.gather(*thinkers, return_exceptions=True)
    again = asyncio.create_task(thinking.wait(commit, AMONG_PEOPLE, PLAIN))
    await asyncio.sleep(0)
    assert not again.done()
    again.cancel()
