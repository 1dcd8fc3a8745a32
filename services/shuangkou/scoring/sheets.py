"""The score sheet of a table (记分表), made of its settlements."""

from __future__ import annotations

from collections.abc import Sequence

from shuangkou.rules.ruleset import available, load
from shuangkou.v1.events_pb2 import DealVoided, SettlementStored, VoidReason
from shuangkou.v1.scoring_pb2 import Sheet, SheetLine
from shuangkou.wire.families import codec_for, sheet_line

SEATS = ("East 东", "South 南", "West 西", "North 北")
"""The four seats in turn order."""

_VOID = {
    VoidReason.VOID_REASON_FORFEITS: "players left 逃跑",
    VoidReason.VOID_REASON_REDEAL: "dealt again 重发",
    VoidReason.VOID_REASON_ALL_PASSED: "all passed 全不叫",
    VoidReason.VOID_REASON_TIME_UP: "time is up 到时",
}


def sheet_of(deals: Sequence[SettlementStored]) -> Sheet:
    """All deals of a table in order, at least one, and those that a schedule still foresees."""
    first, last = deals[0], deals[-1]
    sheet = Sheet(table_id=first.table_id, ruleset_id=first.ruleset_id, name_en=first.ruleset_id)
    ending = last.voided if last.HasField("voided") else last.deal
    sheet.players.extend(ending.players)
    sheet.totals.extend(ending.totals)
    foreseen: Sequence[SheetLine] = ()
    if first.ruleset_id in available():
        ruleset = load(first.ruleset_id)
        sheet.name_en, sheet.name_zh = ruleset.name_en, ruleset.name_zh
        foreseen = codec_for(ruleset).scheduled_lines(ruleset)
    played = 0
    for stored in deals:
        line = _line(stored, ending.players)
        if stored.HasField("deal"):
            played += 1
        elif played < len(foreseen):
            # A void deal was to be the next of the schedule, and leaves it so.
            line.level, line.declaring_side = foreseen[played].level, foreseen[played].declaring_side
        sheet.lines.append(line)
    sheet.is_scheduled = bool(foreseen)
    sheet.lines.extend(foreseen[played:])
    return sheet


def has_sides(sheet: Sheet) -> bool:
    """The same two sides met in every deal of the table."""
    known = sheet.ruleset_id in available()
    return load(sheet.ruleset_id).has_lasting_sides if known else all(sheet.players)


def _line(stored: SettlementStored, columns: Sequence[str]) -> SheetLine:
    """The points stand in the columns of the players, who may have changed places since."""
    ending = stored.voided if stored.HasField("voided") else stored.deal
    line = _void_line(stored.voided) if stored.HasField("voided") else _settled_line(stored)
    if len(set(columns)) == len(columns) and set(columns) == set(ending.players):
        seats = [list(ending.players).index(player) for player in columns]
        line.points[:] = [ending.scores[seat] for seat in seats]
    return line


def _settled_line(stored: SettlementStored) -> SheetLine:
    line = sheet_line(stored.deal)
    remarks = [line.remark, _left(stored.deal.forfeited)]
    if stored.deal.HasField("surrendered"):
        remarks.insert(1, "surrendered 投降")
    line.remark = ", ".join(filter(None, remarks))
    return line


def _void_line(voided: DealVoided) -> SheetLine:
    left = _left(voided.forfeited)
    # Who left is the reason, told once.
    is_told = bool(left) and voided.reason == VoidReason.VOID_REASON_FORFEITS
    reasons = [left] if is_told else [_VOID.get(voided.reason, ""), left]
    why = ", ".join(filter(None, reasons))
    return SheetLine(number=voided.number, points=voided.scores, remark=f"void 流局: {why}".rstrip(": "))


def _left(seats: Sequence[int]) -> str:
    """Empty where nobody left."""
    return f"{' and '.join(SEATS[seat] for seat in seats)} left 逃跑" if seats else ""
