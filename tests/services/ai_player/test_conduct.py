"""No tier ever makes an act that is late or against the rules, in no ruleset.

Thorough, each pair plays a thousand deals of every ruleset, in chunks that can be run one by one:
`--hypothesis-profile=thorough -k "multi2 and instant-beginner and chunk7-"`.
"""

from __future__ import annotations

import pytest

from kit.clocks import clock_of_conduct
from kit.effort import rounds
from shuangkou.ai_player.arena import seeds_from
from shuangkou.ai_player.tournament import Terms, contest
from shuangkou.rules.ruleset import available

RULESETS = ("qq", "multi2") if rounds(few=1, many=2) == 1 else available()
CHUNKS = range(rounds(few=1, many=20))
A_CHUNK = rounds(few=1, many=25)
"""Duplicate deals: each is played twice, with the sides swapped."""
BUDGET_MS = 2.0


@pytest.mark.parametrize("chunk", CHUNKS, ids=lambda chunk: f"chunk{chunk}-")
@pytest.mark.parametrize("pair", [("instant", "beginner"), ("strong", "instant")], ids="-".join)
@pytest.mark.parametrize("id", RULESETS)
def test_no_act_is_late_or_against_the_rules(id: str, pair: tuple[str, str], chunk: int) -> None:
    terms = Terms(id, *pair, budget_ms=BUDGET_MS, clock=clock_of_conduct())
    seeds = seeds_from("conduct", (chunk + 1) * A_CHUNK)[chunk * A_CHUNK :]
    acts = 0
    for played in contest(terms, seeds):
        for name, conduct in zip(pair, played.conducts, strict=True):
            assert (conduct.illegal, conduct.late) == (0, 0), (name, max(conduct.milliseconds))
            acts += len(conduct.milliseconds)
    assert acts >= 2 * A_CHUNK
