"""The rules make the same of the facts of every deal that was really played; and nothing else passes."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kit.pure_table import opened
from shuangkou.engine.table import Phase
from shuangkou.rules.ruleset import available, load
from shuangkou.rules.seats import SEATS
from shuangkou.scoring.postings import entries_of
from shuangkou.scoring.settlement import Settlement, settlement_of
from shuangkou.wire.families import contradiction


def played(ruleset_id: str, seed: int, deals: int = 2) -> list[Settlement]:
    """Deals of a table at which random legal acts were done, players that leave among them."""
    chance, table = Random(seed), opened(deals=deals, ruleset=load(ruleset_id))
    settled: list[Settlement] = []
    while table.table.phase is not Phase.FINISHED and len(settled) < deals:
        table.go_on(chance)
        commit = table.log[-1].commit
        if any(event.HasField("deal_settled") or event.HasField("deal_voided") for event in commit.events):
            settled.append(settlement_of(commit))
    return settled


@pytest.mark.parametrize("ruleset_id", available())
def test_the_rules_agree_with_every_deal_that_was_played(ruleset_id: str) -> None:
    ruleset = load(ruleset_id)
    for settlement in played(ruleset_id, seed=1):
        assert contradiction(ruleset, settlement.stored) == ""
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
    for settlement in played(ruleset_id, seed, deals=1):
        assert sum(settlement.stored.deal.coins) == 0
        assert sum(part.contribution for part in settlement.account.seats) == 0
        assert abs(sum(part.fine for part in settlement.account.seats)) < len(SEATS)
        if zero_sum(ruleset_id, settlement):
            fines = sum(part.fine for part in settlement.account.seats)
            assert sum(settlement.ending.scores) == fines
