"""Scoring by tricks of one card from each seat (§13.5): the pips of the winning card, doubled on the way."""

from dataclasses import replace

from shuangkou.rules.cards import Card, Rank
from shuangkou.rules.climbing.events import Act, CardsPlayed
from shuangkou.rules.climbing.options import ClimbingOptions
from shuangkou.rules.climbing.record import DealRecord, Settlement, won_by_points
from shuangkou.rules.seats import SEATS, Seat

_PIPS = {Rank.TWO: Rank.ACE + 1}
"""Where the face is not the number: the two stands above the ace (14)."""


def pips_of(card: Card) -> int:
    """3 to 10 as printed, then 11 to 14 from jack to ace, 15 for a two."""
    return pips_of_rank(card.rank)


def pips_of_rank(rank: Rank) -> int:
    """As of any card of the rank."""
    return _PIPS.get(rank, int(rank))


def trick_worth(trick: tuple[Act, ...]) -> tuple[CardsPlayed, int]:
    """The winning play, and the pips of its card, doubled for each card twice the one it beat (翻倍)."""
    plays = [act for act in trick if isinstance(act, CardsPlayed)]
    top, factor = plays[0], 1
    for play in plays[1:]:
        if play.combination.beats(top.combination):
            factor *= 2 if pips_of(play.cards[0]) == 2 * pips_of(top.cards[0]) else 1
            top = play
    return top, pips_of(top.cards[0]) * factor


def by_trick_pips(options: ClimbingOptions, record: DealRecord) -> Settlement:
    """§13.5: the highest total wins; places are by points, equal ones in turn order from the first leader."""
    points = [0, 0, 0, 0]
    history, size = record.history, options.players
    for start in range(0, len(history), size):
        top, worth = trick_worth(history[start : start + size])
        is_marked = record.marks[top.seat] == top.cards[0]
        points[top.seat] += worth + (options.mark_points if is_marked else 0)

    def place(seat: Seat) -> tuple[int, int]:
        return -points[seat], (seat - history[0].seat) % len(SEATS)

    order = tuple(sorted(SEATS, key=place))
    winners = tuple(seat for seat in order if points[seat] == max(points))
    return replace(won_by_points(options, record, tuple(points), winners), order=order)
