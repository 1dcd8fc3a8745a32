"""Scores by what is still held when the first seat is out (§11.2 to §11.5)."""

from collections.abc import Callable, Sequence

from shuangkou.rules.cards import Card, Rank
from shuangkou.rules.climbing.events import CardsPlayed
from shuangkou.rules.climbing.options import ClimbingOptions
from shuangkou.rules.climbing.record import DealRecord, Settlement, by_points
from shuangkou.rules.seats import SEATS, Seat

_LOWEST_PIP = 3


def by_pips_left(options: ClimbingOptions, record: DealRecord) -> Settlement:
    """§11.3."""
    return _paid_to_the_first(
        options, record, lambda cards: sum(pips_left_of(options, card.rank) for card in cards)
    )


def by_cards_left(options: ClimbingOptions, record: DealRecord) -> Settlement:
    """§11.4."""
    return _paid_to_the_first(options, record, len)


def by_bombs_and_matches(options: ClimbingOptions, record: DealRecord) -> Settlement:
    """§11.5: for going out, for bombs, and for cards that match the last play."""
    points = tuple(
        _for_bombs(options, record, seat)
        + (options.out_points if seat == record.finish_order[0] else _for_matches(options, record, seat))
        for seat in SEATS
    )
    return by_points(options, record, points)


def _paid_to_the_first(
    options: ClimbingOptions, record: DealRecord, worth: Callable[[Sequence[Card]], int]
) -> Settlement:
    """§11.2: each other seat pays what its cards are worth, and the first seat out gets it all."""
    paid = [worth(cards) for cards in record.left]
    first = record.finish_order[0]
    points = tuple(sum(paid) - paid[first] if seat == first else -paid[seat] for seat in SEATS)
    return by_points(options, record, points)


def pips_left_of(options: ClimbingOptions, rank: Rank) -> int:
    """§11.3: 3 for the lowest rank, and one more for each rank above it."""
    return _LOWEST_PIP + options.rank_order.index(rank)


def _for_bombs(options: ClimbingOptions, record: DealRecord, seat: Seat) -> int:
    worth = dict(options.bomb_points)
    return sum(worth.get(bomb.combination.size, 0) for bomb in record.bombs if bomb.seat == seat)


def _for_matches(options: ClimbingOptions, record: DealRecord, seat: Seat) -> int:
    last = next((act for act in reversed(record.history) if isinstance(act, CardsPlayed)), None)
    matching = [card for card in record.left[seat] if last is not None and card.rank is last.combination.rank]
    return options.match_points * len(matching)
