"""A slow second opinion on combinations and following where ranks, suits and lengths differ by game.

Written from docs/rules/climbing.md §3, §4.3, §4.6 and the sections of the games; it shares nothing with
the move table. Cards are text like `7h`; a house says in words of its own what a game has.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations

Key = tuple[int, ...]
RUN_WIDTHS = {"straight": 1, "consecutive_pairs": 2, "consecutive_triples": 3}
GROUP = ("straight", "flush", "straight_flush")
SUITS = "dchs"
"""From low to high."""


@dataclass(frozen=True)
class House:
    """order: ranks from low to high. runs: name to fewest ranks. equal: by number of cards, what they are.

    packs: copies of a card. most: cards in a play. has_kickers: four of a rank with two others. has_ties:
    suits decide between equal ranks. takes_equal: equal strength follows. is_relative: more equal cards win.
    run: ranks of runs where they are not those up to the ace. longest: cards of a straight. lonely: ranks
    without pairs. may_discard: any card may lie beside the top play.
    """

    order: str
    runs: dict[str, int]
    equal: dict[int, str]
    packs: int = 1
    most: int = 13
    has_two_pair: bool = False
    has_kickers: bool = False
    has_flushes: bool = False
    follows_suit: bool = False
    has_ties: bool = False
    takes_equal: bool = False
    is_relative: bool = False
    has_triple1: bool = False
    has_straight_flushes: bool = False
    run: str = ""
    longest: int = 13
    lonely: str = ""
    may_discard: bool = False
    ranks: list[str] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "ranks", self.order.split())

    def place(self, rank: str) -> int:
        """Among all ranks."""
        return self.ranks.index(rank)

    def run_ranks(self) -> list[str]:
        """Neither jokers nor a 2 that stands above the ace."""
        if self.run:
            return self.run.split()
        last = self.place("A")
        return self.ranks[: last + 1]


@dataclass(frozen=True)
class Play:
    """key: what decides among plays of one name and size."""

    name: str
    size: int
    top: str
    key: Key
    suit: str = ""


ONE_PACK = "3 4 5 6 7 8 9 T J Q K A 2"
LOW_ACE = "A 2 3 4 5 6 7 8 9 T J Q K"
PLAIN = {1: "single", 2: "pair", 3: "triple", 4: "bomb"}
SETS = {1: "single", 2: "pair"} | dict.fromkeys(range(3, 9), "set")
CARD_HOUSES = {
    "classic52": House(
        ONE_PACK, {"straight": 5}, PLAIN, has_two_pair=True, has_flushes=True, follows_suit=True
    ),
    "classic54": House(
        f"{ONE_PACK} LJ BJ",
        {"straight": 5, "consecutive_pairs": 2, "consecutive_triples": 2},
        PLAIN,
        has_kickers=True,
        takes_equal=True,
    ),
    "duel52": House(ONE_PACK, {"straight": 5, "consecutive_pairs": 3, "consecutive_triples": 3}, PLAIN),
    "deluxe108": House(
        "2 3 4 5 6 7 8 9 T J Q K A LJ BJ",
        {"straight": 5, "consecutive_pairs": 3, "consecutive_triples": 2},
        SETS,
        packs=2,
        most=27,
        is_relative=True,
    ),
    "bid52": House(
        ONE_PACK,
        {"straight": 5, "consecutive_pairs": 2, "consecutive_triples": 2},
        PLAIN,
        has_kickers=True,
        has_triple1=True,
    ),
    "landlord52": House(LOW_ACE, {"consecutive_pairs": 3}, PLAIN, most=16, run=LOW_ACE),
    "five5": House(
        LOW_ACE,
        {"straight": 5},
        {1: "single", 2: "pair", 3: "triple"},
        most=5,
        has_straight_flushes=True,
        run=LOW_ACE,
        longest=5,
        lonely="A",
    ),
    "easy52": House(ONE_PACK, {}, {1: "single"}, may_discard=True),
    "activity54": House(f"{ONE_PACK} LJ BJ", {"straight": 5, "consecutive_pairs": 3}, PLAIN, has_ties=True),
}


def reading(cards: Sequence[str], house: House) -> Play | None:
    """What these cards make, None when nothing."""
    ranks = [card if card.endswith("J") and len(card) == 2 and card[0] in "LB" else card[0] for card in cards]
    counts = Counter(ranks)
    supply = {rank: house.packs * (1 if rank in ("LJ", "BJ") else 4) for rank in house.ranks}
    if not 0 < len(cards) <= house.most or any(number > supply[rank] for rank, number in counts.items()):
        return None
    found = list(_rank_plays(counts, house))
    assert len(found) <= 1, cards
    suits = {card[-1] for card in cards if not card.endswith("J") or card[0] not in "LB"}
    is_flush = house.has_flushes and len(cards) >= 5 and len(suits) == 1
    if is_flush:
        down = tuple(sorted((house.place(rank) for rank in ranks), reverse=True))
        name = "straight_flush" if found and found[0].name == "straight" else "flush"
        return Play(name, len(cards), house.ranks[down[0]], down)
    if house.has_straight_flushes and len(suits) == 1 and found and found[0].name == "straight":
        return replace(found[0], name="straight_flush")
    return _suited(found[0], cards, house) if found else None


def _rank_plays(counts: Counter[str], house: House) -> Iterator[Play]:
    size, ranks = counts.total(), sorted(counts, key=house.place)
    top = ranks[-1]
    has_jokers = bool({"LJ", "BJ"} & set(ranks))
    if len(ranks) == 1 and size in house.equal and (size == 1 or top not in house.lonely):
        yield Play(house.equal[size], size, top, (house.place(top),))
    for name, shortest in house.runs.items():
        run = house.run_ranks()
        is_even = set(counts.values()) == {RUN_WIDTHS[name]}
        is_long = max(2, shortest) <= len(ranks) <= house.longest
        if is_even and is_long and " ".join(ranks) in " ".join(run) and not has_jokers:
            yield Play(name, size, top, (house.place(top),))
    if house.has_two_pair and sorted(counts.values()) == [2, 2]:
        yield Play("two_pair", 4, top, (house.place(top), house.place(ranks[0])))
    if house.has_kickers and size == 6 and 4 in counts.values() and not has_jokers:
        four = next(rank for rank in ranks if counts[rank] == 4)
        yield Play("quad2", 6, four, (house.place(four),))
    if house.has_triple1 and sorted(counts.values()) == [1, 3]:
        three = next(rank for rank in ranks if counts[rank] == 3)
        yield Play("triple1", 4, three, (house.place(three),))


def _suited(play: Play, cards: Sequence[str], house: House) -> Play:
    if house.follows_suit and play.name == "single":
        return Play(play.name, 1, play.top, play.key, cards[0][-1])
    if house.has_ties and play.name != "bomb" and len(play.top) == 1:
        best = max(SUITS.index(card[1]) for card in cards if card[0] == play.top)
        return Play(play.name, play.size, play.top, (*play.key, best))
    return play


def can_follow(play: Play, top: Play, house: House) -> bool:
    """§4.3, §4.6."""
    if "bomb" in (play.name, top.name):
        return play.name == "bomb" and (top.name != "bomb" or play.key > top.key)
    if house.is_relative and play.name == "set" and play.size > top.size:
        return True
    if (house.has_flushes or house.has_straight_flushes) and play.name in GROUP and top.name in GROUP:
        return _group_key(play) > _group_key(top)
    if (play.name, play.size) != (top.name, top.size) or play.suit != top.suit:
        return False
    return play.key > top.key or (house.takes_equal and play.key == top.key)


def _group_key(play: Play) -> tuple[int, int, Key]:
    return GROUP.index(play.name), play.size, play.key


def plays_in(hand: Sequence[str], house: House) -> dict[tuple[str, ...], Play]:
    """What every part of the hand makes, where it makes something."""
    parts = (part for size in range(1, len(hand) + 1) for part in combinations(hand, size))
    readings = ((part, reading(part, house)) for part in parts)
    return {part: play for part, play in readings if play is not None}
