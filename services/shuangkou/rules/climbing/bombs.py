"""How strong a bomb is: its stars (§3.14) and its place among all bombs (§4.3)."""

from collections.abc import Callable

from shuangkou.rules.climbing.combinations import Kind
from shuangkou.rules.climbing.options import BombOrder, ClimbingOptions
from shuangkou.rules.climbing.shapes import Shape

_JOKER_STARS = {3: 6, 4: 7}

Key = tuple[int, ...]


def stars_of(options: ClimbingOptions, shape: Shape) -> int:
    """星级 or 相; 0 where the ruleset compares bombs by size."""
    if options.bomb_order is BombOrder.SIZE:
        return 0
    if shape.kind is Kind.JOKER_BOMB:
        return _JOKER_STARS[shape.size]
    if shape.kind is Kind.CHAIN_BOMB:
        return shape.size // shape.length + shape.length
    return shape.size


def bomb_strengths(options: ClimbingOptions, bombs: list[Shape]) -> list[int]:
    """A number for each of all the bombs of a ruleset; bombs of equal strength share one."""
    key_of = _KEYS[options.bomb_order]
    keys = [key_of(options, bomb) for bomb in bombs]
    place = {key: number for number, key in enumerate(sorted(set(keys)))}
    return [place[key] for key in keys]


def _rank_place(options: ClimbingOptions, bomb: Shape) -> int:
    return -1 if bomb.rank is None else options.rank_order.index(bomb.rank)


def _by_size(options: ClimbingOptions, bomb: Shape) -> Key:
    """More cards, then the higher rank; the joker bomb above all."""
    return int(bomb.kind is Kind.JOKER_BOMB), bomb.size, _rank_place(options, bomb)


def _by_stars(options: ClimbingOptions, bomb: Shape) -> Key:
    """More stars, fewer cards, higher rank; three jokers are the lowest of their stars, four the highest."""
    among = {3: 0, 4: 2}[bomb.size] if bomb.kind is Kind.JOKER_BOMB else 1
    return stars_of(options, bomb), among, -bomb.size, _rank_place(options, bomb)


def _by_phases(options: ClimbingOptions, bomb: Shape) -> Key:
    """Phase, then joker bomb < chain bomb < one rank, then more ranks, then the higher rank."""
    bomb_class = {Kind.JOKER_BOMB: 0, Kind.CHAIN_BOMB: 1}.get(bomb.kind, 2)
    return stars_of(options, bomb), bomb_class, bomb.length, _rank_place(options, bomb)


_KEYS: dict[BombOrder, Callable[[ClimbingOptions, Shape], Key]] = {
    BombOrder.SIZE: _by_size,
    BombOrder.STARS: _by_stars,
    BombOrder.PHASES: _by_phases,
}
