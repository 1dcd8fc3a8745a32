"""A search that has no time for a single world of its candidates leaves the act to the rule policy, instead
of finding out how long a world takes by playing one: of four packs that was 15 ms."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from kit.clocks import ticking
from kit.core_deals import ready_to_play as climbing_deal
from kit.core_tricks import ready_to_play as tricks_deal
from shuangkou.ai_player.climbing import core_policy as climbing_policy
from shuangkou.ai_player.personas import PLAIN
from shuangkou.ai_player.tricks import core_policy as tricks_policy
from shuangkou.fastplay.climbing import search as climbing
from shuangkou.fastplay.tricks import search as tricks
from shuangkou.rules.decider import decider_for
from shuangkou.rules.ruleset import load

ROOMY_MS, SCARCE_MS = 60.0, 4.0


def climbing_worlds(id: str, number: int, budget_ms: float) -> int:
    ruleset = load(id)
    state, decider = climbing_deal(ruleset, number), decider_for(ruleset)
    view: Any = decider.observe(state, decider.actors(state)[0])
    game, desk, seat = climbing_policy.ready(ruleset.options, view, PLAIN)
    return climbing.search(game, view, seat, desk, budget_ms, ticking()).worlds


def tricks_worlds(id: str, number: int, budget_ms: float) -> int:
    ruleset = load(id)
    state, decider = tricks_deal(ruleset, number), decider_for(ruleset)
    view: Any = decider.observe(state, decider.actors(state)[0])
    desk = tricks_policy.desk_of(PLAIN, view)
    return tricks.search(ruleset.options, view, view.seat, desk, budget_ms, ticking()).worlds


@pytest.mark.parametrize(
    ("worlds", "id"),
    [(climbing_worlds, "qq"), (climbing_worlds, "baibian"), (tricks_worlds, "multi2")],
    ids=["qq", "baibian", "multi2"],
)
def test_no_world_is_begun_that_would_end_too_late(worlds: Callable[..., int], id: str) -> None:
    numbers = [number for number in range(12) if worlds(id, number, ROOMY_MS)]
    assert len(numbers) > 6
    assert not any(worlds(id, number, SCARCE_MS) for number in numbers)
