"""The rules of one game for people: its order of cards, its tractors and its tables, in both languages."""

from collections.abc import Iterator
from itertools import groupby

from shuangkou.rules.cards import Card, Rank
from shuangkou.rules.tricks.options import Level, TricksOptions
from shuangkou.rules.tricks.order import EffectiveSuit, Trump, TrumpOrder, trump_order
from shuangkou.rules.tricks.rulebook_lines import Line, Section, Words, level_text, rank_text
from shuangkou.rules.tricks.score_lines import capture_lines, earning_lines, ladder_lines, price_lines
from shuangkou.rules.tricks.tractor_lines import tractor_lines


def rulebook(options: TricksOptions) -> tuple[Section, ...]:
    """Every section that this game has something to say in, with a trump and a level as an example."""
    trump, level = example_trump(options)
    sections = (
        order_section(options, trump, level),
        *_without_suit(options, level),
        Section(Words("Tractors", "拖拉机"), tractor_lines(options, trump, level)),
        Section(Words("Last trick won by the attacking side", "抓分方赢末墩"), capture_lines(options)),
        Section(Words("What the points earn", "得分结算"), earning_lines(options)),
        Section(Words("Levels and the match", "级与胜负"), ladder_lines(options)),
        Section(Words("Fines and stakes", "罚分与底注"), price_lines(options)),
    )
    return tuple(section for section in sections if section.lines)


def example_trump(options: TricksOptions) -> tuple[Trump, Level | None]:
    """Hearts at five, or at the second level where five is none; spades where no level is played."""
    levels = options.ladder or options.schedule
    if not levels:
        return Trump.SPADES, None
    return Trump.HEARTS, Level.FIVE if Level.FIVE in levels else levels[1]


def order_section(options: TricksOptions, trump: Trump, level: Level | None) -> Section:
    """The trumps from high to low, equal ones together, and a plain suit (§1.5, §1.6, §1.8).

    level: that of the deal; None where no level is played.
    """
    order = trump_order(options, trump, None if level is None else level.rank)
    plain = next(suit for suit in EffectiveSuit if suit.name != trump.name)
    faces = tuple(face for place in reversed(order.lines[plain][1:]) for face in place)
    lines = (*_trump_lines(options, order), Line(Words("a plain suit", "副牌"), cards=faces))
    return Section(_order_title(trump, level), lines)


def _order_title(trump: Trump, level: Level | None) -> Words:
    name = _TRUMPS[trump]
    if level is None:
        return Words(f"High to low, {name.en}", f"{name.zh}，从大到小")
    text = level_text(level)
    if level.rank is None:
        return Words(f"High to low at the {text.en} level", f"{text.zh}，从大到小")
    return Words(f"High to low, {name.en} at level {text.en}", f"打{text.zh}{name.zh}，从大到小")


def _without_suit(options: TricksOptions, level: Level | None) -> Iterator[Section]:
    """No trump suit at a level that has level cards, and at the one that has none."""
    if level is not None:
        yield order_section(options, Trump.NONE, level)
    if Level.NO_TRUMP in options.ladder:
        yield order_section(options, Trump.NONE, Level.NO_TRUMP)


def _trump_lines(options: TricksOptions, order: TrumpOrder) -> Iterator[Line]:
    always = {*options.fixed_trumps, *(() if order.level is None else (order.level,))}
    places = [faces for faces in reversed(order.lines[EffectiveSuit.TRUMP]) if faces]
    for name, group in groupby(places, key=lambda faces: _name(order, always, faces[0])):
        yield Line(name, cards=tuple(card for faces in group for card in faces))


def _name(order: TrumpOrder, always: set[Rank], card: Card) -> Words:
    if card is Card.BIG_JOKER:
        return Words("big joker", "大王")
    if card is Card.SMALL_JOKER:
        return Words("small joker", "小王")
    text = rank_text(card.rank)
    if card.rank not in always:
        return Words("the trump suit", "主花色")
    if order.trump is Trump.NONE:
        return Words(f"every {text}, all equal", f"各花色{text}，同大")
    if card.suit is order.trump.suit:
        return Words(f"the {text} of trumps", f"主{text}")
    return Words(f"every other {text}, all equal", f"副{text}，同大")


_TRUMPS: dict[Trump, Words] = {
    Trump.SPADES: Words("spades trump", "黑桃主"),
    Trump.HEARTS: Words("hearts trump", "红桃主"),
    Trump.CLUBS: Words("clubs trump", "梅花主"),
    Trump.DIAMONDS: Words("diamonds trump", "方块主"),
    Trump.NONE: Words("no trump suit", "无主"),
}
