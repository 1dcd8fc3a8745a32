"""The end of a deal: who finished where, how it ended, what it pays."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rich.text import Text

from shuangkou.cli.columns import rows
from shuangkou.cli.words import PLACES, SEATS, combination_words, result_words, side_words, void_words
from shuangkou.v1 import events_pb2

SIDE_STYLES: Final = ("cyan", "yellow")
_HEAD: Final = ("place", "seat", "player", "points", "match")
_PARTS: Final = {"contribution": "contributions 贡献分", "fine": "fine 罚分"}


def settlement_lines(
    settled: events_pb2.DealSettled, occupants: Sequence[str], is_by_places: bool = True
) -> list[Text]:
    """Of a climbing deal: the result, the bombs behind the multiplier where places are scored, the points."""
    outcome = settled.climbing
    lines = [_result(settled, is_by_places)]
    if settled.HasField("surrendered"):
        lines.append(Text(f"  {side_words(settled.surrendered)} surrendered 投降", "dim"))
    lines += [Text(f"  {SEATS[seat]} left for good 逃跑", "dim") for seat in settled.forfeited]
    lines += [_bomb(bomb) for bomb in outcome.bombs]
    parts = [part for part in _PARTS if any(getattr(score, part) for score in outcome.breakdown)]
    head: list[Text | str] = [Text(title, "dim") for title in (*_HEAD, *(_PARTS[part] for part in parts))]
    order = [*outcome.finish_order]
    order += [seat for seat in range(4) if seat not in order and occupants[seat]]
    table = [head, *(_row(settled, place, order[place], occupants) for place in range(len(order)))]
    for seat, row in zip(order, table[1:], strict=True):
        row += [points(getattr(outcome.breakdown[seat], part)) for part in parts]
    return lines + rows(table, frozenset(range(3, len(head))))


def void_lines(voided: events_pb2.DealVoided, occupants: Sequence[str]) -> list[Text]:
    """Why the deal has no result, and what was paid all the same."""
    lines = [Text(f"Void deal 流局: {void_words(voided)}", "bold")]
    if not any(voided.scores):
        return lines
    table: list[list[Text | str]] = [[Text(title, "dim") for title in _HEAD[1:]]]
    table += [
        [*_seat(seat, occupants), points(voided.scores[seat]), points(voided.totals[seat])]
        for seat in range(4)
        if occupants[seat]
    ]
    return lines + rows(table, frozenset((2, 3)))


def _result(settled: events_pb2.DealSettled, is_by_places: bool) -> Text:
    outcome, order = settled.climbing, settled.climbing.finish_order
    line = Text("Result 结果: ", "bold").append(str(result_words(outcome.result)), "bold green")
    if not order:
        return line
    winners = " and ".join(str(SEATS[seat]) for seat in settled.winners)
    is_named_by_places = outcome.result != events_pb2.DEAL_RESULT_WIN
    if is_named_by_places and settled.winners and order[0] not in settled.winners:
        return line.append(f" for {side_words(order[0] % 2)}, but {winners} have more 得分更多", "not bold")
    line.append(f" for {winners or side_words(order[0] % 2)}", "not bold")
    if not outcome.base or not is_by_places:
        return line
    return line.append(f": {outcome.base} × {outcome.multiplier}", "not bold")


def _bomb(bomb: events_pb2.BombPlayed) -> Text:
    return Text(f"  bomb 炸弹 by {SEATS[bomb.seat]}: {combination_words(bomb.combination)}", "dim")


def _row(
    settled: events_pb2.DealSettled, place: int, seat: int, occupants: Sequence[str]
) -> list[Text | str]:
    has_place = place < len(settled.climbing.finish_order)
    return [
        str(PLACES[place]) if has_place else "",
        *_seat(seat, occupants),
        points(settled.scores[seat]),
        points(settled.totals[seat]),
    ]


def _seat(seat: int, occupants: Sequence[str]) -> list[Text | str]:
    return [Text(str(SEATS[seat]), SIDE_STYLES[seat % 2]), occupants[seat]]


def points(value: int) -> str:
    """`+8`, `−4`, `0`: with a true minus, so that gains and losses line up."""
    return minus(f"{value:+d}") if value else "0"


def minus(figure: str) -> str:
    """The figure with the same true minus as points beside it."""
    return figure.replace("-", "−")
