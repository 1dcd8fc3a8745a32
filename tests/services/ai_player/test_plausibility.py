"""Every view that an engine sends is taken for one, in whatever game, and what no engine sends is refused."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest

from kit.effort import rounds
from kit.pure_table import PureTable, opened
from shuangkou.ai_player.families import mind_for
from shuangkou.ai_player.view_reading import check_genuine, read_view
from shuangkou.engine.table import Phase
from shuangkou.engine.views import seat_view
from shuangkou.rules.ruleset import available, load
from shuangkou.v1.table_pb2 import SeatView
from shuangkou.wire.views import ruleset_of_view


def check(message: SeatView) -> None:
    """Whatever an advisor checks of a view that somebody brings."""
    ruleset = ruleset_of_view(message)
    check_genuine(message, ruleset, read_view(message, ruleset))


def played(game: str, rng: Random, deals: int) -> Iterator[PureTable]:
    """A table before each act of a match that is played by chance."""
    pure = opened(ruleset=load(game), deals=deals)
    while pure.table.phase is not Phase.FINISHED:
        pure.go_on(rng)
        yield pure


@pytest.mark.parametrize("game", available())
def test_no_view_that_an_engine_sends_is_refused(game: str) -> None:
    mind_for(load(game)).prepare(load(game).options)
    asked = 0
    for seed in range(rounds(2, 100)):
        for pure in played(game, Random(f"{game}/{seed}"), 3):
            for seat in pure.table.actors if pure.table.phase is Phase.DEAL else ():
                check(seat_view(pure.table, seat))
                asked += 1
    assert asked
