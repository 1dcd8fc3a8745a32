"""What a player types before play."""

from __future__ import annotations

import pytest

from shuangkou.cli.calls import PHASE_QUESTIONS, Holding, act_text, read_call
from shuangkou.cli.tricks_asking import tricks_question
from shuangkou.rules.climbing.commands import (
    Bid,
    CallLandlord,
    DeclareCombination,
    ExchangeCards,
    GrabLandlord,
    MarkCard,
    PhaseAct,
    TakeFromKitty,
)
from shuangkou.rules.commands import BuryKitty
from shuangkou.rules.notation import parse_cards
from shuangkou.rules.seats import SEATS
from shuangkou.v1 import events_pb2, table_pb2
from shuangkou.wire.cards import cards_to_wire
from shuangkou.wire.commands import act_of, put_act

HAND = parse_cards("3s 4h 5c 6d 7s Kh Kd")
KITTY = parse_cards("2s 9h")
SEAT = SEATS[1]

CALLS: list[tuple[str, PhaseAct]] = [
    ("bid 2", Bid(SEAT, 2)),
    ("叫分 3", Bid(SEAT, 3)),
    ("call", CallLandlord(SEAT)),
    ("叫地主", CallLandlord(SEAT)),
    ("GRAB", GrabLandlord(SEAT)),
    ("declare 34567", DeclareCombination(SEAT, HAND[:5])),
    ("bury 3 K", BuryKitty(SEAT, parse_cards("3s Kh"))),
    ("take 9", TakeFromKitty(SEAT, parse_cards("9h"))),
    ("take all", TakeFromKitty(SEAT, KITTY)),
    ("take none", TakeFromKitty(SEAT, ())),
    ("exchange all", ExchangeCards(SEAT, HAND)),
    ("exchange 3 5", ExchangeCards(SEAT, parse_cards("3s 5c"))),
    ("换牌 不换", ExchangeCards(SEAT, ())),
    ("mark kd", MarkCard(SEAT, parse_cards("Kd")[0])),
]


@pytest.mark.parametrize(("line", "act"), CALLS, ids=[line for line, _ in CALLS])
def test_calls(line: str, act: PhaseAct) -> None:
    request = read_call(line, Holding(HAND, KITTY))
    assert request is not None
    assert act_of(request, SEAT) == act


@pytest.mark.parametrize("line", ["3 4", "pass", "legal", "#2", ""])
def test_anything_else_is_no_call(line: str) -> None:
    assert read_call(line, Holding(HAND, KITTY)) is None


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("bid", "bid 2"),
        ("bid much", "bid 2"),
        ("call me", "nothing can follow"),
        ("bury", "bury 3 5"),
        ("bury 9", "you hold no 9"),
        ("take 3", "you hold no 3"),
        ("take", "take all or take none"),
        ("mark 3 4", "mark one card"),
    ],
)
def test_what_means_nothing_is_explained(line: str, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        read_call(line, Holding(HAND, KITTY))


@pytest.mark.parametrize(("line", "act"), CALLS, ids=[line for line, _ in CALLS])
def test_an_act_is_listed_in_words_that_can_be_typed(line: str, act: PhaseAct) -> None:
    listed = table_pb2.LegalAct()
    put_act(listed, act)
    first = act_text(listed).plain.split()[0]
    request = read_call(f"{first} {line.partition(' ')[2]}", Holding(HAND, KITTY))
    assert request is not None
    assert act_of(request, SEAT) == act


def test_every_phase_before_play_asks_its_question() -> None:
    phases = set(events_pb2.DealPhase.values())
    asks_nobody = {events_pb2.DEAL_PHASE_UNSPECIFIED, events_pb2.DEAL_PHASE_DRAW, events_pb2.DEAL_PHASE_PLAY}
    asked_in_tricks = {
        phase
        for phase in phases
        if tricks_question(table_pb2.SeatView(tricks=table_pb2.TricksView(phase=phase))) is not None
    }
    assert set(PHASE_QUESTIONS) | asked_in_tricks == phases - asks_nobody


SUITED = Holding(parse_cards("5h 5h 5s 7c LJ"), (), suited=True)


@pytest.mark.parametrize(
    ("line", "shown", "returned"),
    [
        ("declare 5h", "5h", ""),
        ("亮主 5h 5h", "5h 5h", ""),
        ("declare LJ 5s", "LJ 5s", ""),
        ("反主 5h 5h back 5s 7c", "5h 5h", "5s 7c"),
        ("declare 7", "7c", ""),
    ],
)
def test_cards_are_shown_for_trump(line: str, shown: str, returned: str) -> None:
    request = read_call(line, SUITED)
    assert request is not None
    show = request.declare_trump
    assert sorted(show.cards) == sorted(cards_to_wire(parse_cards(shown)))
    assert sorted(show.returned) == sorted(cards_to_wire(parse_cards(returned)))


def test_a_rank_of_several_suits_is_asked_about_where_suits_matter() -> None:
    with pytest.raises(ValueError, match="several suits"):
        read_call("declare 5", SUITED)
    request = read_call("bury 5 5 5", SUITED)
    assert request is not None
    assert len(request.bury_kitty.cards) == 3
