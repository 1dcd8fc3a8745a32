"""Views on the wire: a client reads exactly what `observe` said."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from random import Random

import pytest
from google.protobuf.message import DecodeError
from hypothesis import given, settings
from hypothesis import strategies as st

from kit.climbing_table import PRIVATE
from kit.pure_table import PureTable, dealt, opened
from shuangkou.engine.table import Phase
from shuangkou.engine.views import seat_view
from shuangkou.rules.climbing.legal_acts import legal_acts_in_view
from shuangkou.rules.decider import decider_for
from shuangkou.rules.ruleset import RuleSet, load
from shuangkou.rules.seats import SEATS, Seat
from shuangkou.v1.table_pb2 import Play, SeatView
from shuangkou.wire.refusals import MalformedMessage
from shuangkou.wire.views import ruleset_of_view, seat_view_from_wire

SEED = st.binary(min_size=32, max_size=32)
VIEWERS: tuple[Seat | None, ...] = (*SEATS, None)


def sent(pure: PureTable, seat: Seat | None) -> SeatView:
    """The view as a client receives it."""
    return SeatView.FromString(seat_view(pure.table, seat).SerializeToString())


def check(pure: PureTable) -> None:
    table = pure.table
    for seat in VIEWERS:
        message = sent(pure, seat)
        assert seat_view_from_wire(message, ruleset_of_view(message)) == decider_for(table.ruleset).observe(
            table.match, seat
        )


def seeds(first: bytes) -> Iterator[bytes]:
    return (number.to_bytes(2, "big") + first[2:] for number in count())


@pytest.mark.parametrize("ruleset", PRIVATE.values(), ids=PRIVATE)
@given(seed=SEED)
@settings(max_examples=4)
def test_every_view_of_a_match_is_read_back_as_it_was_observed(ruleset: RuleSet, seed: bytes) -> None:
    pure = opened(deals=2, ruleset=ruleset)
    deal_seeds, rng = seeds(seed), Random(seed)
    while pure.table.phase is not Phase.FINISHED:
        if pure.table.version % 5 == 0 or pure.table.phase is Phase.BETWEEN_DEALS:
            check(pure)
        if pure.table.phase is Phase.DEAL:
            pure.play_lively(rng)
        else:
            pure.let_time_pass(next(deal_seeds))
    check(pure)


def test_a_table_with_open_seats_is_read_back_too() -> None:
    check(opened("alice", "", "carol", ""))


@pytest.mark.parametrize("ruleset_id", PRIVATE)
@given(seed=SEED)
@settings(max_examples=5)
def test_a_client_finds_the_legal_acts_that_the_engine_knows(ruleset_id: str, seed: bytes) -> None:
    pure = dealt(seed=seed, ruleset=PRIVATE[ruleset_id])
    for _ in range(20):
        seat = pure.table.actors[0]
        message = sent(pure, seat)
        ruleset = ruleset_of_view(message)
        acts = legal_acts_in_view(ruleset.options, seat_view_from_wire(message, ruleset))
        truth = decider_for(ruleset).legal_acts(pure.table.match, seat)
        assert (list(acts), acts.may_pass) == (list(truth), truth.may_pass)
        assert acts.others == truth.others
        pure.play_lowest()


def test_a_view_names_its_ruleset_and_options() -> None:
    ruleset = load("qq").with_options({"joker_bomb_mult": "4"})
    assert ruleset_of_view(sent(dealt(ruleset=ruleset), None)) == ruleset


def test_a_view_of_an_unknown_ruleset_is_malformed() -> None:
    with pytest.raises(MalformedMessage):
        ruleset_of_view(SeatView(ruleset_id="nobody"))
    with pytest.raises(MalformedMessage):
        ruleset_of_view(SeatView(ruleset_id="qq", options={"decks": "9"}))


def bad_views() -> dict[str, SeatView]:
    """Views that no engine sends."""
    pure = dealt(deals=2)
    for _ in range(9):
        pure.play_lowest()
    views = {}

    def variant(name: str) -> SeatView:
        views[name] = sent(pure, pure.table.actors[0])
        return views[name]

    variant("viewer").seat = 4
    variant("turn").climbing.turn = 9
    variant("leader").climbing.leader = 4
    variant("finish order").climbing.finish_order.append(4)
    variant("history seat").climbing.history[0].seat = 4
    variant("history cards").climbing.history[0].cards.extend(variant("spare").hand)
    variant("trick").climbing.trick.append(Play(seat=77))
    variant("partner's hand").climbing.partner_hand.append(views["spare"].hand[0])
    variant("opening").climbing.opening.add().passed.seat = 1
    variant("contributions").climbing.contributions.append(6)
    variant("consents").climbing.consents.redeal.append(4)
    variant("card").hand.append(99)  # type: ignore[arg-type]  # no such card
    variant("many cards").hand.extend(list(views["spare"].hand) * 3)
    variant("card three times").hand[:] = [views["spare"].hand[0]] * len(views["spare"].hand)
    variant("hand size").hand.pop()
    del variant("three seats").seats[3]
    variant("result").last_settlement.climbing.finish_order.append(0)
    variant("settled seat").last_settlement.climbing.finish_order.extend([0, 9])
    views["settled seat"].last_settlement.climbing.result = 1  # type: ignore[assignment]  # a plain number
    variant("nobody settled").last_settlement.climbing.result = 1  # type: ignore[assignment]  # a plain number
    del views["spare"]
    return views


BAD_VIEWS = bad_views()


@pytest.mark.parametrize("fault", BAD_VIEWS)
def test_a_view_that_no_engine_sends_is_malformed(fault: str) -> None:
    with pytest.raises(MalformedMessage):
        seat_view_from_wire(BAD_VIEWS[fault], load("qq"))


@given(st.randoms(use_true_random=False), st.integers(0, 120), st.integers(1, 4))
@settings(max_examples=150)
def test_damaged_bytes_make_a_view_or_are_malformed(rng: Random, steps: int, damages: int) -> None:
    data = bytearray(GOOD[min(steps, len(GOOD) - 1)])
    for _ in range(damages):
        data[rng.randrange(len(data))] = rng.randrange(256)
    try:
        message = SeatView.FromString(bytes(data))
        view = seat_view_from_wire(message, ruleset_of_view(message))
    except (DecodeError, MalformedMessage):
        return
    if view.seat is not None:
        list(legal_acts_in_view(load("qq").options, view))


def _views_of_a_match() -> list[bytes]:
    pure = dealt(deals=2)
    views = []
    while pure.table.phase is not Phase.FINISHED:
        seat = pure.table.actors[0] if pure.table.actors else None
        views.append(seat_view(pure.table, seat).SerializeToString())
        pure.play_lowest() if pure.table.phase is Phase.DEAL else pure.let_time_pass()
    return views[::3]


GOOD = _views_of_a_match()
