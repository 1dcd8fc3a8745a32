"""The tables of a game for people: what the kitty counts, what points earn, how the match is won."""

from collections.abc import Iterator
from itertools import pairwise

from shuangkou.rules.option_text import Table
from shuangkou.rules.tricks.conversion import big_points, match_points
from shuangkou.rules.tricks.multipliers import multiplier
from shuangkou.rules.tricks.options import KittyMultiplier, Levels, MatchEnd, Scoring, TricksOptions
from shuangkou.rules.tricks.rulebook_lines import NO_WORDS, Line, Words, level_text
from shuangkou.rules.tricks.units import PAIR, SINGLE, Shape

_FURTHER = 4
"""Lines of a table that goes on by steps."""


def capture_lines(options: TricksOptions) -> tuple[Line, ...]:
    """§7.3; nothing where no kitty counts."""
    if options.kitty_multiplier is KittyMultiplier.NONE:
        return ()
    shapes = [SINGLE] if options.decks == 1 else [SINGLE, PAIR, *(Shape(2, pairs) for pairs in (2, 3, 4))]
    return tuple(Line(_shape(shape), _times(options, shape)) for shape in shapes)


def _shape(shape: Shape) -> Words:
    if shape.is_tractor:
        return Words(f"a tractor of {shape.length} pairs", f"{shape.length}连对拖拉机")
    return Words("a single card", "单张") if shape == SINGLE else Words("a pair", "对子")


def _times(options: TricksOptions, shape: Shape) -> Words:
    plain, trump = (multiplier(options, shape, by_trump) for by_trump in (False, True))
    if plain != trump:
        return Words(f"x{trump}, by a plain suit x{plain}", f"主牌{trump}倍，副牌{plain}倍")
    if options.kitty_multiplier is KittyMultiplier.LAST_TRICK:
        return Words(f"x{trump} for the points of the last trick", f"末墩分{trump}倍")
    return Words(f"x{trump}", f"{trump}倍")


def earning_lines(options: TricksOptions) -> tuple[Line, ...]:
    """§8.1 to §8.3, §8.7, by the points of the attacking side."""
    match options.scoring:
        case Scoring.LEVELS:
            return tuple(_level_lines(options))
        case Scoring.TOTALS:
            return _TOTALS
        case Scoring.CONVERSION:
            return tuple(_conversion_lines())
        case Scoring.MATCH_POINTS:
            return tuple(_match_point_lines())


def _level_lines(options: TricksOptions) -> Iterator[Line]:
    taken = _lengthened(options.attacker_levels, options.attacker_step)
    starts = [start for start, _ in (*options.declarer_levels, *taken)]
    ends = [start - 5 for start in starts[1:]]
    for (start, up), end in zip((*options.declarer_levels, *taken), [*ends, None], strict=True):
        passes = start >= taken[0][0]
        yield Line(_span(start, end), _attackers_gain(up) if passes else _declarers_gain(up))
    if options.attacker_step:
        step = options.attacker_step
        yield Line(Words(f"every {step} more", f"每多{step}分"), Words("one level more", "再升一级"))


def _lengthened(table: Table, step: int) -> Table:
    """As many lines as show how it goes on."""
    start, up = table[-1]
    more = range(1, _FURTHER - len(table) + 1) if step else ()
    return (*table, *((start + step * number, up + number) for number in more))


def _span(start: int, end: int | None) -> Words:
    if end is None:
        return Words(f"{start} points and more", f"{start}分以上")
    if start == end:
        return Words(f"{start} points", f"{start}分")
    return Words(f"{start} to {end} points", f"{start}至{end}分")


def _declarers_gain(up: int) -> Words:
    return Words(f"declaring side {_up(up).en}", f"庄家方{_up(up).zh}")


def _attackers_gain(up: int) -> Words:
    if not up:
        return Words("attacking side takes the deal", "抓分方上台")
    return Words(f"attacking side takes the deal, {_up(up).en}", f"抓分方上台并{_up(up).zh}")


def _up(up: int) -> Words:
    return Words(f"up {up} level{'s'[: up != 1]}", f"升{up}级")


_TOTALS: tuple[Line, ...] = (
    Line(Words("declaring side has more", "庄家方分多"), Words("it goes up 1 level", "庄家方升1级")),
    Line(Words("as many", "相等"), Words("the deal is held", "庄家方守住，不升级")),
    Line(
        Words("attacking side has more", "抓分方分多"),
        Words("it takes the deal, up 1 level", "抓分方上台并升1级"),
    ),
)


