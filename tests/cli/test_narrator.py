"""A table told commit by commit."""

from __future__ import annotations

import io
import re

import pytest
from rich.console import Console

from kit.commits import (
    commit,
    contribution_booked,
    deal_settled,
    deal_started,
    deal_voided,
    face_card_shown,
    passed,
    played,
    seats_swapped,
)
from shuangkou.cli.narrator import Narrator
from shuangkou.cli.phrases import commit_phrase
from shuangkou.cli.words import Words, void_words
from shuangkou.v1 import events_pb2

PERSONAS = {"plain": Words("Plain", "平凡型")}


def told(narrator: Narrator, *events: events_pb2.Event, ruleset_id: str = "qq") -> list[str]:
    return [line.plain for line in narrator.tell(commit(*events, ruleset_id=ruleset_id))]


def seated_narrator(viewer: int | None = None) -> Narrator:
    narrator = Narrator(PERSONAS, viewer)
    seats = [events_pb2.SeatTaken(seat=0, player_id="alice")]
    seats += [events_pb2.SeatTaken(seat=seat, persona="plain") for seat in (1, 2, 3)]
    narrator.tell(commit(*(events_pb2.Event(seat_taken=seat) for seat in seats)))
    return narrator


def test_seats_are_introduced_with_partner_and_persona() -> None:
    narrator = Narrator(PERSONAS, viewer=0)
    assert told(
        narrator,
        events_pb2.Event(seat_taken=events_pb2.SeatTaken(seat=0, player_id="alice")),
        events_pb2.Event(seat_taken=events_pb2.SeatTaken(seat=1, persona="plain")),
        events_pb2.Event(seat_taken=events_pb2.SeatTaken(seat=2, persona="unheard-of")),
    ) == [
        "  East 东 *   alice, player, partner of West",
        "  South 南    Plain 平凡型, bot, partner of North",
        "  West 西     unheard-of, bot, partner of East",
    ]


def test_a_deal_is_told_trick_by_trick() -> None:
    narrator = seated_narrator()
    lines = told(
        narrator,
        deal_started(leader=1),
        played(1, "5s 6h 7c 8d 9s"),
        passed(2),
        played(3, "8s 8h 8c 8d 8s"),
        events_pb2.Event(trick_ended=events_pb2.TrickEnded(winner=3)),
        played(3, "Ks"),
    )
    assert lines[0] == ""
    assert lines[1].startswith("Deal 1 第1局 · 27 cards each · seed hash 630dcd2966c4… · South 南 leads 首出")
    assert lines[2:] == [
        "── trick 1 第1圈",
        "  South 南    ♠5 ♥6 ♣7 ♦8 ♠9        straight 5 to 9 (5 cards) 顺子5到9",
        "  West 西     pass 不要",
        "  North 北    ♠8♥8♣8♦8♠8            bomb of five 8s 五张8炸弹",
        "── trick 2 第2圈",
        "  North 北    ♠K                    single king 单张K",
    ]


def test_a_small_hand_is_announced() -> None:
    narrator = seated_narrator()
    run = "3s 3h 3c 4s 4h 4c 5s 5h 5c"
    told(narrator, deal_started(leader=0), played(0, run))
    assert told(narrator, played(0, run))[-1].endswith("连三张3到5 · 9 left 剩9张")


def test_going_out_and_inheriting_the_lead_are_told() -> None:
    assert told(
        seated_narrator(),
        events_pb2.Event(seat_went_out=events_pb2.SeatWentOut(seat=1, place=1)),
        events_pb2.Event(lead_inherited=events_pb2.LeadInherited(seat=3, from_seat=1)),
    ) == [
        "  South 南    is out first 头游",
        "  North 北    inherits the lead 接风 from South 南",
    ]


def test_the_settlement_shows_places_points_and_the_proof_of_the_seed() -> None:
    narrator = seated_narrator()
    narrator.tell(commit(deal_started(leader=0)))
    assert told(narrator, deal_settled()) == [
        "",
        "Result 结果: double 双扣 for East 东 and West 西: 4 × 2",
        "  bomb 炸弹 by East 东: bomb of five 8s 五张8炸弹",
        "  place        seat      player        points  match",
        "  first 头游   East 东   alice             +8    +12",
        "  second 二游  West 西   Plain 平凡型      +8    +12",
        "  third 三游   South 南  Plain 平凡型      −8    −12",
        "  fourth 末游  North 北  Plain 平凡型      −8    −12",
        "seed 0001020304050607… fits the hash published before the deal 种子相符",
    ]


def test_a_wrong_seed_is_called_out() -> None:
    narrator = seated_narrator()
    narrator.tell(commit(deal_started(leader=0)))
    assert "does NOT fit" in told(narrator, deal_settled(seed=bytes(32)))[-1]


EXAMPLES = {
    "cards_played": played(0, "3"),
    "seat_went_out": events_pb2.Event(seat_went_out=events_pb2.SeatWentOut(place=4)),
    "deal_started": deal_started(leader=0),
    "deal_settled": deal_settled(),
    "deal_voided": deal_voided(),
    "face_card_shown": face_card_shown("7h", 0, 1),
    "seats_swapped": seats_swapped(1, 2),
    "contribution_booked": contribution_booked(0, 6, 2),
}
SILENT = {"trick_ended", "cards_drawn"}


