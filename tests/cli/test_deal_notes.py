"""What a view tells of the deal beside hands and trick, and what may be typed."""

from __future__ import annotations

from typing import Any

import pytest
from rich.cells import cell_len

from shuangkou.cli.deal_notes import aside_lines, note_lines, sorted_kitty
from shuangkou.cli.legal import legal_lines
from shuangkou.cli.seat_view import score_lines, table_lines, turn_lines
from shuangkou.cli.table_help import help_text
from shuangkou.rules.notation import format_cards, parse_cards
from shuangkou.rules.ruleset import available, load
from shuangkou.v1 import cards_pb2, events_pb2, table_pb2
from shuangkou.wire.cards import cards_to_wire

Event = events_pb2.Event


def view(ruleset_id: str, hand: str = "3s 7h", **climbing: Any) -> table_pb2.SeatView:
    return table_pb2.SeatView(
        ruleset_id=ruleset_id,
        seat=0,
        hand=cards_to_wire(parse_cards(hand)),
        seats=[table_pb2.SeatState(seat=seat, hand_size=5) for seat in range(4)],
        deals=1,
        deal_number=1,
        climbing=table_pb2.ClimbingView(**climbing),
    )


def top(cards: str, rank: cards_pb2.Rank.ValueType) -> table_pb2.Play:
    single = events_pb2.Combination(kind=events_pb2.COMBINATION_KIND_SINGLE, rank=rank, length=1, size=1)
    return table_pb2.Play(seat=1, cards=cards_to_wire(parse_cards(cards)), combination=single)


def test_whatever_is_public_of_a_deal_is_told() -> None:
    told = note_lines(
        view(
            "landlord52",
            phase=events_pb2.DEAL_PHASE_TAKE,
            opening=[
                Event(bid_made=events_pb2.BidMade(seat=1, points=2)),
                Event(landlord_named=events_pb2.LandlordNamed(seat=1, bid=2)),
            ],
            finish_order=[2],
            cards_won=[4, 0, 8, 0],
            contributions=[6, -2, -2, -2],
            consents=table_pb2.Consents(forfeited=[3], redeal=[0], surrender=[1]),
        )
    )
    assert [line.plain for line in told] == [
        "  Phase 阶段: take from the kitty 拿底牌",
        "  Landlord 地主: South 南 for 2 分",
        "  Out 已出完: West 西 first 头游",
        "  Cards won 赢牌: East 东 4 · South 南 0 · West 西 8 · North 北 0",
        "  Contributions 贡献分: East 东 +6 · South 南 −2 · West 西 −2 · North 北 −2",
        "  Left for good 逃跑: North 北",
        "  Would surrender 投降: South 南",
        "  Want a new deal 重发: East 东",
    ]


def test_what_was_called_is_told_until_the_landlord_is_known() -> None:
    bid = Event(bid_made=events_pb2.BidMade(seat=3, points=2))
    passed = Event(call_passed=events_pb2.CallPassed(seat=0))
    told = note_lines(view("landlord52", phase=events_pb2.DEAL_PHASE_AUCTION, opening=[bid, passed]))
    assert told[-1].plain == "  Called 已叫: the 2 by North 北"


@pytest.mark.parametrize(
    ("ruleset_id", "label"),
    [("classic54", "You buried 已扣"), ("five5", "Stock 牌堆"), ("activity54", "Kitty 底牌")],
)
def test_what_lies_aside_is_named_as_the_game_names_it(ruleset_id: str, label: str) -> None:
    kitty = cards_to_wire(parse_cards("Kd 4s"))
    assert aside_lines(view(ruleset_id, kitty=kitty))[0].plain == f"  {label}: ♠4 ♦K"


def test_an_unseen_kitty_that_others_buried_is_a_kitty() -> None:
    assert aside_lines(view("classic54", kitty_size=2))[0].plain == "  Kitty 底牌: 2 unseen"


def test_a_kitty_stands_in_the_order_of_its_game() -> None:
    kitty = cards_to_wire(parse_cards("Ks 2h Ad"))
    assert format_cards(sorted_kitty(view("landlord52", kitty=kitty))) == "Ad 2h Ks"


