"""Why a play of tricks may be worth its cards."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from shuangkou.ai_player.remarks import (
    Remarked,
    Words,
    card_words,
    spent_beyond,
    suit_words,
    told_apart,
)
from shuangkou.ai_player.tricks.leads import remarks_on_lead
from shuangkou.ai_player.tricks.situation import Situation, situation_of
from shuangkou.rules.cards import Card, Suit
from shuangkou.rules.seats import Seat
from shuangkou.rules.tricks.options import TricksOptions
from shuangkou.rules.tricks.order import EffectiveSuit
from shuangkou.rules.tricks.point_cards import points_of
from shuangkou.rules.tricks.position import position_seen
from shuangkou.rules.tricks.units import Format, counts_of, decompose, format_of
from shuangkou.rules.tricks.view import SeatView
from shuangkou.rules.tricks.winning import strength_of_follow, winner

Cards = tuple[Card, ...]
_Strength = tuple[bool, int]
"""Whether it is a ruff, and how high."""
_TRACTOR: Words = ("tractor", "拖拉机")
_SETS: dict[int, Words] = {2: ("pair", "对子"), 3: ("triple", "三张")}
_SET: Words = ("set", "同张")


@dataclass(frozen=True, slots=True, eq=False)
class _Trick:
    """table: the plays in it, the lead first. lowest: the least with which the seat can win it, None where
    it cannot."""

    now: Situation
    table: tuple[Cards, ...]
    lead: Format
    lowest: _Strength | None
    wins: bool = False


def reasons_for(
    options: TricksOptions, view: SeatView, seat: Seat, plays: Sequence[Cards], weighed: Sequence[Cards]
) -> list[Words]:
    """One for each of the plays, no two alike. weighed: all plays that were worth a thought."""
    order = position_seen(options, view).order
    now = situation_of(options, view, seat, order, True)
    if not view.trick:
        remarks = [remarks_on_lead(now, cards) for cards in plays]
    else:
        table = tuple(play.cards for play in view.trick)
        lead = format_of(order, table[0])
        assert lead is not None  # it was led
        winning = [_strength(now, lead, cards) for cards in weighed if _wins(now, table, cards)]
        trick = _Trick(now, table, lead, min(winning, default=None))
        remarks = [_remarks_on_follow(trick, cards) for cards in plays]
    said = [
        Remarked((*words, *_losses(now, cards)), cards) for words, cards in zip(remarks, plays, strict=True)
    ]
    return told_apart(said, lambda one, other: _difference(now, one, other))


def _wins(now: Situation, table: Sequence[Cards], cards: Cards) -> bool:
    return winner(now.order, [*table, cards]) == len(table)


def _strength(now: Situation, lead: Format, cards: Cards) -> _Strength:
    top = strength_of_follow(now.order, lead, cards)
    assert top is not None  # it wins
    return now.order.is_trump(cards[0]), top


def _remarks_on_follow(trick: _Trick, cards: Cards) -> list[Words]:
    if _wins(trick.now, trick.table, cards):
        return list(_on_winning(trick, cards))
    is_partners = trick.now.view.best == trick.now.partner
    return [(_on_partners_trick if is_partners else _on_rivals_trick)(trick, cards)]


def _on_winning(trick: _Trick, cards: Cards) -> Iterator[Words]:
    now = trick.now
    strength = _strength(now, trick.lead, cards)
    is_ruff = strength[0] and trick.lead.suit is not EffectiveSuit.TRUMP
    is_lowest = strength == trick.lowest
    if is_ruff and is_lowest:
        yield "ruffs with the lowest trumps that win", "用最小的主毙"
    elif is_ruff and now.others:
        yield "ruffs high, harder to overruff", "用大主毙，不易被盖毙"
    elif is_ruff:
        yield "ruffs higher than it must", "毙得比需要的大"
    elif is_lowest:
        yield "wins with the lowest that wins", "用最小的压住"
    elif now.others:
        yield "wins high, harder to beat", "出大的压住，不易再被压"
    else:
        yield "wins with more than it takes", "压得比需要的大"
    if now.view.best == now.partner:
        yield "takes it over from your partner", "接过对家的牌"
    if not now.others:
        yield "nobody plays after you", "最后一家，稳拿"
    points = sum(map(points_of, trick.table)) + points_of(cards)
    if points:
        yield f"{points} points are in it", f"这一圈有{points}分"
    if points_of(cards):
        yield f"{points_of(cards)} of them are yours", f"其中自己的{points_of(cards)}分"


def _on_partners_trick(trick: _Trick, cards: Cards) -> Words:
    points = points_of(cards)
    if points:
        return f"gives {points} points to your partner's trick", f"对家大，垫{points}分给对家"
    if trick.now.others:
        return "leaves the trick to your partner, risks no points", "对家大，让对家收，不冒险垫分"
    if points_of(trick.now.view.hand):
        return "leaves the trick to your partner, keeps points", "对家大，让对家收，留着分"
    return "leaves the trick to your partner", "对家大，让对家收"


def _on_rivals_trick(trick: _Trick, cards: Cards) -> Words:
    points, is_open = points_of(cards), trick.now.partner in trick.now.others
    if points and is_open:
        return f"risks {points} points, your partner is yet to play", f"垫{points}分，看对家"
    if points:
        return f"gives up {points} points to the rivals' trick", f"压不住，丢{points}分"
    if is_open and trick.lowest is None:
        return "cannot win, risks no points, your partner is yet to play", "压不住，不垫分，看对家"
    if trick.lowest is None:
        return "cannot win: throws away no points", "压不住，垫没有分的牌"
    return "lets this trick go, no points, keeps what would win it", "放过这一圈，不丢分，留着大牌"


def _losses(now: Situation, cards: Cards) -> Iterator[Words]:
    """What the play makes of the hand that it leaves."""
    order, spent = now.order, counts_of(cards)
    left = [held - gone for held, gone in zip(now.held, spent, strict=True)]
    touched = sorted({order.suits[card] for card in cards})
    for suit in touched:
        is_plain = suit is not EffectiveSuit.TRUMP
        if is_plain and not any(left[card] for faces in order.lines[suit] for card in faces):
            sign = suit_words(Suit(suit))[0]
            yield f"empties {sign}", f"打绝{sign}"
        yield from _broken(now, suit, left, cards)
    if now.view.trick and EffectiveSuit.TRUMP in touched and len(cards) < len(now.view.hand):
        trumps = sum(map(order.is_trump, cards))
        yield f"spends {trumps} of {now.trumps} trumps", f"用去{now.trumps}张主中的{trumps}张"
    if points_of(cards) and not now.view.trick:
        yield f"{points_of(cards)} points of yours are in it", f"带{points_of(cards)}分"


def _broken(now: Situation, suit: EffectiveSuit, left: list[int], cards: Cards) -> Iterator[Words]:
    """Tractors and pairs that are taken apart."""
    before = [unit for unit in decompose(now.order, suit, now.held) if unit.shape.copies > 1]
    after = Counter(unit.cards for unit in decompose(now.order, suit, left))
    spent = Counter(cards)
    for unit in before:
        is_apart = spent.keys() & {*unit.cards} and Counter(unit.cards) - spent and not after[unit.cards]
        if not is_apart:
            continue
        en, zh = card_words(unit.cards)
        kind = _TRACTOR if unit.shape.is_tractor else _SETS.get(unit.shape.copies, _SET)
        yield f"breaks the {kind[0]} {en}", f"拆了{kind[1]}{zh}"


def _difference(now: Situation, one: Remarked, other: Remarked) -> Words:
    """Of two plays of which the same is true."""
    more = points_of(one.cards) - points_of(other.cards)
    if more:
        way = ("more", "多") if more > 0 else ("fewer", "少")
        return f"{abs(more)} points {way[0]}", f"{way[1]}{abs(more)}分"
    own, others = (_ranked(now, cards) for cards in spent_beyond(one, other))
    if own > others:
        return "higher, and worth more later", "牌更大，留着更值"
    if own < others:
        return "lower, and easier to part with", "牌更小，更舍得"
    return "as high, of another suit", "一样大，换一门花色"


def _ranked(now: Situation, cards: Counter[Card]) -> list[tuple[bool, int]]:
    """High to low."""
    return sorted(((now.order.is_trump(card), now.order.strengths[card]) for card in cards), reverse=True)
