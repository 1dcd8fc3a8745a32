"""Random orders, leads and hands of the trick-taking games, crowded so that pairs and tractors are common."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from random import Random

from kit.tricks_oracle import RANKS, Cards, House
from shuangkou.rules.cards import Card
from shuangkou.rules.notation import parse_card, parse_rank, parse_ranks
from shuangkou.rules.ruleset import TricksRuleSet, load
from shuangkou.rules.tricks.options import NoTrumpTractors, TricksOptions
from shuangkou.rules.tricks.order import Trump, TrumpOrder, trump_order

_PLAIN: TricksRuleSet = load("multi2")


@dataclass(frozen=True, slots=True)
class Question:
    """A lead and the hands that answer it, in the oracle's cards."""

    house: House
    lead: Cards
    hands: tuple[Cards, ...]


def order_of(house: House) -> TrumpOrder:
    """The library's order for the oracle's house."""
    options: TricksOptions = replace(
        _PLAIN.options,
        fixed_trumps=parse_ranks(" ".join(house.fixed)),
        low_ace=house.low_ace,
        no_trump_tractors=NoTrumpTractors.JOKERS if house.loose_level else NoTrumpTractors.LEVEL,
    )
    return trump_order(options, Trump(house.trump), None if house.level == "-" else parse_rank(house.level))


def cards(tokens: Sequence[str]) -> tuple[Card, ...]:
    """The library's cards."""
    return tuple(map(parse_card, tokens))


def some_house(rng: Random) -> House:
    """Any of the orders that the options can make."""
    usual = House(rng.choice("SHCD"), rng.choice(RANKS))
    no_trump = House("N", rng.choice(RANKS), loose_level=rng.random() < 0.5)
    fixed = House(rng.choice("SHCD"), "-", fixed="532")
    low_ace = House(rng.choice("SHCDN"), rng.choice(RANKS), low_ace=True)
    bare = House("N", "-", low_ace=rng.random() < 0.3)
    return rng.choice([usual, usual, no_trump, fixed, low_ace, bare])


def some_question(rng: Random, decks: int, longest_lead: int, longest_hand: int, hands: int = 1) -> Question:
    """Hands that hold mostly what is led; lead and hands come from one deck."""
    house = some_house(rng)
    suit = rng.choice(["T", rng.choice([suit for suit in "SHCD" if suit != house.trump])])
    rows = house.rows(suit)
    places = [place for row in rows for place in row]
    if suit != "T" and house.low_ace and rng.random() < 0.5:
        places = [*places[-2:], *places]  # beside the two, where it matters
    width = rng.randint(1, min(len(places), 8))
    low = rng.randint(0, len(places) - width)
    near = sorted({face for place in places[low : low + width] for face in place})
    pack = Counter(dict.fromkeys(near, decks))
    lead = _crowd(rng, pack, decks, rng.randint(1, longest_lead))
    others = ["S2", "H3", "C4", "D6", "SK", "LJ", "H9"]
    rest = Counter({face: decks for face in others if house.suit(face) != suit})
    given = []
    for _ in range(hands):
        strays = _crowd(rng, rest, decks, rng.randint(0, 3))
        own = _crowd(rng, pack, decks, rng.randint(0, longest_hand - len(strays)))
        given.append((*own, *strays))
    return Question(house, lead, tuple(given))


def _crowd(rng: Random, pack: Counter[str], decks: int, size: int) -> Cards:
    """Cards taken from the pack, often several copies of a face; fewer where it runs out."""
    taken: list[str] = []
    while len(taken) < size and (left := sorted(face for face, count in pack.items() if count)):
        face = rng.choice(left)
        amount = min(pack[face], rng.randint(1, decks), size - len(taken))
        pack[face] -= amount
        taken += [face] * amount
    return tuple(taken)
