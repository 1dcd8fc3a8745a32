"""The public record of a table, checked by the rules alone."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from random import Random

import pytest

from kit.pure_table import opened
from shuangkou.cli.verification import Verdict, verify_commits
from shuangkou.engine.table import Phase
from shuangkou.rules.cards import Card
from shuangkou.rules.ruleset import available, load
from shuangkou.v1 import events_pb2
from shuangkou.wire.cards import cards_from_wire, cards_to_wire


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
