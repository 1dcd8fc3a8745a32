"""docs/rules/climbing.md, "Events": events are rows of options beside those of a ruleset."""

from dataclasses import fields

import pytest

from shuangkou.rules.match_events import (
    SPECS,
    AtBell,
    BadEventOption,
    DecidedBy,
    EventOptions,
    MatchEvent,
    MatchEventError,
    UnknownEvent,
    UnsuitableRuleSet,
    available_events,
    load_event,
    suitable_rulesets,
)
from shuangkou.rules.ruleset import available, load
from shuangkou.rules.vectors import Verdict, run_vector

ELDERS, ROUNDS = load_event("ev_elder"), load_event("ev_swiss")
EVENTS = tuple(map(load_event, available_events()))


@pytest.mark.parametrize("event", EVENTS, ids=available_events())
def test_an_event_is_a_row_on_a_ruleset_as_it_is(event: MatchEvent) -> None:
    """Events: nothing of the game changes, and no event is a ruleset."""
    assert event.id not in available()
    assert event.on(load(event.ruleset)) is event
    assert event.name_en.isascii()
    assert event.description_en.isascii()
    assert not event.name_zh.isascii()
    assert not event.description_zh.isascii()
    assert event.chosen == {}


@pytest.mark.parametrize("event", EVENTS, ids=available_events())
def test_every_option_has_a_meaning_and_every_choice_can_be_chosen(event: MatchEvent) -> None:
    assert [row.key for row in event.option_rows] == [option.name for option in fields(EventOptions)]
    for row in event.option_rows:
        assert row.description_en.isascii()
        assert not row.description_zh.isascii()
        assert row.value == row.default
        assert row.default in row.allowed
        for value in row.allowed:
            chosen = event.with_options({row.key: value})
            assert chosen.chosen == ({} if value == row.default else {row.key: value})
            assert event.with_options(chosen.chosen) == chosen


def test_the_rows_have_the_ruled_times() -> None:
    """Events 1, 2."""
    elders, rounds = ELDERS.options, ROUNDS.options
    assert (elders.deal_seconds, ELDERS.round_seconds, elders.lot_after) == (30 * 60, 0, 3)
    assert rounds.deal_seconds == 0
    assert [ROUNDS.with_options({"round": n}).round_seconds for n in "123"] == [7200, 7200, 3600]
    assert (elders.decided_by, elders.at_bell) == (DecidedBy.DEAL, AtBell.LESS_THINKING)
    assert (rounds.decided_by, rounds.at_bell) == (DecidedBy.TOTALS, AtBell.FINISHED)


def test_what_there_is_not_is_refused_with_what_there_is() -> None:
    with pytest.raises(UnknownEvent, match="ev_elder, ev_swiss"):
        load_event("ev_other")
    with pytest.raises(BadEventOption, match="no option 'rounds'; there are decided_by, "):
        ROUNDS.with_options({"rounds": "1"})
    with pytest.raises(BadEventOption, match="must be one of 1, 2, 3, not '4'"):
        ROUNDS.with_options({"round": "4"})
    with pytest.raises(BadEventOption, match="must be one of deal, not 'totals'"):
        ELDERS.with_options({"decided_by": "totals"})
    for kind in (UnknownEvent, BadEventOption, UnsuitableRuleSet):
        assert issubclass(kind, MatchEventError)


@pytest.mark.parametrize("event", EVENTS, ids=available_events())
def test_an_event_fits_where_the_same_two_sides_meet_until_it_says_who_won(event: MatchEvent) -> None:
    """Events 3: not where a face-up card or a rotation makes the sides, nor where points end the match."""
    assert suitable_rulesets(event) == ("bid52", "jipai", "landlord52", "qq", "zsy")
    for id in set(available()) - set(suitable_rulesets(event)):
        with pytest.raises(UnsuitableRuleSet, match=f"{event.id} cannot be played with {id}, .*: bid52, "):
            event.on(load(id))
    with pytest.raises(UnsuitableRuleSet, match="ends a match itself"):
        event.on(load("activity54"))
    with pytest.raises(UnsuitableRuleSet, match="not the same two sides"):
        event.on(load("jj"))


def test_the_kinds_of_options_can_be_told_to_a_client() -> None:
    assert {spec.kind.value for spec in SPECS.values()} <= {"choice", "integer", "table"}


@pytest.mark.parametrize(
    ("vector", "verdict"),
    [
        ({"variant": "ev_elder", "think_ms": [9, 1, 9, 1], "winner_side": 1, "replay": False}, Verdict.OK),
        ({"variant": "ev_elder", "think_ms": [9, 9, 9, 9], "winner_side": None, "replay": True}, Verdict.OK),
        ({"variant": "ev_elder", "order": [0, 1, 2, 3], "winner_side": 1}, Verdict.MISMATCH),
        ({"variant": "ev_swiss", "think_ms": [9, 1, 9, 1], "winner_side": 1}, Verdict.MISMATCH),
    ],
)
def test_vectors_of_events(vector: dict[str, object], verdict: Verdict) -> None:
    assert run_vector(vector | {"kind": "settle"}).verdict is verdict
