"""A slow second opinion on docs/rules/climbing.md §3 and §4.3 for two packs.

Written from the text of the rulings alone; it shares nothing with the move table. A wild card is
understood by trying every rank for it, legal plays by trying every part of a hand.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations_with_replacement, product

from shuangkou.rules.cards import Card
from shuangkou.rules.notation import format_rank

ORDER = ["3", "4", "5", "6", "7", "8", "9", "T", "J", "Q", "K", "A", "2", "LJ", "BJ"]
RUN = ORDER[: ORDER.index("2")]
COPIES = {rank: 2 if rank.endswith("J") and len(rank) == 2 else 8 for rank in ORDER}
RUN_NAMES = {
    1: ("straight", 5),
    2: ("consecutive_pairs", 3),
    3: ("consecutive_triples", 3),
}
SET_NAMES = {1: "single", 2: "pair", 3: "triple"}

Reading = tuple[str, int, int, str]
"""Name, number of cards, number of ranks, top rank ('' for a joker bomb)."""


@dataclass(frozen=True)
class House:
    """has_wild: the big joker is wild. ladder: all bombs from weak to strong, those of one step by rank.

    `5x1` is five of a rank, `4x3` a chain, `3J` three jokers, `8+3` eight of a rank and three jokers.
    """

    has_wild: bool
    ladder: tuple[str, ...]

    def step(self, play: Reading) -> int | None:
        """Where a bomb stands on the ladder; None for what is no bomb here."""
        return next((step for step, labels in enumerate(self.ladder) if _label(play) in labels.split()), None)


PLAIN = House(False, ("4x1", "5x1", "6x1", "7x1", "8x1", "4J"))
STARS = House(
    True,
    (
        *("4x1", "5x1", "3J", "6x1", "4x3", "7x1", "4J", "4x4", "5x3", "8x1"),
        *("4x5 5x4", "6x3", "5x5", "4x6 6x4", "7x3", "8x3"),
    ),
)
PHASES = House(
    True,
    (
        *("4x1", "5x1", "3J", "6x1", "4J", "4x3", "7x1", "5x3", "4x4", "8x1", "6x3", "5x4", "4x5", "9x1"),
        *("7x3", "6x4", "5x5", "4x6", "10x1", "8x3", "8+3", "8+4"),
    ),
)
HOUSES = {"qq": PLAIN, "zsy": PLAIN, "jipai": PLAIN, "jj": STARS, "baibian": STARS, "wenzhou": PHASES}


def _label(play: Reading) -> str:
    name, size, length, _ = play
    if name == "joker_bomb":
        return f"{size}J"
    if name == "bomb_jokers":
        return f"8+{size - 8}"
    return f"{size // length}x{length}" if name in ("bomb", "chain_bomb") else ""


def reading(ranks: Sequence[str], house: House = PLAIN) -> Reading | None:
    """What these ranks make, None when nothing."""
    return _reading(tuple(sorted(ranks, key=ORDER.index)), house)


@lru_cache(maxsize=200_000)
def _reading(ranks: tuple[str, ...], house: House) -> Reading | None:
    counts = Counter(ranks)
    if not 1 <= len(ranks) <= 27 or any(count > COPIES[rank] for rank, count in counts.items()):
        return None
    found = _natural(counts, house)
    others = [rank for rank in ranks if rank != "BJ"]
    if found is not None or not house.has_wild or "BJ" not in counts or not others:
        return found
    tried = (
        _natural(Counter([*others, *stand_ins]), house)
        for stand_ins in combinations_with_replacement(ORDER[:-1], counts["BJ"])
    )
    readings = {play for play in tried if play is not None}
    assert len({play[:3] for play in readings}) <= 1, ranks
    return max(readings, key=lambda play: ORDER.index(play[3]), default=None)


def _natural(counts: Counter[str], house: House) -> Reading | None:
    """What the ranks make where every card is what it is."""
    play = _shape(counts)
    if play is None or play[0] not in ("bomb", "chain_bomb", "joker_bomb", "bomb_jokers"):
        return play
    return None if house.step(play) is None else play


def _shape(counts: Counter[str]) -> Reading | None:
    size = counts.total()
    jokers = counts["LJ"] + counts["BJ"]
    naturals = [rank for rank in counts if rank not in ("LJ", "BJ")]
    if counts["LJ"] and counts["BJ"] and jokers in (3, 4):
        if not naturals:
            return "joker_bomb", size, 1, ""
        if len(naturals) == 1 and size - jokers == 8:
            return "bomb_jokers", size, 1, naturals[0]
    if len(counts) == 1:
        rank = next(iter(counts))
        if rank in ("LJ", "BJ") and size > 2:
            return None
        return SET_NAMES.get(size, "bomb"), size, 1, rank
    return _run(counts)


def _run(counts: Counter[str]) -> Reading | None:
    widths = set(counts.values())
    present = [rank for rank in ORDER if rank in counts]
    if len(widths) != 1 or " ".join(present) not in " ".join(RUN):
        return None
    width = widths.pop()
    name, shortest = RUN_NAMES.get(width, ("chain_bomb", 3))
    length = len(present)
    return (name, width * length, length, present[-1]) if length >= shortest else None


def can_follow(play: Reading, top: Reading, house: House = PLAIN) -> bool:
    """§4.3."""
    order = ["", *ORDER]
    steps = [house.step(reading) for reading in (play, top)]
    if steps[0] is not None:
        return steps[1] is None or (steps[0], order.index(play[3])) > (steps[1], order.index(top[3]))
    return play[:3] == top[:3] and order.index(play[3]) > order.index(top[3])


def ranks_of(cards: Sequence[Card]) -> list[str]:
    """The cards without their suits."""
    return [format_rank(card.rank) for card in cards]


def playable(hand: Sequence[Card], top: Reading | None, house: House = PLAIN) -> set[Reading]:
    """Everything that the hand can play, found by trying every part of it."""
    return {play for play in readings_in(hand, house) if top is None or can_follow(play, top, house)}


def readings_in(hand: Sequence[Card], house: House = PLAIN) -> set[Reading]:
    """Everything that any part of the hand makes."""
    found = (reading(part, house) for part in _parts(hand))
    return {play for play in found if play is not None}


def _parts(hand: Sequence[Card]) -> Iterator[list[str]]:
    counts = Counter(ranks_of(hand))
    for taken in product(*(range(count + 1) for count in counts.values())):
        yield [rank for rank, count in zip(counts, taken, strict=True) for _ in range(count)]
