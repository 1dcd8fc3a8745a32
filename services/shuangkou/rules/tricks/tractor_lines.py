"""Examples of what is a tractor and what is none, judged by the rules themselves (§5.3 to §5.6)."""

from collections.abc import Iterator

from shuangkou.rules.cards import JOKERS, Card, Rank, Suit, card_of
from shuangkou.rules.tricks.options import Level, TricksOptions
from shuangkou.rules.tricks.order import Trump, TrumpOrder, trump_order
from shuangkou.rules.tricks.rulebook_lines import Line, Words
from shuangkou.rules.tricks.units import format_of

Candidate = tuple[Words, tuple[Card, ...]]
"""Faces that may be neighbours, from low to high, and what they are."""

_IS_ONE = Words("a tractor", "是拖拉机")
_IS_NONE = Words("no tractor", "不是拖拉机")


def tractor_lines(options: TricksOptions, trump: Trump, level: Level | None) -> tuple[Line, ...]:
    """Pairs side by side with what the rules say of them; nothing with one pack, which has no pairs.

    level: that of the deal; None where no level is played.
    """
    suit, rank = trump.suit, None if level is None else level.rank
    if options.decks < 2 or suit is None:
        return ()
    order = trump_order(options, trump, rank)
    always = options.fixed_trumps if rank is None else (rank,)
    plain = _plain_neighbours(order, suit, always)
    lines = [_line(order, each, 2) for each in (plain, *_of_all(suit, always), *_among_trumps(suit, always))]
    if rank is not None:
        bare = trump_order(options, Trump.NONE, rank)
        lines.append(_line(bare, _level_and_joker(suit, rank), 2))
    more = (_line(order, (_MORE[copies], plain[1]), copies) for copies in range(3, options.decks + 1))
    return (*lines, *more)


def _line(order: TrumpOrder, candidate: Candidate, copies: int) -> Line:
    name, faces = candidate
    cards = tuple(face for face in faces for _ in range(copies))
    led = format_of(order, cards)
    return Line(name, _IS_NONE if led is None or led.is_throw else _IS_ONE, cards)


def _plain_neighbours(order: TrumpOrder, trump: Suit, always: tuple[Rank, ...]) -> Candidate:
    """The plain cards that close up over the lowest rank that is always trump."""
    ranks = sorted(set(Rank) - JOKERS - {*always})
    above = next((place for place, rank in enumerate(ranks) if rank > min(always)), len(ranks))
    low = min(max(above - 1, 0), len(ranks) - 2)
    suit = _others(trump)[0]
    faces = card_of(ranks[low], suit), card_of(ranks[low + 1], suit)
    assert order.are_consecutive(*faces)
    return Words("across a rank that is trump", "隔主牌相连"), faces


def _of_all(trump: Suit, always: tuple[Rank, ...]) -> Iterator[Candidate]:
    """Candidates of every game."""
    one, other = _others(trump)[:2]
    top = max(set(Rank) - JOKERS - {*always})
    lowest, highest = always[-1], always[0]
    if {Rank.ACE, Rank.TWO}.isdisjoint(always):
        yield Words("ace and two", "A与2"), (card_of(Rank.TWO, one), card_of(Rank.ACE, one))
    equal = Words("equal trumps of two suits", "两门同大的主牌")
    yield equal, (card_of(highest, one), card_of(highest, other))
    name = Words("top of the trump suit and next above", "主花色最大与其上一级")
    yield name, (card_of(top, trump), card_of(lowest, one))


def _among_trumps(trump: Suit, always: tuple[Rank, ...]) -> Iterator[Candidate]:
    """Along the order of the trumps; the first of several ranks stands on both sides of the jokers."""
    one = _others(trump)[0]
    low, big = Card.SMALL_JOKER, Card.BIG_JOKER
    off, on = card_of(always[0], one), card_of(always[0], trump)
    if len(always) == 1:
        yield Words("level cards, and small joker", "级牌与小王"), (off, on, low)
        yield Words("level cards and both jokers", "级牌与大小王"), (off, on, low, big)
        return
    yield Words("other highest rank, and jokers", "副牌最大常主与王"), (off, low, big)
    yield Words("big joker and the highest trump", "大王与最大的主牌"), (big, on)


def _level_and_joker(trump: Suit, level: Rank) -> Candidate:
    name = Words("without trump suit: level card, small joker", "无主时级牌与小王")
    return name, (card_of(level, _others(trump)[0]), Card.SMALL_JOKER)


def _others(trump: Suit) -> list[Suit]:
    return [suit for suit in Suit if suit is not trump]


_MORE: dict[int, Words] = {3: Words("triples", "三张"), 4: Words("quads", "四张")}
