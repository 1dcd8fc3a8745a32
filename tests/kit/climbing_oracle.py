"""A slow second opinion on docs/rules/climbing.md §3 and §4.3 for two packs without wild cards.

Written from the text of the rulings alone; it shares nothing with the move table.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import product

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

Reading = tuple[str, int, str]
"""Name, number of cards, top rank ('' for the joker bomb)."""


def reading(ranks: Sequence[str]) -> Reading | None:
    """What these ranks make, None when nothing."""
    counts = Counter(ranks)
    if not ranks or any(count > COPIES[rank] for rank, count in counts.items()):
        return None
    if sorted(ranks) == ["BJ", "BJ", "LJ", "LJ"]:
        return "joker_bomb", 4, ""
    if len(counts) == 1:
        return SET_NAMES.get(len(ranks), "bomb"), len(ranks), ranks[0]
    return _run(counts)


def _run(counts: Counter[str]) -> Reading | None:
    widths = set(counts.values())
    present = [rank for rank in ORDER if rank in counts]
    if len(widths) != 1 or " ".join(present) not in " ".join(RUN):
        return None
    width = widths.pop()
    name, shortest = RUN_NAMES.get(width, ("", 99))
    return (name, width * len(present), present[-1]) if len(present) >= shortest else None


def can_follow(play: Reading, top: Reading) -> bool:
    """§4.3."""
    order = ["", *ORDER]
    power = [_bomb_power(reading) for reading in (play, top)]
    if power[0] or power[1]:
        return power[0] > power[1]
    return play[:2] == top[:2] and order.index(play[2]) > order.index(top[2])


def _bomb_power(play: Reading) -> tuple[int, int] | tuple[()]:
    if play[0] == "joker_bomb":
        return 99, 0
    return (play[1], ORDER.index(play[2])) if play[0] == "bomb" else ()


def ranks_of(cards: Sequence[Card]) -> list[str]:
    """The cards without their suits."""
    return [format_rank(card.rank) for card in cards]


def playable(hand: Sequence[Card], top: Reading | None) -> set[Reading]:
    """Everything that the hand can play, found by trying every part of it."""
    return {play for play in _readings_in(hand) if top is None or can_follow(play, top)}


def _readings_in(hand: Sequence[Card]) -> Iterator[Reading]:
    counts = Counter(ranks_of(hand))
    for taken in product(*(range(count + 1) for count in counts.values())):
        part = [rank for rank, count in zip(counts, taken, strict=True) for _ in range(count)]
        found = reading(part)
        if found is not None:
            yield found
