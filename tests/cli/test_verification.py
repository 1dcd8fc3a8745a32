"""The public record of a table, checked by the rules alone."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from random import Random

import pytest

from kit.pure_table import PureTable, opened
from shuangkou.cli.verification import OF_THE_TABLE, Verdict, verify_commits
from shuangkou.engine.commands import HostSeat, ReclaimSeat
from shuangkou.engine.table import Phase
from shuangkou.rules.cards import Card
from shuangkou.rules.ruleset import available, load
from shuangkou.rules.seats import SEATS
from shuangkou.v1 import events_pb2
from shuangkou.wire.cards import cards_from_wire, cards_to_wire
from shuangkou.wire.families import codec_for
from shuangkou.wire.refusals import MalformedMessage


@cache
def record_of(ruleset_id: str, seed: int = 3) -> tuple[bytes, ...]:
    """Every public commit of two deals of random play, cards drawn at once."""
    rng = Random(seed)
    pure = opened(deals=2, ruleset=load(ruleset_id))
    while pure.table.phase is not Phase.FINISHED:
        pure.go_on(rng)
    return tuple(stored.public for stored in pure.log)


def commits_of(ruleset_id: str) -> list[events_pb2.Commit]:
    return [events_pb2.Commit.FromString(public) for public in record_of(ruleset_id)]


def faults(verdict: Verdict) -> str:
    return "; ".join((*verdict.faults, *(fault for deal in verdict.deals for fault in deal.faults)))


@pytest.mark.parametrize("ruleset_id", available())
def test_a_record_agrees_with_the_rules(ruleset_id: str) -> None:
    verdict = verify_commits(commits_of(ruleset_id))
    assert verdict.agrees, faults(verdict)
    assert len(verdict.deals) >= 2
    assert all(deal.acts or deal.untold for deal in verdict.deals)


@pytest.mark.parametrize("ruleset_id", ["qq", "zsy", "single54", "staff25", "sheng_nokitty4", "fanzhu"])
def test_a_deal_with_nothing_hidden_is_checked_to_its_last_act(ruleset_id: str) -> None:
    verdict = verify_commits(commits_of(ruleset_id))
    assert any(not deal.untold and deal.acts > 30 for deal in verdict.deals)


def first(commits: list[events_pb2.Commit], kind: str, after: int = 0) -> events_pb2.Event:
    return next(
        event for commit in commits[after:] for event in commit.events if event.WhichOneof("event") == kind
    )


def another_card(commits: list[events_pb2.Commit]) -> None:
    play = first(commits, "cards_played").cards_played
    other = Card((cards_from_wire(play.cards[:1])[0] + 1) % len(Card))
    play.cards[0] = cards_to_wire((other,))[0]


def another_winner(commits: list[events_pb2.Commit]) -> None:
    ended = first(commits, "trick_ended").trick_ended
    ended.winner = (ended.winner + 1) % 4


def another_score(commits: list[events_pb2.Commit]) -> None:
    first(commits, "deal_settled").deal_settled.scores[0] += 1


def another_total(commits: list[events_pb2.Commit]) -> None:
    first(commits, "deal_settled").deal_settled.totals[1] += 1


def another_seed(commits: list[events_pb2.Commit]) -> None:
    first(commits, "deal_settled").deal_settled.seed = bytes(32)


def a_gap(commits: list[events_pb2.Commit]) -> None:
    del commits[5]


def another_final_total(commits: list[events_pb2.Commit]) -> None:
    first(commits, "match_finished").match_finished.totals[2] += 5


FORGERIES: list[Callable[[list[events_pb2.Commit]], None]] = [
    another_card,
    another_winner,
    another_score,
    another_total,
    another_seed,
    a_gap,
    another_final_total,
]


@pytest.mark.parametrize("forge", FORGERIES, ids=lambda forge: forge.__name__)
@pytest.mark.parametrize("ruleset_id", ["qq", "single54", "multi2"])
def test_a_forged_record_is_found_out(
    ruleset_id: str, forge: Callable[[list[events_pb2.Commit]], None]
) -> None:
    commits = commits_of(ruleset_id)
    forge(commits)
    verdict = verify_commits(commits)
    assert not verdict.agrees
    assert faults(verdict)


def test_a_deal_that_is_still_played_is_left_out() -> None:
    commits = commits_of("qq")
    verdict = verify_commits(commits[:20])
    assert verdict.is_open
    assert verdict.agrees
    assert verdict.deals == []


KINDS = [kind.name for kind in events_pb2.Event.DESCRIPTOR.oneofs_by_name["event"].fields]
LATER = ""
"""An event that this program does not know yet."""


def event_of(kind: str) -> events_pb2.Event:
    event = events_pb2.Event()
    if kind:
        getattr(event, kind).SetInParent()
    return event


def first_play(commits: list[events_pb2.Commit]) -> int:
    return next(
        at
        for at, commit in enumerate(commits)
        if any(event.HasField("cards_played") for event in commit.events)
    )


def beside_a_play(commits: list[events_pb2.Commit], kind: str) -> None:
    commit = commits[first_play(commits)]
    told = [event_of(kind), *commit.events]
    del commit.events[:]
    commit.events.extend(told)


def alone(commits: list[events_pb2.Commit], kind: str) -> None:
    commits.insert(first_play(commits), events_pb2.Commit(events=[event_of(kind)]))
    for version, commit in enumerate(commits, start=1):
        commit.version = version


def first_deal(ruleset_id: str) -> list[events_pb2.Commit]:
    commits = commits_of(ruleset_id)
    ends = (at for at, commit in enumerate(commits) if commit.events[-1].HasField("deal_settled"))
    return commits[: next(ends) + 1]


@pytest.mark.parametrize(
    ("ruleset_id", "put"), [("qq", alone), ("qq", beside_a_play), ("sheng_basic", alone)]
)
@pytest.mark.parametrize("kind", KINDS)
def test_every_event_is_judged_wherever_it_stands(
    kind: str, ruleset_id: str, put: Callable[[list[events_pb2.Commit], str], None]
) -> None:
    commits = first_deal(ruleset_id)
    put(commits, kind)
    verdict = verify_commits(commits)
    if kind in OF_THE_TABLE:
        assert verdict.agrees, faults(verdict)
    else:
        assert faults(verdict) or verdict.deals[0].untold


@pytest.mark.parametrize("put", [beside_a_play, alone])
def test_an_event_of_a_later_engine_ends_what_can_be_decided(
    put: Callable[[list[events_pb2.Commit], str], None],
) -> None:
    commits = commits_of("qq")
    put(commits, LATER)
    verdict = verify_commits(commits)
    assert verdict.agrees, faults(verdict)
    assert "an event of a later engine" in verdict.deals[0].untold


def is_of_a_game(kind: str) -> bool:
    """Whether a family of games has such an event."""
    for ruleset_id in ("qq", "sheng_basic"):
        ruleset = load(ruleset_id)
        try:
            codec_for(ruleset).event_from_wire(opened(ruleset=ruleset).table.match, event_of(kind))
        except MalformedMessage as error:
            if error.code == "request/no_such_event":
                continue
        return True
    return False


@pytest.mark.parametrize("kind", KINDS)
def test_an_event_is_of_a_game_or_of_the_table(kind: str) -> None:
    assert is_of_a_game(kind) is (kind not in OF_THE_TABLE)


def long_thought(pure: PureTable) -> None:
    """The seat to act needs some of its time bank, and an outage comes in between."""
    pure.credit(lost_ms=1_500)
    pure.now_ms = pure.table.clocks.turn_ms + 700
    pure.act_default(lost_ms=250)


def let_two_deadlines_pass(pure: PureTable) -> None:
    pure.let_time_pass()
    pure.perform(HostSeat(SEATS[1]))
    pure.perform(ReclaimSeat(SEATS[1]))
    pure.let_time_pass()


def test_what_happens_to_the_clocks_and_seats_of_a_table_is_no_matter_of_its_deals() -> None:
    rng = Random(5)
    pure = opened(ruleset=load("qq"))
    pure.go_on(rng)
    long_thought(pure)
    let_two_deadlines_pass(pure)
    while pure.table.phase is not Phase.FINISHED:
        pure.go_on(rng)
    commits = [events_pb2.Commit.FromString(stored.public) for stored in pure.log]
    told = {event.WhichOneof("event") for commit in commits for event in commit.events}
    assert {"time_bank_used", "time_credited", "seat_hosted", "seat_reclaimed", "deadline_passed"} <= told
    verdict = verify_commits(commits)
    assert verdict.agrees, faults(verdict)
    assert not verdict.deals[0].untold
