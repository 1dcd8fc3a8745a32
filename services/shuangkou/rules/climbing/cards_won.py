"""Scores by the cards that a side wins in tricks, and by the kitty (§11.6)."""

from dataclasses import replace

from shuangkou.rules.cards import JOKERS
from shuangkou.rules.climbing.options import ClimbingOptions
from shuangkou.rules.climbing.record import DealRecord, Settlement, by_points, richer_side
from shuangkou.rules.seats import SEATS, Seat, partner, side_of


def by_cards_won(options: ClimbingOptions, record: DealRecord) -> Settlement:
    """§11.6: both members of a side get what it won."""
    points = tuple(_points_of_side(options, record, seat) for seat in SEATS)
    return replace(by_points(options, record, points), winners=richer_side(record, points))


def _points_of_side(options: ClimbingOptions, record: DealRecord, seat: Seat) -> int:
    cards = record.cards_won[seat] + record.cards_won[partner(seat)]
    is_first_side = side_of(seat) == side_of(record.finish_order[0])
    return options.trick_card_points * cards + (_kitty(options, record) if is_first_side else 0)


def _kitty(options: ClimbingOptions, record: DealRecord) -> int:
    return sum(
        options.kitty_joker_points if card.rank in JOKERS else options.kitty_card_points
        for card in record.kitty
    )
