"""How long somebody is told to wait."""

from __future__ import annotations

from statistics import median

from hypothesis import given
from hypothesis import strategies as st

from shuangkou.matchmaking.waits import Waits
from shuangkou.v1.matchmaking_pb2 import TICKET_MODE_CASUAL, TICKET_MODE_RANKED

_QUEUE = ("qq", TICKET_MODE_CASUAL)
_LAST = st.lists(st.tuples(st.booleans(), st.integers(0, 100_000)), max_size=64)


def after(seated: list[tuple[bool, int]]) -> Waits:
    """What is known when so many were seated: whether bots would do, and how long they waited."""
    waits = Waits()
    for takes_bots, waited_ms in seated:
        waits.add(*_QUEUE, takes_bots, waited_ms)
    return waits


@given(_LAST, st.booleans(), st.integers(0, 120_000))
def test_an_estimate_is_what_half_of_those_like_it_waited(
    seated: list[tuple[bool, int]], takes_bots: bool, waited_ms: int
) -> None:
    more_ms = after(seated).more_ms(_QUEUE, takes_bots, waited_ms)
    like_it = [waited for bots, waited in seated if bots == takes_bots and waited > waited_ms]
    if len(like_it) < 4:
        assert more_ms is None
    else:
        assert more_ms == int(median(like_it)) - waited_ms
        assert more_ms > 0


def test_nobody_is_told_what_others_waited_for_another_thing() -> None:
    waits = after([(True, 10_000)] * 8)
    assert waits.more_ms(_QUEUE, True, 4_000) == 6_000
    assert waits.more_ms(_QUEUE, False, 4_000) is None
    assert waits.more_ms(("qq", TICKET_MODE_RANKED), True, 4_000) is None
    assert waits.more_ms(_QUEUE, True, 10_000) is None
    assert waits.usual_ms(*_QUEUE) == 10_000
