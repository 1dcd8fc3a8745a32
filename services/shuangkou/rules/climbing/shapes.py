"""Every shape that a ruleset plays (§3), as the cards that it needs."""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import combinations_with_replacement

from shuangkou.rules.cards import JOKERS, Rank
from shuangkou.rules.climbing.combinations import Kind
from shuangkou.rules.climbing.options import ClimbingOptions

Counts = dict[Rank, int]

_SETS = ((Kind.SINGLE, 1), (Kind.PAIR, 2), (Kind.TRIPLE, 3))


@dataclass(frozen=True, slots=True)
class Shape:
    """need: cards of each rank. floor: how many of them must be themselves, whatever wild cards there are.

    strength: among its kind and size where the rank alone does not decide; not for bombs.
    """

    kind: Kind
    length: int
    rank: Rank | None
    need: Counts
    floor: Counts = field(default_factory=dict)
    strength: int | None = None

    @property
    def size(self) -> int:
        """Number of cards."""
        return sum(self.need.values())


def supply_of(options: ClimbingOptions, rank: Rank) -> int:
    """Cards of this rank in the deck."""
    return options.decks * (1 if rank in JOKERS else 4)


def shapes(options: ClimbingOptions) -> Iterator[Shape]:
    """All of them that a hand can hold (§3.10)."""
    for make in SHAPES:
        for shape in make(options):
            if shape.size <= options.most_cards and _can_be_dealt(options, shape.need):
                yield shape


def _can_be_dealt(options: ClimbingOptions, need: Counts) -> bool:
    wilds = sum(supply_of(options, rank) - need.get(rank, 0) for rank in options.wild)
    missing = sum(max(0, count - supply_of(options, rank)) for rank, count in need.items())
    return missing <= wilds


def _sets(options: ClimbingOptions) -> Iterator[Shape]:
    for kind, size in _SETS[: options.max_set]:
        for rank in options.rank_order:
            is_set_rank = size == 1 or not options.set_ranks or rank in options.set_ranks
            if is_set_rank and (rank not in JOKERS or size <= supply_of(options, rank)):
                yield Shape(kind, 1, rank, {rank: size}, {rank: 1})


def _runs(options: ClimbingOptions) -> Iterator[Shape]:
    longest = len(options.run_ranks)
    straights = (options.min_straight, options.max_straight or longest)
    yield from _runs_of(options, Kind.STRAIGHT, 1, straights)
    yield from _runs_of(options, Kind.CONSECUTIVE_PAIRS, 2, (options.min_pairs, longest))
    yield from _runs_of(options, Kind.CONSECUTIVE_TRIPLES, 3, (options.min_triples, longest))


def _chain_bombs(options: ClimbingOptions) -> Iterator[Shape]:
    for width in range(options.min_bomb, min(options.max_bomb, options.decks * 4) + 1):
        yield from _runs_of(options, Kind.CHAIN_BOMB, width, (options.min_chain, options.max_chain))


def _runs_of(options: ClimbingOptions, kind: Kind, width: int, lengths: tuple[int, int]) -> Iterator[Shape]:
    shortest, longest = lengths
    run_ranks = options.run_ranks
    for length in range(shortest, longest + 1) if shortest else ():
        for first in range(len(run_ranks) - length + 1):
            ranks = run_ranks[first : first + length]
            # §3.12: a run without any card of its lowest rank reads as the run one rank higher.
            floor = {} if ranks[-1] == run_ranks[-1] else {ranks[0]: 1}
            yield Shape(kind, length, ranks[-1], dict.fromkeys(ranks, width), floor)


def _bombs(options: ClimbingOptions) -> Iterator[Shape]:
    for size in range(options.min_bomb, options.max_bomb + 1) if options.min_bomb else ():
        for rank in options.rank_order:
            if rank not in JOKERS:
                yield Shape(Kind.BOMB, 1, rank, {rank: size}, {rank: 1})


def _joker_bombs(options: ClimbingOptions) -> Iterator[Shape]:
    if options.three_joker_bomb:
        yield Shape(Kind.JOKER_BOMB, 1, None, _jokers(options, 3))
    if options.joker_bomb and options.jokers:
        yield Shape(Kind.JOKER_BOMB, 1, None, _jokers(options, options.decks * 2))


def _topped_bombs(options: ClimbingOptions) -> Iterator[Shape]:
    for jokers in (3, 4) if options.topped_bombs else ():
        for rank in options.rank_order:
            if rank not in JOKERS:
                naturals = {rank: supply_of(options, rank)}
                yield Shape(Kind.BOMB_JOKERS, 1, rank, naturals | _jokers(options, jokers), naturals)


def _two_pairs(options: ClimbingOptions) -> Iterator[Shape]:
    """Two pairs of any two ranks, by the higher pair and then by the lower."""
    ranks = plain_ranks(options) if Kind.TWO_PAIR in options.extra_kinds else ()
    for high, rank in enumerate(ranks):
        for low, other in enumerate(ranks[:high]):
            strength = high * len(ranks) + low
            yield Shape(Kind.TWO_PAIR, 1, rank, {rank: 2, other: 2}, strength=strength)


def _kickers(options: ClimbingOptions) -> Iterator[Shape]:
    """Three with one and four with two others; which others makes no difference to its strength."""
    for kind, width, number in ((Kind.TRIPLE1, 3, 1), (Kind.QUAD2, 4, 2)):
        ranks = plain_ranks(options) if kind in options.extra_kinds else ()
        for rank in ranks:
            others = [other for other in ranks if other != rank]
            for kickers in combinations_with_replacement(others, number):
                yield Shape(kind, 1, rank, {rank: width} | Counter(kickers))


def _equal_cards(options: ClimbingOptions) -> Iterator[Shape]:
    """Three or more of a rank where such sets take the place of triples and bombs."""
    for rank in plain_ranks(options) if Kind.SET in options.extra_kinds else ():
        for size in range(3, supply_of(options, rank) + 1):
            yield Shape(Kind.SET, 1, rank, {rank: size})


def plain_ranks(options: ClimbingOptions) -> tuple[Rank, ...]:
    """All ranks but jokers, low to high."""
    return tuple(rank for rank in options.rank_order if rank not in JOKERS)


def _jokers(options: ClimbingOptions, number: int) -> Counts:
    """As many small jokers as there are: a wild big joker may stand for one of them."""
    return {Rank.SMALL_JOKER: options.decks, Rank.BIG_JOKER: number - options.decks}


SHAPES: tuple[Callable[[ClimbingOptions], Iterator[Shape]], ...] = (
    _sets,
    _runs,
    _bombs,
    _chain_bombs,
    _joker_bombs,
    _topped_bombs,
    _two_pairs,
    _kickers,
    _equal_cards,
)
"""One line for each kind of shape; each looks at the options and makes none where they have none."""
