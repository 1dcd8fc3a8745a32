"""The rules make the same of the facts of every deal that was really played; and nothing else passes."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kit.pure_table import opened
from shuangkou.engine.table import Phase
from shuangkou.rules.ruleset import AnyRuleSet, available, load
from shuangkou.rules.seats import SEATS
from shuangkou.scoring.postings import entries_of
from shuangkou.scoring.settlement import Settlement, settlement_of
from shuangkou.v1.events_pb2 import Event, SettlementStored
from shuangkou.wire.families import codec_for, contradiction, needs_acts
from shuangkou.wire.refusals import MalformedMessage

POINTS_FOR_ACTS = [
    ruleset_id for ruleset_id in available() if codec_for(load(ruleset_id)).counts_acts(load(ruleset_id))
]


def told(ruleset_id: str, seed: int, deals: int = 2) -> list[tuple[Settlement, list[Event]]]:
    """Deals of a table at which random legal acts were done, and their events; players leave, too."""
    chance, table = Random(seed), opened(deals=deals, ruleset=load(ruleset_id))
    settled: list[tuple[Settlement, list[Event]]] = []
    acts: list[Event] = []
    while table.table.phase is not Phase.FINISHED and len(settled) < deals:
        table.go_on(chance)
        commit = table.log[-1].commit
        acts = [
            *([] if any(event.HasField("deal_started") for event in commit.events) else acts),
            *commit.events,
        ]
        if any(event.HasField("deal_settled") or event.HasField("deal_voided") for event in commit.events):
            settled.append((settlement_of(commit), acts))
    return settled


def played(ruleset_id: str, seed: int, deals: int = 2) -> list[Settlement]:
    """The same deals without their events."""
    return [settlement for settlement, _ in told(ruleset_id, seed, deals)]


@pytest.mark.parametrize("ruleset_id", available())
def test_the_rules_agree_with_every_deal_that_was_played(ruleset_id: str) -> None:
    ruleset = load(ruleset_id)
    for settlement, acts in told(ruleset_id, seed=1):
        assert contradiction(ruleset, settlement.stored, acts) == ""
        for entry, seat in zip(entries_of(settlement), settlement.seats, strict=True):
            parts = [entry[name] for name in ("base", "multiplier", "contribution", "fine")]
            base, multiplier, contribution, fine = (int(str(part)) for part in parts)
            assert base * multiplier + contribution + fine == entry["points"] == seat.points


@pytest.mark.parametrize("ruleset_id", available())
def test_no_score_can_be_changed_unseen(ruleset_id: str) -> None:
    ruleset = load(ruleset_id)
    for settlement in played(ruleset_id, seed=2, deals=1):
        stored = settlement.stored
        settlement.ending.scores[0] += 1
        assert contradiction(ruleset, stored)


@pytest.mark.parametrize("ruleset_id", POINTS_FOR_ACTS)
def test_points_for_acts_are_made_anew_of_them(ruleset_id: str) -> None:
    """No seat's points can be changed unseen, though all parts of the score fit, nor the winners."""
    ruleset, chance = load(ruleset_id), Random(1)
    for settlement, acts in told(ruleset_id, seed=5):
        if settlement.is_void:
            continue
        assert needs_acts(ruleset, settlement.stored)
        assert contradiction(ruleset, settlement.stored, acts) == ""
        for forged in (_with_more_points(settlement.stored, chance), _with_other_winners(settlement.stored)):
            assert contradiction(ruleset, forged) == ""
            assert contradiction(ruleset, forged, acts)
        with pytest.raises(MalformedMessage):
            contradiction(ruleset, settlement.stored, acts[1:])
        with pytest.raises(MalformedMessage):
            contradiction(ruleset, _of_another_seed(settlement.stored), acts)


def _with_more_points(stored: SettlementStored, chance: Random) -> SettlementStored:
    """A point more for one seat, in its score and in what that is made of."""
    forged, seat = _copied(stored), chance.randrange(len([name for name in stored.deal.players if name]))
    forged.deal.scores[seat] += 1
    part = forged.deal.climbing.breakdown[seat]
    part.contribution += 1
    return forged


def _with_other_winners(stored: SettlementStored) -> SettlementStored:
    forged = _copied(stored)
    forged.deal.winners[:] = [seat for seat in range(4) if seat not in stored.deal.winners]
    return forged


def _of_another_seed(stored: SettlementStored) -> SettlementStored:
    forged = _copied(stored)
    forged.deal.seed = bytes(32)
    return forged


def _copied(stored: SettlementStored) -> SettlementStored:
    copied = SettlementStored()
    copied.CopyFrom(stored)
    return copied


@pytest.mark.parametrize("ruleset_id", ["classic52", "classic54", "duel52"])
def test_a_play_that_was_left_out_is_seen(ruleset_id: str) -> None:
    """Its cards would still be held, and paid for."""
    ruleset = load(ruleset_id)
    deals = (deal for seed in range(9) for deal in told(ruleset_id, seed, deals=1))
    settlement, acts = next(deal for deal in deals if not deal[0].is_void)
    for place in [place for place, act in enumerate(acts) if act.HasField("cards_played")]:
        assert _complaint(ruleset, settlement.stored, [*acts[:place], *acts[place + 1 :]])


def _complaint(ruleset: AnyRuleSet, stored: SettlementStored, acts: list[Event]) -> str:
    try:
        return contradiction(ruleset, stored, acts)
    except MalformedMessage as error:
        return error.explanation


@pytest.mark.parametrize("ruleset_id", available("tricks"))
def test_no_fact_of_a_count_can_be_changed_unseen(ruleset_id: str) -> None:
    ruleset = load(ruleset_id)
    for settlement in played(ruleset_id, seed=4, deals=1):
        if not settlement.is_void:
            settlement.stored.deal.tricks.score += 40
            assert contradiction(ruleset, settlement.stored)


def zero_sum(ruleset_id: str, settlement: Settlement) -> bool:
    """Whether what one side gets the other pays, as the ruleset says."""
    options = load(ruleset_id).options
    scoring = getattr(options, "scoring").value  # noqa: B009  # each family has options of its own
    is_flat_draw = settlement.account.result == "draw" and not getattr(options, "draw_zero_sum", True)
    return scoring in ("conversion", "pips_left", "cards_left") or (scoring == "places" and not is_flat_draw)


@given(st.sampled_from(available()), st.integers(0, 10_000))
def test_the_ledger_sums_to_zero_where_the_ruleset_says_so(ruleset_id: str, seed: int) -> None:
    for settlement, acts in told(ruleset_id, seed, deals=1):
        assert contradiction(load(ruleset_id), settlement.stored, acts) == ""
        assert sum(settlement.stored.deal.coins) == 0
        assert sum(part.contribution for part in settlement.account.seats) == 0
        assert abs(sum(part.fine for part in settlement.account.seats)) < len(SEATS)
        if zero_sum(ruleset_id, settlement):
            fines = sum(part.fine for part in settlement.account.seats)
            assert sum(settlement.ending.scores) == fines
