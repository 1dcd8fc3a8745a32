"""Score sheets of tables, and the printed one of sixteen deals."""

from __future__ import annotations

import csv
import json
from io import StringIO
from itertools import pairwise
from random import Random

import pytest

from kit.pure_table import opened
from kit.settling import settling_commit, voiding_commit
from shuangkou.engine.table import Phase
from shuangkou.rules.ruleset import available, load
from shuangkou.rules.tricks.conversion import big_points
from shuangkou.scoring.documents import document_of
from shuangkou.scoring.settlement import settlement_of
from shuangkou.scoring.sheets import sheet_of
from shuangkou.v1.events_pb2 import (
    VOID_REASON_FORFEITS,
    VOID_REASON_REDEAL,
    VOID_REASON_TIME_UP,
    VOID_REASON_UNSPECIFIED,
    DealSettled,
    SettlementStored,
    VoidReason,
)
from shuangkou.v1.scoring_pb2 import (
    SHEET_FORMAT_CSV,
    SHEET_FORMAT_HTML,
    SHEET_FORMAT_JSON,
    SHEET_FORMAT_UNSPECIFIED,
    Sheet,
)
from shuangkou.v1.tricks_pb2 import TRUMP_SPADES, TricksOutcome


def counted(number: int, attackers: int, score: int, level: int) -> SettlementStored:
    """A deal of which the attacking side took so many small points."""
    big = big_points(score)
    scores = [big if seat % 2 == attackers else -big for seat in range(4)]
    outcome = TricksOutcome(
        declarer=1 - attackers,
        attackers=attackers,
        trump=TRUMP_SPADES,
        level=level,  # type: ignore[arg-type]  # numbered like the cards
        score=score,
    )
    deal = DealSettled(
        number=number,
        scores=scores,
        players=["east", "south", "west", "=north"],
        totals=[0, 0, 0, 0],
        winners=[seat for seat in range(4) if scores[seat] > 0],
        tricks=outcome,
    )
    return SettlementStored(table_id="t1", ruleset_id="sixteen_deals", version=number, deal=deal)


@pytest.fixture
def printed() -> Sheet:
    """The example of the printed sheet: north-south take 45, east-west 120, north-south nothing."""
    deals = [counted(1, 1, 45, 2), counted(2, 0, 120, 3), counted(3, 1, 0, 4)]
    deals[-1].deal.totals[:] = [47, -47, 47, -47]
    return sheet_of(deals)


def test_the_printed_sheet_has_its_example(printed: Sheet) -> None:
    assert printed.is_scheduled
    assert len(printed.lines) == 16
    assert [line.level for line in printed.lines] == "2 3 4 5 5 6 7 8 9 10 10 J Q K K A".split()  # noqa: SIM905
    assert [line.declaring_side for line in printed.lines] == [0, 1] * 8
    titles, *rows = list(csv.reader(StringIO(document_of(printed, SHEET_FORMAT_CSV))))
    assert titles[:2] == ["level 级", "declarers 庄家方"]
    assert len(rows) == 17
    assert [row[2:6] for row in rows[:4]] == [
        ["", "45", "+8", "-8"],
        ["120", "", "+14", "-14"],
        ["", "0", "+25", "-25"],
        ["", "", "", ""],
    ]
    assert rows[-1][4:6] == ["+47", "-47"]


def test_a_page_can_be_printed_and_holds_no_markup_of_players(printed: Sheet) -> None:
    printed.players[0] = "<b>"
    page = document_of(printed, SHEET_FORMAT_HTML)
    assert page.startswith("<!DOCTYPE html>")
    assert page.count("<tr>") == 16 + 3
    assert "裁判长" in page
    assert "<b>" not in page
    assert "&lt;b&gt;" in page


def test_a_void_deal_stands_at_the_level_and_the_declarers_that_were_its_turn() -> None:
    """docs/rules/ratings.md §5.2; the schedule goes on with the same."""
    void = settlement_of(voiding_commit(number=2)).stored
    void.ruleset_id = "sixteen_deals"
    lines = sheet_of([counted(1, 1, 45, 2), void, counted(3, 0, 120, 3)]).lines
    assert [(line.number, line.level, line.declaring_side) for line in lines[:4]] == [
        (1, "2", 0),
        (2, "3", 1),
        (3, "3", 1),
        (0, "4", 0),
    ]
    assert all(line.HasField("declaring_side") for line in lines)
    assert lines[1].remark.startswith("void 流局")