@pytest.mark.parametrize(
    ("opening", "asked"),
    [
        ([], "Bid 叫分 1 to 3: bid 2, or call 叫地主, or pass 不叫"),
        ([Event(call_passed=events_pb2.CallPassed(seat=1))], "Bid 叫分 1 to 3: bid 2, or pass 不叫"),
        (
            [Event(bid_made=events_pb2.BidMade(seat=1, points=1))],
            "Bid 叫分 more than the 1 of South 南, at most 3, or pass 不叫",
        ),
        (
            [Event(landlord_called=events_pb2.LandlordCalled(seat=1))],
            "Grab 抢地主 the landlord from South 南, or pass 不抢",
        ),
    ],
)
def test_the_auction_asks_for_what_can_be_said(opening: list[Event], asked: str) -> None:
    seen = view("landlord52", phase=events_pb2.DEAL_PHASE_AUCTION, opening=opening)
    assert turn_lines(seen, 0)[-1].plain.strip() == asked


def test_cards_that_only_lie_beside_the_trick_are_marked_in_the_list() -> None:
    seen = view("easy52", trick=[top("5s", cards_pb2.RANK_FIVE)])
    plays = [
        table_pb2.LegalPlay(cards=top(cards, rank).cards, combination=top(cards, rank).combination)
        for cards, rank in (("3s", cards_pb2.RANK_THREE), ("7h", cards_pb2.RANK_SEVEN))
    ]
    low, high, _ = legal_lines(table_pb2.ListLegalActsResponse(plays=plays, total_count=2), seen)
    assert low.plain.endswith("discarded 贴牌")
    assert not high.plain.endswith("discarded 贴牌")


def test_only_the_last_card_may_be_kept_where_cards_are_discarded() -> None:
    trick = [top("5s", cards_pb2.RANK_FIVE)]
    assert "pass" not in turn_lines(view("easy52", trick=trick), 0)[-1].plain
    assert "or pass 报桌" in turn_lines(view("easy52", "7h", trick=trick), 0)[-1].plain


def test_a_spectator_has_no_partner() -> None:
    seen = view("qq")
    seen.ClearField("seat")
    assert table_lines(seen)[2].plain == (
        "  Cards left 余牌: East 东 5 · South 南 5 · West 西 5 · North 北 5"
    )


def test_void_deals_do_not_count_for_the_length_of_a_match() -> None:
    seen = view("qq", handover=events_pb2.Handover(deals_voided=2))
    seen.deal_number, seen.deals = 5, 4
    assert score_lines(seen, str)[0].plain == "  Deal 3 of 4, and 2 void 流局"


def test_the_score_says_who_is_away() -> None:
    seen = view("qq")
    seen.seats[1].hosted = seen.seats[2].hosted = seen.seats[2].forfeited = True
    south, west = (line.plain for line in score_lines(seen, lambda _: "ann")[2:4])
    assert "ann, hosted 托管" in south
    assert "ann, left for good 逃跑" in west


@pytest.mark.parametrize("ruleset_id", available("tricks"))
def test_the_help_of_a_trick_taking_table_knows_its_game(ruleset_id: str) -> None:
    options = load(ruleset_id).options
    told = help_text(options).plain
    assert ("bury 3c 4d" in told) == (options.kitty > 0)
    assert ("tractor" in told) == (options.decks > 1)
    assert "declare 5h" in told
    assert "last  " in told
    assert "bid" not in told
    for pace in ("0", "100"):
        lines = help_text(load(ruleset_id).with_options({"draw_pace_ms": pace}).options).plain.splitlines()
        assert max(map(cell_len, lines)) <= 80
        assert ("摸牌时" in "".join(lines)) == (pace != "0")


@pytest.mark.parametrize("ruleset_id", available("climbing"))
def test_the_help_of_a_table_knows_its_game(ruleset_id: str) -> None:
    options = load(ruleset_id).options
    told = help_text(options).plain
    assert (" LJ BJ" in told) == options.jokers
    assert f"pay {options.forfeit_fine} 逃跑" in told
    assert "surrender" not in told
    for word, phase in (("bid 2", "auction"), ("bury 3 5", "bury"), ("mark K", "mark"), ("take 3 K", "take")):
        assert (word in told) == (phase in [each.value for each in options.phases])


def test_the_help_of_an_unknown_game_has_all_words() -> None:
    told = help_text(None).plain
    for word in ("bid 2", "bury 3 5", "declare 3 4", "exchange 3 5", "mark K", "surrender", "redeal"):
        assert word in told
