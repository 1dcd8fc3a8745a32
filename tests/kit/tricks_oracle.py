"""A slow second opinion on the order, units, follows and winners of the trick-taking games.

Written from docs/rules/tricks.md §1, §5 and §6; it shares nothing with the library. Cards are text like
`H7`, and everything is tried out: every unit, every way to cut, every choice of cards.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product

RANKS = "23456789TJQKA"
SUITS = "SHCD"
Cards = tuple[str, ...]
MN = tuple[int, int]
"""Copies and places of a unit."""


@dataclass(frozen=True)
class Cut:
    """A unit as it lies: its copies and places, how high its top stands, and its cards."""

    mn: MN
    top: int
    cards: Cards

    @property
    def size(self) -> int:
        """Cards in it."""
        return self.mn[0] * self.mn[1]


@dataclass(frozen=True)
class House:
    """trump: a letter of SHCD or N. level: a rank or `-`. fixed: ranks always trump, high to low.

    low_ace: AA22. loose_level: without a trump suit, pairs of level cards neighbour nothing.
    """

    trump: str
    level: str
    fixed: str = ""
    low_ace: bool = False
    loose_level: bool = False

    def rows(self, suit: str) -> list[list[list[str]]]:
        """Rows of neighbouring places of a plain suit or of trump, `T`; a place has its equal faces."""
        away = self.level + self.fixed
        usual = [rank for rank in RANKS if rank not in away]
        if suit != "T":
            return [[[suit + rank] for rank in usual]]
        own = [[self.trump + rank] for rank in usual] if self.trump != "N" else []
        jokers = [["LJ"], ["BJ"]]
        for rank in self.fixed[:0:-1] + ("" if self.level == "-" else self.level):
            own += self._off_suit_and_trump(rank)
        if self.fixed:
            off_suit, heaven = self._off_suit_and_trump(self.fixed[0])
            return [[*own, off_suit, *jokers, heaven]]
        if self.trump == "N" and self.loose_level:
            return [own, jokers]
        return [[*own, *jokers]]

    def _off_suit_and_trump(self, rank: str) -> list[list[str]]:
        off_suit = [suit + rank for suit in SUITS if suit != self.trump]
        return [off_suit] if self.trump == "N" else [off_suit, [self.trump + rank]]

    def suit(self, card: str) -> str:
        """What it follows."""
        is_trump = card in ("LJ", "BJ") or card[0] == self.trump or card[1] in self.level + self.fixed
        return "T" if is_trump else card[0]

    def height(self, card: str) -> int:
        """How high it stands in its suit."""
        places = [place for row in self.rows(self.suit(card)) for place in row]
        return next(height for height, place in enumerate(places) if card in place)

    def tractor_rows(self, suit: str) -> list[list[list[str]]]:
        """The same rows, and the one below them that begins with the ace."""
        rows = self.rows(suit)
        if self.low_ace and suit != "T" and not {"2", "A"} & {*self.level, *self.fixed}:
            rows.append([[suit + "A"], *rows[0][:-1]])
        return rows


def units(house: House, suit: str, cards: Sequence[str]) -> list[Cut]:
    """Every unit that lies in these cards, some of them twice."""
    held = Counter(cards)
    found = []
    for row in house.tractor_rows(suit):
        for low in range(len(row)):
            for high in range(low, len(row)):
                if not any(held[face] for face in row[high]):
                    break
                for m, faces in product(range(1, 5), product(*row[low : high + 1])):
                    if (m > 1 or high == low) and all(held[face] >= m for face in faces):
                        lying = tuple(face for face in faces for _ in range(m))
                        found.append(Cut((m, high - low + 1), house.height(faces[-1]), lying))
    return found


def without(cards: Sequence[str], taken: Sequence[str]) -> Cards:
    """What is left."""
    return tuple((Counter(cards) - Counter(taken)).elements())


def taken_apart(house: House, cards: Sequence[str]) -> list[Cut]:
    """§5.7."""
    left, parts = tuple(cards), []
    while left:
        choice = units(house, house.suit(left[0]), left)
        best = max(
            choice,
            key=lambda unit: (unit.size, unit.mn[0], unit.top, [-SUITS.find(card[0]) for card in unit.cards]),
        )
        parts.append(best)
        left = without(left, best.cards)
    return parts


def choices(cards: Sequence[str], size: int) -> Iterator[Cards]:
    """Every different choice of so many of the cards."""
    held = sorted(Counter(cards).items())
    for amounts in product(*(range(count + 1) for _, count in held)):
        if sum(amounts) == size:
            yield tuple(card for (card, _), amount in zip(held, amounts, strict=True) for _ in range(amount))


def worth(house: House, suit: str, lead: Sequence[MN], cards: Cards) -> tuple[tuple[int, ...], ...]:
    """How much of the lead these cards match: its tractors in turn, then quads, triples and pairs."""
    tractors = sorted((mn for mn in lead if mn[1] > 1), key=lambda mn: (-mn[0] * mn[1], -mn[0]))
    sets = []
    for j in (4, 3, 2):
        needed = sum(n * (m // j) for m, n in lead)
        sets.append(min(needed, sum(count // j for count in Counter(cards).values())))
    return _matched(house, suit, tractors, cards), tuple(sets)


def _matched(house: House, suit: str, tractors: Sequence[MN], cards: Cards) -> tuple[int, ...]:
    if not tractors:
        return ()
    best = (0, *_matched(house, suit, tractors[1:], cards))
    for unit in {cut.cards for cut in units(house, suit, cards) if cut.mn == tractors[0]}:
        best = max(best, (1, *_matched(house, suit, tractors[1:], without(cards, unit))))
    return best


def follows(house: House, lead: Sequence[str], hand: Sequence[str], high: bool = False) -> set[Cards]:
    """§6.6, §6.7: of the suit led, what every legal follow may hold of it."""
    suit = house.suit(lead[0])
    own = [card for card in hand if house.suit(card) == suit]
    if len(own) <= len(lead):
        return {tuple(sorted(own))}
    shape = [cut.mn for cut in taken_apart(house, lead)]
    worths = {cards: worth(house, suit, shape, cards) for cards in choices(own, len(lead))}
    best = max(worths.values())
    legal = {cards for cards, value in worths.items() if value == best}
    pairs_led = sum(n * (m // 2) for m, n in shape)
    pairs_held = sum(count // 2 for count in Counter(own).values())
    if not high or pairs_held >= pairs_led:
        return legal

    def heights(cards: Cards) -> list[int]:
        lone = [card for card, count in Counter(cards).items() if count % 2]
        return sorted((house.height(card) for card in lone), reverse=True)

    highest = max(map(heights, legal))
    return {cards for cards in legal if heights(cards) == highest}


def best_key(house: House, shape: Sequence[MN], cards: Sequence[str]) -> str | None:
    """§6.8: the top card of the best unit like the first of the shape beside which the rest makes the others.

    None where cards of one suit cannot be cut so.
    """
    suit = house.suit(cards[0])
    keys = [
        cut
        for cut in units(house, suit, cards)
        if cut.mn == shape[0] and _divides(house, suit, shape[1:], without(cards, cut.cards))
    ]
    return max(keys, key=lambda cut: cut.top).cards[-1] if keys else None


def lies_in(house: House, suit: str, shapes: Sequence[MN], cards: Sequence[str]) -> bool:
    """Whether units of these shapes can be taken out of the cards one after the other."""
    if not shapes:
        return True
    fitting = {cut.cards for cut in units(house, suit, cards) if cut.mn == shapes[0]}
    return any(lies_in(house, suit, shapes[1:], without(cards, unit)) for unit in fitting)


def _divides(house: House, suit: str, shape: Sequence[MN], cards: Cards) -> bool:
    return sum(m * n for m, n in shape) == len(cards) and lies_in(house, suit, shape, cards)


def blocked(house: House, throw: Sequence[str], others: Sequence[Sequence[str]]) -> list[Cut]:
    """§6.2: the units of a throw that another hand can beat."""
    suit = house.suit(throw[0])
    held = [
        cut
        for hand in others
        for cut in units(house, suit, [card for card in hand if house.suit(card) == suit])
    ]
    parts = taken_apart(house, throw)
    return [part for part in parts if any(cut.mn == part.mn and cut.top > part.top for cut in held)]
