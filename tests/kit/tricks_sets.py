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
    """Hands that hold mostly what is led, in most cases more than that; lead and hands come from one deck."""
    house = some_house(rng)
    suit = rng.choice(["T", rng.choice([suit for suit in "SHCD" if suit != house.trump])])
    size = rng.randint(1, longest_lead)
    near = _neighbours(rng, house, suit, (size + hands * longest_hand) // decks)
    pack = Counter(dict.fromkeys(near, decks))
    lead = _crowd(rng, near, pack, size)
    strays = [face for face in ("S2", "H3", "C4", "D6", "SK", "LJ", "H9") if house.suit(face) != suit]
    rest = Counter(dict.fromkeys(strays, decks))
    given = []
    for _ in range(hands):
        away = _crowd(rng, strays, rest, rng.randint(0, min(3, longest_hand)))
        most = longest_hand - len(away)
        least = 0 if rng.random() < 0.2 else min(len(lead) + 1, most)
        given.append((*_crowd(rng, near, pack, rng.randint(least, most)), *away))
    return Question(house, lead, tuple(given))


def _neighbours(rng: Random, house: House, suit: str, faces: int) -> list[str]:
    """At least so many faces of a suit, where it has them, from places side by side; low to high."""
    places = [place for row in house.rows(suit) for place in row]
    if suit != "T" and house.low_ace and rng.random() < 0.5:
        places = [*places[-2:], *places[:-2]]  # the ace beside the two
    low, near = rng.randrange(len(places)), list[str]()
    while len(near) < max(2, faces) and places:
        near += places.pop(min(low, len(places) - 1))
    return sorted(near, key=house.height)


def _crowd(rng: Random, faces: Sequence[str], pack: Counter[str], size: int) -> Cards:
    """Cards taken from the pack, often several copies of a face and then as many of the next one.

    Fewer where it runs out.
    """
    taken: list[str] = []
    at, most = rng.randrange(len(faces)), max(pack.values(), default=0)
    amount = rng.randint(1, most) if most else 0
    while len(taken) < size and any(pack[face] for face in faces):
        if rng.random() < 0.4:
            at, amount = rng.randrange(len(faces)), rng.randint(1, most)
        face = faces[at % len(faces)]
        copies = min(pack[face], amount, size - len(taken))
        pack[face] -= copies
        taken += [face] * copies
        at += 1
    return tuple(taken)
