"""A score sheet as a document: JSON, comma-separated values, or a page to be printed."""

from __future__ import annotations

import csv
from collections.abc import Callable, Sequence
from html import escape
from io import StringIO

from google.protobuf.json_format import MessageToJson

from shuangkou.rules.seats import SIDES, seats_of
from shuangkou.scoring.sheets import SEATS, has_sides
from shuangkou.v1.scoring_pb2 import Sheet, SheetFormat, SheetLine

_SIDES = ("East-West 东西", "North-South 南北")
_SMALL, _BIG = "small points 小分", "big points 大分"
_FORMULA = ("=", "+", "-", "@", "\t", "\r")

_STYLE = (
    "body{font-family:serif;margin:1cm}table{border-collapse:collapse;width:100%}"
    "th,td{border:1px solid #000;padding:.15em .4em;text-align:center}td.remark{text-align:left}"
    "caption{font-size:1.3em;font-weight:bold;padding:.4em}p.sign{margin-top:2em}"
    "@page{size:A4 portrait;margin:1cm}"
)


def document_of(sheet: Sheet, kind: SheetFormat.ValueType) -> str:
    """The sheet as text; empty where no document is asked for."""
    make = _DOCUMENTS.get(kind)
    return make(sheet) if make else ""


def columns_of(sheet: Sheet) -> tuple[list[str], list[list[str]], list[str]]:
    """Titles, a line for each deal, and the totals: as on the printed sheet, or by seat."""
    return _printed(sheet) if sheet.is_scheduled else _by_seat(sheet)


def _printed(sheet: Sheet) -> tuple[list[str], list[list[str]], list[str]]:
    """Small points stand in the column of the side that does not declare."""
    titles = ["level 级", "declarers 庄家方"]
    titles += [f"{points} {side}" for points in (_SMALL, _BIG) for side in _SIDES]
    lines = []
    for line in sheet.lines:
        small, big = ["", ""], ["", ""]
        if line.HasField("small_points"):
            small[1 - line.declaring_side] = str(line.small_points)
        if line.points:
            big = [_signed(line.points[seats_of(side)[0]]) for side in SIDES]
        declarers = _SIDES[line.declaring_side] if line.HasField("declaring_side") else ""
        lines.append([line.level, declarers, *small, *big, line.remark])
    totals = [_signed(sheet.totals[seats_of(side)[0]]) for side in SIDES]
    return [*titles, "remarks 备注"], lines, ["total 合计", "", "", "", *totals, ""]


def _by_seat(sheet: Sheet) -> tuple[list[str], list[list[str]], list[str]]:
    seats = [seat for seat in range(len(SEATS)) if sheet.players[seat]]
    titles = ["deal 局"]
    has_levels = any(line.level for line in sheet.lines)
    has_sides = any(line.HasField("declaring_side") for line in sheet.lines)
    titles += ["level 级"] * has_levels
    titles += ["declarers 庄家方", _SMALL] * has_sides
    titles += [f"{SEATS[seat]} {sheet.players[seat]}" for seat in seats]
    lines = [
        [
            str(line.number),
            *([line.level] * has_levels),
            *(_declared(line) * has_sides),
            *(_signed(line.points[seat]) for seat in seats),
            line.remark,
        ]
        for line in sheet.lines
    ]
    blank = [""] * (has_levels + 2 * has_sides)
    totals = ["total 合计", *blank, *(_signed(sheet.totals[seat]) for seat in seats), ""]
    return [*titles, "remarks 备注"], lines, totals


def _declared(line: SheetLine) -> list[str]:
    if not line.HasField("declaring_side"):
        return ["", ""]
    return [_SIDES[line.declaring_side], str(line.small_points)]


def _signed(points: int) -> str:
    return f"{points:+d}" if points else "0"


def _json(sheet: Sheet) -> str:
    return MessageToJson(sheet, always_print_fields_with_no_presence=True, ensure_ascii=False) + "\n"


def _csv(sheet: Sheet) -> str:
    titles, lines, totals = columns_of(sheet)
    text = StringIO()
    writer = csv.writer(text)
    writer.writerows([_plain(cells) for cells in (titles, *lines, totals)])
    return text.getvalue()


def _plain(cells: Sequence[str]) -> list[str]:
    """A name that a spreadsheet would take for a formula is marked as text; a number is none."""
    return [f"'{cell}" if cell.startswith(_FORMULA) and not _is_number(cell) else cell for cell in cells]


def _is_number(cell: str) -> bool:
    return cell[0] in "+-" and cell[1:].isdigit()


def _html(sheet: Sheet) -> str:
    titles, lines, totals = columns_of(sheet)
    head = "".join(f"<th>{escape(title)}</th>" for title in titles)
    body = "\n".join(_row(cells) for cells in (*lines, totals))
    parties = _parties(sheet)
    against = " versus 对 ".join(f"{name} ({escape(players)})" for name, players in parties)
    signatures = "".join(f"{name} 签名: ____________________ &emsp;" for name, _ in parties)
    name = escape(f"{sheet.name_en} {sheet.name_zh}".strip())
    return (
        f'<!DOCTYPE html>\n<html lang="zh"><head><meta charset="utf-8"><title>{name}</title>'
        f"<style>{_STYLE}</style></head><body>\n<table>\n<caption>Score sheet 比赛记分表: {name}</caption>\n"
        f'<tr><td colspan="{len(titles)}">Table 桌别 {escape(sheet.table_id)}: {against}</td></tr>\n'
        f"<tr>{head}</tr>\n{body}\n</table>\n"
        f'<p class="sign">{signatures}Referee 裁判长: ____________________</p>\n'
        f"{_HALVES if sheet.is_scheduled else ''}</body></html>\n"
    )


def _parties(sheet: Sheet) -> list[tuple[str, str]]:
    """Who plays against each other and signs: two sides, or each for itself."""
    if not has_sides(sheet):
        return [(name, player) for name, player in zip(SEATS, sheet.players, strict=True) if player]
    pairs = [" · ".join(filter(None, (sheet.players[seat] for seat in seats_of(side)))) for side in SIDES]
    return list(zip(_SIDES, pairs, strict=True))


_HALVES = (
    "<p>The players fill the left half, level to small points; the right half, big points and remarks, "
    "is the referee's. 左半由选手填写，右半由裁判填写。</p>\n"
)


def _row(cells: Sequence[str]) -> str:
    *numbers, remark = (escape(cell) for cell in cells)
    return f'<tr>{"".join(f"<td>{cell}</td>" for cell in numbers)}<td class="remark">{remark}</td></tr>'


_DOCUMENTS: dict[SheetFormat.ValueType, Callable[[Sheet], str]] = {
    SheetFormat.SHEET_FORMAT_JSON: _json,
    SheetFormat.SHEET_FORMAT_CSV: _csv,
    SheetFormat.SHEET_FORMAT_HTML: _html,
}
