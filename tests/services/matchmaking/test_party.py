"""Whether two partners can meet, and what one is told of the other's wish."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from kit.tickets import queued
from shuangkou.matchmaking.party import are_at_odds, wish_in_words
from shuangkou.matchmaking.unit import unit_of
from shuangkou.rules.ruleset import load
from shuangkou.v1.events_pb2 import EventTerms
from shuangkou.v1.matchmaking_pb2 import (
    TICKET_MODE_CASUAL,
    TICKET_MODE_RANKED,
    TICKET_STATE_CANCELLED,
    TICKET_STATE_WAITING,
    Game,
)

GAMES = st.builds(Game, ruleset_id=st.sampled_from(("qq", "zsy")), deals=st.integers(1, 2))
WISHES = st.fixed_dictionaries(
    {
        "deals": st.integers(1, 2),
        "or_games": st.lists(GAMES, max_size=2),
        "mode": st.sampled_from((TICKET_MODE_CASUAL, TICKET_MODE_RANKED)),
        "region": st.sampled_from(("", "cn-east")),
        "state": st.sampled_from((TICKET_STATE_WAITING, TICKET_STATE_WAITING, TICKET_STATE_CANCELLED)),
        "partner_id": st.sampled_from(("p1", "p2", "p2", "p1", "p9")),
    }
)


@given(WISHES, WISHES)
def test_partners_are_at_odds_just_where_they_can_never_meet(
    one: dict[str, Any], other: dict[str, Any]
) -> None:
    first, second = queued(1, **one), queued(2, **other)
    wait_for_each_other = (one["partner_id"], other["partner_id"]) == ("p2", "p1") and one["state"] == other[
        "state"
    ] == TICKET_STATE_WAITING
    can_meet = (one["mode"], one["region"]) == (other["mode"], other["region"]) and unit_of(
        first, second
    ).games
    assert are_at_odds(first.ticket, second.ticket) == (wait_for_each_other and not can_meet)
    assert are_at_odds(second.ticket, first.ticket) == are_at_odds(first.ticket, second.ticket)


def test_a_wish_reads_as_it_was_asked() -> None:
    event = EventTerms(event_id="ev_elder", options={"a": "1"})
    other = Game(ruleset_id="zsy", event=event)
    ticket = queued(1, options={"turn_seconds": "60"}, or_games=[other], region="cn-east").ticket
    assert wish_in_words(ticket) == (
        "qq (turn_seconds=60, deals=1) or zsy (event ev_elder, a=1), casual, region cn-east"
    )


def test_even_the_longest_wish_fits_a_refusal() -> None:
    options = {row.key: row.value for row in load("qq").option_rows}
    others = [Game(ruleset_id="qq", deals=deals, options=options) for deals in range(2, 10)]
    assert len(wish_in_words(queued(1, options=options, or_games=others).ticket)) < 500
