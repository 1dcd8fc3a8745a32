"""The end of a trick-taking deal: points against levels, and what the seats get."""

from __future__ import annotations

from collections.abc import Sequence

from rich.text import Text

from shuangkou.cli.columns import rows
from shuangkou.cli.faces import card_row
from shuangkou.cli.tricks_words import FEATS, level_words, trump_words
from shuangkou.cli.words import SEATS, side_words
from shuangkou.v1 import events_pb2, tricks_pb2
from shuangkou.wire.cards import cards_from_wire

_HEAD = ("seat", "player", "points", "match")


def tricks_lines(settled: events_pb2.DealSettled, occupants: Sequence[str]) -> list[Text]:
    """What the attacking side took, what it was worth, and a table of points by seat."""
    outcome = settled.tricks
    held = "take the deal 上台" if outcome.deal_passes else "the declarers hold 守住"
    score = Text("Result 结果: ", "bold").append(f"{outcome.score} points 分", "bold green")
    score.append(f" for {side_words(outcome.attackers)}; {held}", "not bold")
    lines = [score, *_details(outcome)]
    head: list[Text | str] = [Text(title, "dim") for title in _HEAD]
    if settled.coins:
        head.append(Text("coins 金币", "dim"))
    table = [head, *(_row(settled, seat, occupants) for seat in range(len(SEATS)))]
    return lines + rows(table, frozenset(range(2, len(head))))


def _details(outcome: tricks_pb2.TricksOutcome) -> list[Text]:
    played = f"  {trump_words(outcome.trump)} · {level_words(outcome.level)}"
    lines = [Text(f"{played} · declarer 庄家 {SEATS[outcome.declarer]}", "dim")]
    if outcome.kitty:
        kitty = Text("  Kitty 底牌: ", "dim").append_text(card_row(cards_from_wire(outcome.kitty)))
        lines.append(kitty.append(f" · captured 抠底 +{outcome.captured}" if outcome.captured else ""))
    if outcome.feat in FEATS:
        lines.append(Text(f"  {FEATS[outcome.feat]}", "bold magenta"))
    for side, (before, after) in enumerate(zip(outcome.levels_before, outcome.levels_after, strict=True)):
        if before != after:
            lines.append(Text(f"  {side_words(side)}: {level_words(before)} to {level_words(after)}"))
    return lines


def _row(settled: events_pb2.DealSettled, seat: int, occupants: Sequence[str]) -> list[Text | str]:
    numbers = [settled.scores[seat], settled.totals[seat], *settled.coins[seat : seat + 1]]
    signed = [f"{number:+d}".replace("-", "−") if number else "0" for number in numbers]
    return [Text(str(SEATS[seat]), ("cyan", "yellow")[seat % 2]), occupants[seat], *signed]
