"""The end of a trick-taking deal: points against levels, and what the seats get."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from rich.text import Text

from shuangkou.cli.columns import rows
from shuangkou.cli.faces import card_row
from shuangkou.cli.tricks_words import FEATS, level_words, trump_words
from shuangkou.cli.words import SEATS, Words, side_words
from shuangkou.rules.tricks.level_tables import gain
from shuangkou.rules.tricks.options import Level, Rotation, Scoring, TricksOptions
from shuangkou.v1 import events_pb2, tricks_pb2
from shuangkou.wire.cards import cards_from_wire
from shuangkou.wire.tricks.words import level_from_wire

_SCORES: Final = {
    Scoring.LEVELS: Words("levels", "级"),
    Scoring.TOTALS: Words("levels", "级"),
    Scoring.CONVERSION: Words("big points", "大分"),
    Scoring.MATCH_POINTS: Words("match points", "场分"),
}
"""What the numbers of the table count."""


def tricks_lines(
    settled: events_pb2.DealSettled, occupants: Sequence[str], options: TricksOptions | None
) -> list[Text]:
    """What the attacking side took, what it was worth, and a table of scores by seat.

    options: of the table, None where the game is not known.
    """
    outcome = settled.tricks
    took = f"{side_words(outcome.attackers)} took"
    score = Text(f"Result 结果: {took} ", "bold").append(
        f"{outcome.score} points {outcome.score}分", "bold green"
    )
    score.append(_deal(outcome, options), "not bold")
    lines = [score, *_details(outcome, options)]
    head: list[Text | str] = [Text(title, "dim") for title in _head(options)]
    if settled.coins:
        head.append(Text("coins 金币", "dim"))
    table = [head, *(_row(settled, seat, occupants) for seat in range(len(SEATS)))]
    return lines + rows(table, frozenset(range(2, len(head))))


def _head(options: TricksOptions | None) -> tuple[str, ...]:
    score = "score" if options is None else str(_SCORES[options.scoring])
    return "seat", "player", score, "match"


def _deal(outcome: tricks_pb2.TricksOutcome, options: TricksOptions | None) -> str:
    """What becomes of the deal; where roles alternate it is nobody's to take (§9.3)."""
    if options is not None and options.rotation is Rotation.ROLES_ALTERNATE:
        return " as attackers 抓分"
    if outcome.deal_passes:
        return " and take the deal 上台"
    return f"; {side_words(1 - outcome.attackers)} hold the deal 守住"


def _details(outcome: tricks_pb2.TricksOutcome, options: TricksOptions | None) -> Iterator[Text]:
    level = f" · {level_words(outcome.level)}" if outcome.level else ""
    has_declarer = options is None or options.rotation is not Rotation.ROLES_ALTERNATE
    leader = "declarer 庄家" if has_declarer else "led first 首出"
    yield Text(f"  {trump_words(outcome.trump)}{level} · {leader} {SEATS[outcome.declarer]}", "dim")
    captured = f"+{outcome.captured} points {outcome.captured}分"
    if outcome.kitty:
        row = card_row(cards_from_wire(outcome.kitty), suited=True)
        kitty = Text("  Kitty 底牌: ", "dim").append_text(row)
        yield kitty.append(f" · captured 抠底 {captured}" if outcome.captured else "")
    elif outcome.captured:
        yield Text("  Last trick 末墩: ", "dim").append(captured, "not dim")
    if outcome.feat in FEATS:
        yield Text(f"  {FEATS[outcome.feat]}", "bold magenta")
    for side, (before, after) in enumerate(zip(outcome.levels_before, outcome.levels_after, strict=True)):
        if before != after:
            yield Text(f"  {side_words(side)}: {level_words(before)} to {level_words(after)}")
    if options is not None and options.scoring is Scoring.LEVELS and not outcome.feat:
        yield from _lost(outcome, options)


def _lost(outcome: tricks_pb2.TricksOutcome, options: TricksOptions) -> Iterator[Text]:
    """Levels that were earned and not gained, for some levels are not jumped over (§8.5, §8.6)."""
    earned = gain(options, outcome.score)
    side = outcome.attackers if earned.deal_passes else 1 - outcome.attackers
    up = earned.attackers_up if earned.deal_passes else earned.declarers_up
    before = level_from_wire(outcome.levels_before[side])
    after = level_from_wire(outcome.levels_after[side])
    if before is None or after is None:
        return
    rungs = options.ladder.index(after) - options.ladder.index(before)
    if rungs < up:
        earned_text = f"  {side_words(side)} earned {up} level{'s'[: up != 1]} 应升{up}级"
        yield Text(f"{earned_text}, but {_why_lost(options, before, after, rungs)}", "dim")


def _why_lost(options: TricksOptions, before: Level, after: Level, rungs: int) -> str:
    if rungs == 0 and before in (*options.hard, options.ladder[-1]):
        return f"{before.value} is left only by winning as declarers 打{before.value}须坐庄打过"
    return f"{after.value} may not be jumped over 不可跳过{after.value}"


def _row(settled: events_pb2.DealSettled, seat: int, occupants: Sequence[str]) -> list[Text | str]:
    numbers = [settled.scores[seat], settled.totals[seat], *settled.coins[seat : seat + 1]]
    signed = [f"{number:+d}".replace("-", "−") if number else "0" for number in numbers]
    return [Text(str(SEATS[seat]), ("cyan", "yellow")[seat % 2]), occupants[seat], *signed]