@pytest.mark.parametrize("kind", [field.name for field in events_pb2.Event.DESCRIPTOR.fields])
def test_every_event_is_told_in_both_languages(kind: str) -> None:
    event = events_pb2.Event()
    getattr(event, kind).SetInParent()
    event = EXAMPLES.get(kind, event)
    lines = told(seated_narrator(), event)
    assert bool(lines) == (kind not in SILENT)
    phrase = commit_phrase(commit(event))
    assert phrase != "something new happened"
    if kind not in SILENT | {"table_created"}:
        assert re.search("[\u4e00-\u9fff]", "".join(lines))


def test_a_face_card_seats_partners_and_the_viewer_moves_along() -> None:
    narrator = seated_narrator(viewer=0)
    lines = told(
        narrator, deal_started(leader=3), face_card_shown("7h", 3, 0), seats_swapped(0, 1), played(0, "3s")
    )
    assert lines[2:] == [
        "Face-up card 明牌 ♥7: North 北 has the first copy and leads, partner East 东 *",
        "Change of places 换位: alice to South 南 *, Plain 平凡型 to East 东",
        "── trick 1 第1圈",
        "  East 东     ♠3                    single 3 单张3",
    ]
    assert told(narrator, played(1, "4s"))[-1].startswith("  South 南 *  ♠4")


def test_wild_cards_stars_and_contributions_are_told() -> None:
    narrator = seated_narrator()
    bomb = played(2, "8s 8s 8h 8c 8d BJ", ruleset_id="wenzhou")
    assert told(narrator, bomb, contribution_booked(2, 6, 2), ruleset_id="wenzhou")[1:] == [
        "  West 西     ♠8♠8♥8♣8♦8 BJ         bomb of six 8s 六张8炸弹 · 6 phases 6相 · BJ as 8 大王作8",
        "  West 西     earns +6 贡献分, every other seat −2",
    ]
    phrase = commit_phrase(commit(bomb, ruleset_id="baibian"))
    assert phrase == "West 西 plays ♠8♠8♥8♣8♦8 BJ, bomb of six 8s 六张8炸弹 · 6 stars 6星 · BJ as 8 大王作8"


def test_a_void_deal_shows_its_fines_and_the_proof_of_the_seed() -> None:
    narrator = seated_narrator()
    narrator.tell(commit(deal_started(leader=0)))
    assert told(narrator, deal_voided())[1:] == [
        "Void deal 流局: a second player left 两人逃跑",
        "  seat      player        points  match",
        "  East 东   alice             −8     −8",
        "  South 南  Plain 平凡型      +8     +8",
        "  West 西   Plain 平凡型      −8     −8",
        "  North 北  Plain 平凡型      +8     +8",
        "seed 0001020304050607… fits the hash published before the deal 种子相符",
    ]


def test_a_void_deal_says_how_many_left_it() -> None:
    """In some games the first who leaves ends the deal."""
    voided = deal_voided().deal_voided
    assert str(void_words(voided)) == "a second player left 两人逃跑"
    del voided.forfeited[1:]
    assert str(void_words(voided)) == "a player left 一人逃跑"


def test_a_deal_that_ends_with_the_first_out_shows_all_seats() -> None:
    event = deal_settled()
    del event.deal_settled.climbing.finish_order[1:]
    lines = told(seated_narrator(), event)
    assert [line.split()[-5 if "Plain" in line else -4] for line in lines[4:8]] == ["东", "南", "西", "北"]


def test_who_wins_by_points_wins_whoever_is_out_first() -> None:
    event = deal_settled()
    event.deal_settled.climbing.result = events_pb2.DEAL_RESULT_WIN
    event.deal_settled.winners[:] = [1, 3]
    assert (
        told(seated_narrator(), event, ruleset_id="five5")[1]
        == "Result 结果: win 胜 for South 南 and North 北"
    )
    event.deal_settled.climbing.result = events_pb2.DEAL_RESULT_DRAW
    assert told(seated_narrator(), event, ruleset_id="activity54")[1] == (
        "Result 结果: draw 平扣 for East 东 and West 西, but South 南 and North 北 have more 得分更多"
    )


def test_a_pipe_gets_no_colour_and_no_broken_line() -> None:
    out = io.StringIO()
    console = Console(file=out, soft_wrap=True, width=20)
    for line in seated_narrator().tell(commit(played(0, "5s 6h 7c 8d 9s"))):
        console.print(line)
    assert "\x1b" not in out.getvalue()
    assert len(out.getvalue().splitlines()) == 2


def test_a_terminal_gets_red_hearts() -> None:
    out = io.StringIO()
    console = Console(file=out, force_terminal=True, color_system="standard", soft_wrap=True)
    for line in seated_narrator().tell(commit(played(0, "5h"))):
        console.print(line)
    assert "\x1b[1;31m♥5" in out.getvalue()


def test_the_end_of_a_match_tells_of_fines_for_leaving() -> None:
    finished = events_pb2.Event(match_finished=events_pb2.MatchFinished(totals=[4, 0, 4, -8]))
    assert told(seated_narrator(), deal_settled(), finished)[-1].startswith("Match over 终局")
    narrator, fined = seated_narrator(), deal_settled()
    scores = [events_pb2.SeatScore(base=4, multiplier=2, fine=fine) for fine in (20, 20, -60, 20)]
    fined.deal_settled.climbing.breakdown.extend(scores)
    narrator.tell(commit(fined))
    narrator.tell(commit(seats_swapped(2, 3)))
    assert told(narrator, deal_voided(), finished)[-1] == (
        "  fines for leaving are part of it 其中逃跑罚分: East 东 +12"
        " · South 南 +28 · West 西 +12 · North 北 −52"
    )
