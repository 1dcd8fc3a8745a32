"""Reasons for acts, in English and 中文, that tell the acts of one hint apart."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from shuangkou.rules.cards import Card, Rank, Suit
from shuangkou.rules.notation import format_rank

Words = tuple[str, str]
"""The same in English and 中文."""

PROVEN: Words = ("searched to the end, it brings most", "残局算尽，得分最高")
FOUND: Words = ("played out in many deals it brings more than the usual act", "多次推演，胜过常规打法")

_SYMBOLS = {Suit.SPADES: "♠", Suit.HEARTS: "♥", Suit.CLUBS: "♣", Suit.DIAMONDS: "♦"}
_JOKERS: dict[Rank, Words] = {
    Rank.SMALL_JOKER: ("small joker", "小王"),
    Rank.BIG_JOKER: ("big joker", "大王"),
}
_AT_ONCE = 2
"""Remarks that are made of every act."""


@dataclass(frozen=True, slots=True)
class Remarked:
    """What can be said of an act, the most telling first. cards: those that it spends, none for a pass."""

    remarks: tuple[Words, ...]
    cards: tuple[Card, ...]


def suit_words(suit: Suit) -> Words:
    """`♥` in both languages."""
    return _SYMBOLS[suit], _SYMBOLS[suit]


def card_words(cards: Sequence[Card]) -> Words:
    """`♠5♥5`, jokers by their names."""
    return _row(cards, 0), _row(cards, 1)


def rank_words(rank: Rank) -> Words:
    """`10`, `K`, `big joker`."""
    if rank in _JOKERS:
        return _JOKERS[rank]
    token = "10" if rank is Rank.TEN else format_rank(rank)
    return token, token


def joined(remarks: Sequence[Words]) -> Words:
    """One line in each language."""
    return "; ".join(en for en, _ in remarks), "；".join(zh for _, zh in remarks)


def told_apart(acts: Sequence[Remarked], compare: Callable[[Remarked, Remarked], Words]) -> list[Words]:
    """A line for each act, no two alike. compare: how the first act differs from the second where all
    remarks are the same."""
    said = [joined(act.remarks[:_AT_ONCE]) for act in acts]
    own = [
        _own_remarks(act, [other for other, its in zip(acts, said, strict=True) if its == line])
        for act, line in zip(acts, said, strict=True)
    ]
    said = [joined(remarks) for remarks in own]
    first = {line: acts[said.index(line)] for line in said}
    return [
        line if first[line] is act else _alike(act, first[line], compare(act, first[line]))
        for act, line in zip(acts, said, strict=True)
    ]


def _own_remarks(act: Remarked, alike: Sequence[Remarked]) -> Sequence[Words]:
    """What is said of the act: of several of which the same would be said, what is not true of all."""
    shared = set(act.remarks).intersection(*(other.remarks for other in alike))
    differing = [remark for remark in act.remarks[1:] if remark not in shared]
    if len(alike) == 1 or not differing:
        return act.remarks[:_AT_ONCE]
    return [act.remarks[0], *differing[:_AT_ONCE]]


def _alike(act: Remarked, other: Remarked, difference: Words) -> Words:
    (en, zh), (own, others) = act.remarks[0], spent_beyond(act, other)
    its, for_its = card_words([*own.elements()]), card_words([*others.elements()])
    return (
        f"{en}; the same with {its[0]} instead of {for_its[0]}: {difference[0]}",
        f"{zh}；{for_its[1]}换成{its[1]}也一样：{difference[1]}",
    )


def spent_beyond(act: Remarked, other: Remarked) -> tuple[Counter[Card], Counter[Card]]:
    """The cards that only this act spends, and those that only the other one does."""
    own, others = Counter(act.cards), Counter(other.cards)
    return own - others, others - own


def _row(cards: Sequence[Card], language: int) -> str:
    suited = "".join(_face(card, language) for card in cards if card.suit is not None)
    jokers = [_face(card, language) for card in cards if card.suit is None]
    return " ".join([suited, *jokers]) if suited else " ".join(jokers)


def _face(card: Card, language: int) -> str:
    suit = card.suit
    return rank_words(card.rank)[language] if suit is None else _SYMBOLS[suit] + rank_words(card.rank)[0]