def _conversion_lines() -> Iterator[Line]:
    """The edges of the bands; within one each five points are one big point."""
    edges = (0, 5, 35, 40, 75, 80, 115, 120, 155, 160, 195, 200)
    for score in edges:
        big = big_points(score)
        value = f"attacking side {big:+d}, declaring side {-big:+d}", f"抓分方{big:+d}，庄家方{-big:+d}"
        yield Line(_span(score, score), Words(*value))
    yield Line(
        Words("every 5 between", "其间每5分"),
        Words("1 big point, 4 more for each band", "1大分，过一档另加4大分"),
    )


def _match_point_lines() -> Iterator[Line]:
    for first, after in pairwise((0, *range(5, 105, 20), *range(120, 241, 20))):
        worth, last = match_points(first), after - 5
        sides = (worth.holders, "holders", "守方"), (worth.attackers, "attackers", "抓分方")
        points, en, zh = max(sides)
        value = Words(f"{en} +{points}", f"{zh}+{points}") if points else Words("none", "无")
        yield Line(_span(first, last), value)
    yield Line(Words("every 20 more", "每多20分"), Words("attackers 2 more", "抓分方再加2"))


def ladder_lines(options: TricksOptions) -> tuple[Line, ...]:
    """§8.4 to §8.6, §10."""
    return tuple(line for line in _ladder_lines(options) if line.value.en)


def _ladder_lines(options: TricksOptions) -> Iterator[Line]:
    yield Line(Words("levels, low to high", "从低到高"), _levels(options.ladder))
    yield Line(Words("levels deal by deal", "各副所打的级"), _levels(options.schedule))
    yield Line(Words("may not be jumped over", "不可跳过"), _levels(options.stops))
    yield Line(Words("left only by winning as declarers", "坐庄打过才能升"), _levels(options.hard))
    for level, fall in zip(options.hook_levels, options.hook_falls, strict=True):
        name = Words(f"hooked at {level_text(level).en}", f"打{level_text(level).zh}被钩")
        yield Line(name, Words(f"down to {level_text(fall).en}", f"落到{level_text(fall).zh}"))
    yield Line(Words("the match is won by", "怎样获胜"), _end(options))
    if options.limit_minutes:
        minutes = options.limit_minutes
        yield Line(Words("time", "限时"), Words(f"{minutes} minutes", f"{minutes}分钟"))


def _levels(levels: Levels) -> Words:
    texts = [level_text(level) for level in levels]
    return Words(" ".join(text.en for text in texts), " ".join(text.zh for text in texts))


def _end(options: TricksOptions) -> Words:
    last = level_text(options.ladder[-1]) if options.ladder else NO_WORDS
    match options.match_end:
        case MatchEnd.PASS_LAST:
            return Words(f"winning a deal as declarers at {last.en}", f"坐庄打过{last.zh}")
        case MatchEnd.REACH:
            goal = level_text(options.goal)
            return Words(f"reaching {goal.en}", f"先升到{goal.zh}")
        case MatchEnd.HAT_ANY:
            text = f"a hat: holding a deal at {last.en} and taking its last trick with a level card"
            return Words(text, f"戴帽：打{last.zh}守住，且末墩以含{last.zh}的牌赢下")
        case MatchEnd.HAT_ALL:
            text = f"a hat: holding a deal at {last.en} and taking its last trick with level cards alone"
            return Words(text, f"戴帽：打{last.zh}守住，且末墩全以{last.zh}赢下")
        case MatchEnd.DEALS:
            return Words(f"more points in {options.deals} deals", f"打{options.deals}副，分高者胜")


def price_lines(options: TricksOptions) -> tuple[Line, ...]:
    """§6.4, §8.8."""
    return tuple(_price_lines(options))


def _price_lines(options: TricksOptions) -> Iterator[Line]:
    failed = Words("a failed throw", "甩牌失败")
    if options.throw_fine:
        fine = options.throw_fine
        yield Line(failed, Words(f"{fine} points for each blocked card", f"每张被挡的牌罚{fine}分"))
    if options.opponents_choose:
        chosen = Words("the opponents choose which blocked shape", "由对方在被挡的牌型中指定")
        yield Line(Words("what a failed throw leads", "甩牌失败出什么"), chosen)
    if options.throw_costs_stake:
        yield Line(failed, Words("half the stake", "罚底注一半"))
    if options.base_stake:
        coins = options.base_stake
        yield Line(Words("stake of each seat", "每家底注"), Words(f"{coins} coins", f"{coins}币"))
    if options.stake_doubles:
        yield Line(Words("every overturn", "每反主一次"), Words("doubles the stake", "底注翻倍"))
