"""What a deal is worth, as a table for people; one function for each way of scoring."""

from collections.abc import Callable, Iterable, Iterator

from shuangkou.rules.climbing.events import Result
from shuangkou.rules.climbing.options import (
    BombOrder,
    ClimbingOptions,
    DealEnd,
    MultiplierSource,
    Scoring,
)
from shuangkou.rules.climbing.point_sheet import POINT_SHEETS, ScoreLine
from shuangkou.rules.climbing.settlement import DealRecord, contribution, fines, settle
from shuangkou.rules.seats import SEATS, Seat


def score_sheet(options: ClimbingOptions) -> tuple[ScoreLine, ...]:
    """The results, what multiplies them, and what is paid beside them."""
    return (*_SHEETS[options.scoring](options), *_beside(options))


_ORDERS: dict[Result, tuple[Seat, ...]] = {
    Result.DOUBLE: (SEATS[0], SEATS[2], SEATS[1], SEATS[3]),
    Result.SINGLE: (SEATS[0], SEATS[1], SEATS[2], SEATS[3]),
    Result.DRAW: (SEATS[0], SEATS[1], SEATS[3], SEATS[2]),
    Result.WIN: (SEATS[0],),
}
_SOURCES: dict[MultiplierSource, tuple[str, str]] = {
    MultiplierSource.WINNERS_BEST: ("the best bomb of the winning side multiplies", "胜方最大的炸弹翻倍"),
    MultiplierSource.ALL_PRODUCT: ("every bomb of any seat multiplies", "全桌炸弹连乘"),
}


def _by_places(options: ClimbingOptions) -> Iterator[ScoreLine]:
    for result, order in _ORDERS.items():
        if (result is Result.WIN) == (options.deal_end is DealEnd.FIRST_OUT):
            scores = settle(options, DealRecord(order)).scores
            by_place = (*order, *(seat for seat in (SEATS[2], SEATS[1], SEATS[3]) if seat not in order))
            yield ScoreLine(result.value, result.name_zh, _points(scores[seat] for seat in by_place))
    if options.multiplier_source is not MultiplierSource.NONE:
        yield from _bombs(options)
    for number, stars in options.group_stars:
        name = f"{number} separate bombs of 4 or 5 count as a bomb of", f"{number}个不相连炸弹相当于"
        yield ScoreLine(*name, str(stars))
    if options.group_fives:
        name = "separate bombs with two of 5 count at least as a bomb of", "含两个五相的不相连炸弹至少相当于"
        yield ScoreLine(*name, str(options.group_fives))


def _bombs(options: ClimbingOptions) -> Iterator[ScoreLine]:
    """By stars where they count, else by cards."""
    multipliers, paid = dict(options.bomb_mults), dict(options.contributions)
    en, zh = {BombOrder.SIZE: ("cards", "张"), BombOrder.STARS: ("stars", "星")}.get(
        options.bomb_order, ("phases", "相")
    )
    source_en, source_zh = _SOURCES[options.multiplier_source]
    yield ScoreLine(source_en, source_zh, "")
    for worth in sorted(multipliers.keys() | paid.keys()):
        values = [f"x{multipliers[worth]}"] if worth in multipliers else []
        amounts = contribution(options, SEATS[0], worth)
        values += [] if amounts is None else [f"{_points(amounts)} at once 即付"]
        yield ScoreLine(f"bomb of {worth} {en}", f"{worth}{zh}炸弹", ", ".join(values))
    if options.bomb_order is BombOrder.SIZE and options.joker_bomb:
        yield ScoreLine("joker bomb", "王炸", f"x{options.joker_bomb_mult}")
    if options.max_multiplier:
        yield ScoreLine("at most", "封顶", f"x{options.max_multiplier}")


def _beside(options: ClimbingOptions) -> Iterator[ScoreLine]:
    if options.forfeit_fine:
        yield ScoreLine("forfeit", "逃跑", _points(fines(options, SEATS[:1])[: options.players]))
    if options.target_score:
        yield ScoreLine("a total of this ends the match", "一场的目标分", str(options.target_score))


def _points(points: Iterable[int]) -> str:
    return " ".join(f"{value:+d}" if value else "0" for value in points)


_SHEETS: dict[Scoring, Callable[[ClimbingOptions], Iterator[ScoreLine]]] = {
    Scoring.PLACES: _by_places,
    **POINT_SHEETS,
}
"""By the option `scoring`."""
