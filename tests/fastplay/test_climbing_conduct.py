"""How the tiers behave at the table: whole deals of every ruleset without an act that is illegal or late."""

from __future__ import annotations

import pytest

from kit.clocks import clock_of_conduct
from kit.effort import rounds
from shuangkou.ai_player.arena import seeds_from
from shuangkou.ai_player.tournament import Terms, contest, outcome_of
from shuangkou.rules.ruleset import available

DEALS = rounds(few=2, many=500)
"""Each is played twice: thorough, every tier plays 1,000 deals of every ruleset."""
BUDGET_MS = 3.0


@pytest.mark.parametrize("id", available("climbing"))
@pytest.mark.parametrize("pair", [("strong", "instant"), ("beginner", "tilt")], ids="-".join)
@pytest.mark.timeout(3 * 3600)
def test_tiers_play_whole_deals_by_the_rules_and_in_time(id: str, pair: tuple[str, str]) -> None:
    terms = Terms(id, *pair, BUDGET_MS, clock_of_conduct())
    deals = list(contest(terms, seeds_from(f"conduct/{id}", DEALS)))
    for conduct in outcome_of(terms, "conduct", deals).conducts:
        assert conduct.milliseconds
        assert (conduct.illegal, conduct.late) == (0, 0)
