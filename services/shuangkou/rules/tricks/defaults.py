"""What is played for a seat whose time is up (§11.2): always legal, and as little as the rules allow."""

from collections.abc import Callable, Sequence

from shuangkou.rules.cards import CARDS, Card
from shuangkou.rules.tricks.following import Duty, duty
from shuangkou.rules.tricks.order import EffectiveSuit, TrumpOrder
from shuangkou.rules.tricks.packing import can_cut
from shuangkou.rules.tricks.point_cards import points_of
from shuangkou.rules.tricks.units import Counts, Format, Shape, cards_of, counts_of, tops

Preference = Callable[[Card], tuple[int, ...]]
"""Cards with a smaller value are played sooner."""


def cheapest_first(order: TrumpOrder) -> Preference:
    """Plain suits first, then those without points, then low ones."""
    return lambda card: (order.is_trump(card), points_of((card,)) > 0, order.strengths[card], card)


def highest_first(order: TrumpOrder) -> Preference:
    """Trumps first, then high ones."""
    return lambda card: (not order.is_trump(card), -order.strengths[card], card)


def points_first(order: TrumpOrder) -> Preference:
    """Plain suits first, then those of many points, then low ones."""
    return lambda card: (order.is_trump(card), -points_of((card,)), order.strengths[card], card)


def suit_first(order: TrumpOrder, suit: EffectiveSuit) -> Preference:
    """One suit first, from low to high, then the cheapest of the others."""
    cheapest = cheapest_first(order)
    return lambda card: (0, order.strengths[card]) if order.suits[card] is suit else (1, *cheapest(card))


def lowest_first(order: TrumpOrder) -> Preference:
    """Plain suits first, then low ones."""
    return lambda card: (order.is_trump(card), order.strengths[card], card)


def default_lead(order: TrumpOrder, hand: Sequence[Card]) -> tuple[Card, ...]:
    """The lowest single of a plain suit, else the lowest trump."""
    return (min(hand, key=lowest_first(order)),)


def default_bury(
    order: TrumpOrder, hand: Sequence[Card], size: int, shown: Sequence[Card] = ()
) -> tuple[Card, ...]:
    """Plain cards without points, lowest first, then the lowest of the others; never cards that were shown.

    Fewer than `size` only where the hand has no more.
    """
    left = counts_of(hand)
    for card in shown:
        left[card] -= 1

    def value(card: Card) -> tuple[int, ...]:
        is_trump, has_points = order.is_trump(card), points_of((card,)) > 0
        return is_trump or has_points, is_trump, order.strengths[card], card

    return tuple(sorted(cards_of(left), key=value)[:size])


def default_follow(
    order: TrumpOrder, lead: Format, hand: Sequence[Card], high_follow: bool = False
) -> tuple[Card, ...]:
    """The least that meets the duty of this hand."""
    return preferred_follow(order, duty(order, lead, hand, high_follow), cheapest_first(order))


def preferred_follow(order: TrumpOrder, owed: Duty, prefer: Preference) -> tuple[Card, ...]:
    """A follow that meets the duty with tractors, sets and cards that come soon in this preference.

    Where the suit led is exhausted the free cards are simply the first ones; where it is not, single cards
    are those that break the fewest pairs.
    """
    room = owed.size - sum(owed.must)
    if owed.is_exhausted or room < owed.size:
        free = sorted(cards_of(owed.choice), key=prefer)[:room]
        return order.ascending((*cards_of(owed.must), *free))
    played = _with_tractors(order, owed, prefer)
    ranked = sorted((card for card in CARDS if owed.choice[card]), key=prefer)
    for copies, number in ((4, owed.sets.quads), (3, owed.sets.triples), (2, owed.sets.pairs)):
        _add_sets(played, owed.choice, ranked, copies, number)
    while sum(played) < owed.size:
        left = [card for card in ranked if owed.choice[card] > played[card]]
        lone = (card for card in left if (owed.choice[card] - played[card]) % 2)
        played[next(lone, left[0])] += 1
    return order.ascending(cards_of(played))


def _add_sets(played: Counts, held: Counts, ranked: Sequence[Card], copies: int, number: int) -> None:
    """Makes the cards up until they hold so many sets."""
    for card in ranked:
        while played[card] // copies < held[card] // copies:
            if sum(count // copies for count in played) >= number:
                return
            played[card] = (played[card] // copies + 1) * copies


def _with_tractors(order: TrumpOrder, owed: Duty, prefer: Preference) -> Counts:
    """The cards of owed tractors, each as soon in the preference as those after it allow."""
    line = order.lines[owed.suit]
    played = [0] * len(CARDS)
    fixed: list[tuple[Shape, int]] = []
    for index, shape in enumerate(owed.tractors):
        later = owed.tractors[index + 1 :]
        choice = sorted(tops(line, owed.choice, shape), key=lambda top: min(map(prefer, line[top])))
        top = next(top for top in choice if can_cut(line, owed.choice, later, [*fixed, (shape, top)]))
        fixed.append((shape, top))
    for place, faces in enumerate(line):
        copies = [shape.copies for shape, top in fixed if top - shape.length < place <= top]
        for face, amount in _faces(sorted(faces, key=prefer), owed.choice, sorted(copies, reverse=True)):
            played[face] += amount
    return played


def _faces(faces: Sequence[Card], held: Counts, copies: Sequence[int]) -> list[tuple[Card, int]]:
    """So many copies of one face each, side by side; they are known to fit."""
    ways: list[tuple[tuple[int, ...], list[tuple[Card, int]]]] = [(tuple(held[face] for face in faces), [])]
    for amount in copies:
        ways = [
            ((*left[:at], left[at] - amount, *left[at + 1 :]), [*taken, (face, amount)])
            for left, taken in ways
            for at, face in enumerate(faces)
            if left[at] >= amount
        ]
    return ways[0][1]