@pytest.mark.parametrize("ruleset_id", available())
def test_a_page_is_signed_by_sides_only_where_there_are_some(ruleset_id: str) -> None:
    stored = settlement_of(settling_commit()).stored
    stored.ruleset_id = ruleset_id
    page = document_of(sheet_of([stored]), SHEET_FORMAT_HTML)
    assert ("East-West 东西 签名" in page) == load(ruleset_id).has_lasting_sides
    assert ("East 东 签名" in page) != load(ruleset_id).has_lasting_sides


def test_json_is_the_sheet_itself(printed: Sheet) -> None:
    told = json.loads(document_of(printed, SHEET_FORMAT_JSON))
    assert told["lines"][0]["smallPoints"] == 45
    assert len(told["lines"]) == 16


def test_no_document_is_made_unasked(printed: Sheet) -> None:
    assert document_of(printed, SHEET_FORMAT_UNSPECIFIED) == ""


def test_a_sheet_by_seat_tells_void_deals_and_who_left() -> None:
    commits = [settling_commit("t1", 1), voiding_commit("t1", 2)]
    sheet = sheet_of([settlement_of(commit).stored for commit in commits])
    titles, first, second, total = list(csv.reader(StringIO(document_of(sheet, SHEET_FORMAT_CSV))))
    assert titles == [
        "deal 局",
        "East 东 alice",
        "South 南 bob",
        "West 西 carol",
        "North 北 dave",
        "remarks 备注",
    ]
    assert first == ["1", "+2", "-2", "+2", "-2", "double 双扣"]
    assert second[-1] == "void 流局: East 东 and West 西 left 逃跑"
    assert total[:5] == ["total 合计", "-6", "+2", "-6", "+10"]


@pytest.mark.parametrize(
    ("reason", "left", "remark"),
    [
        (VOID_REASON_FORFEITS, [1], "void 流局: South 南 left 逃跑"),
        (VOID_REASON_FORFEITS, [], "void 流局: players left 逃跑"),
        (VOID_REASON_TIME_UP, [1], "void 流局: time is up 到时, South 南 left 逃跑"),
        (VOID_REASON_REDEAL, [], "void 流局: dealt again 重发"),
        (VOID_REASON_UNSPECIFIED, [], "void 流局"),
    ],
)
def test_a_void_deal_says_once_why(reason: VoidReason.ValueType, left: list[int], remark: str) -> None:
    stored = settlement_of(voiding_commit()).stored
    stored.voided.reason = reason
    stored.voided.forfeited[:] = left
    assert [line.remark for line in sheet_of([stored]).lines] == [remark]


def test_a_spreadsheet_takes_no_name_for_a_formula() -> None:
    sheet = sheet_of([settlement_of(settling_commit(players=("@sum", "-1", "carol", "dave"))).stored])
    sheet.lines[0].remark = "=1"
    document = document_of(sheet, SHEET_FORMAT_CSV)
    assert "'=1" in document
    assert "+2,-2,+2,-2" in document


@pytest.mark.parametrize("ruleset_id", available())
def test_every_game_has_a_sheet_whose_lines_add_up(ruleset_id: str) -> None:
    chance, table = Random(3), opened(deals=2, ruleset=load(ruleset_id))
    stored: list[SettlementStored] = []
    while table.table.phase is not Phase.FINISHED and len(stored) < 3:
        table.go_on(chance)
        commit = table.log[-1].commit
        if any(event.HasField("deal_settled") or event.HasField("deal_voided") for event in commit.events):
            stored.append(settlement_of(commit).stored)
    sheet = sheet_of(stored)
    played = [line for line in sheet.lines if line.number]
    assert all(one.number < other.number for one, other in pairwise(played))
    assert [sum(line.points[seat] for line in played) for seat in range(4)] == list(sheet.totals)
    for kind in (SHEET_FORMAT_JSON, SHEET_FORMAT_CSV, SHEET_FORMAT_HTML):
        assert document_of(sheet, kind)
