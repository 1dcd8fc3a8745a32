"""Who draws the first card of a deal (§2.3, §2.4); every lot comes from the seed."""

from collections.abc import Callable, Iterator, Sequence
from itertools import count

from shuangkou.rules.cards import CARDS, JOKERS, Card, Rank
from shuangkou.rules.dealing import draw_number, draw_seat
from shuangkou.rules.seats import SEATS, Seat, next_seat
from shuangkou.rules.tricks.events import TurnedCard
from shuangkou.rules.tricks.options import FirstDrawer, LaterDrawer, TricksOptions
from shuangkou.rules.tricks.view import Standing

Found = tuple[Seat, tuple[TurnedCard, ...]]
"""The first drawer, and the cards that were turned to find it, in order."""

_PIPS = len(Rank) - len(JOKERS)


def first_drawer(options: TricksOptions, standing: Standing, declarer: Seat | None, seed: bytes) -> Found:
    """declarer: of the deal to come, None where it is not known yet."""
    is_later = standing.deals_played > 0
    if declarer is not None and (not is_later or options.later_drawer is LaterDrawer.DECLARER):
        return declarer, ()
    if is_later and standing.last_first is not None:
        return next_seat(standing.last_first), ()
    return _BY_LOT[options.first_drawer](seed)


def _by_lot(seed: bytes) -> Found:
    return draw_seat(seed, "start"), ()


def _by_cards(seats: Sequence[Seat], merit: Callable[[Card], tuple[int, int]]) -> Callable[[bytes], Found]:
    """The seat with the best card; those that are equal turn again."""

    def found(seed: bytes) -> Found:
        turns = _turns(seed)
        rivals, turned = tuple(seats), []
        while len(rivals) > 1:
            shown = [TurnedCard(seat, next(turns)) for seat in rivals]
            turned += shown
            best = max(merit(turn.card) for turn in shown)
            rivals = tuple(turn.seat for turn in shown if merit(turn.card) == best)
        return rivals[0], tuple(turned)

    return found


def _by_pips(seed: bytes) -> Found:
    """Counted from the seat that turned, which is one."""
    seat, turned = draw_seat(seed, "start"), []
    for card in _turns(seed):
        turned.append(TurnedCard(seat, card))
        if card.rank not in JOKERS:
            break
    pips = turned[-1].card.rank % _PIPS or _PIPS
    return SEATS[(seat + pips - 1) % 4], tuple(turned)


def _turns(seed: bytes) -> Iterator[Card]:
    """Cards turned one after another, each from a whole pack: label `turn0`, `turn1` and so on."""
    for number in count():
        yield CARDS[draw_number(seed, f"turn{number}", len(CARDS))]


def _with_suit(card: Card) -> tuple[int, int]:
    """By rank, jokers on top; of equal ranks spades, hearts, clubs, diamonds."""
    return card.rank, 0 if card.suit is None else -card.suit


def _rank_alone(card: Card) -> tuple[int, int]:
    return card.rank, 0


_BY_LOT: dict[FirstDrawer, Callable[[bytes], Found]] = {
    FirstDrawer.RANDOM: _by_lot,
    FirstDrawer.SIDE_CARDS: _by_cards(SEATS[:2], _with_suit),
    FirstDrawer.TURNED_CARDS: _by_cards(SEATS, _with_suit),
    FirstDrawer.CUT: _by_cards(SEATS, _rank_alone),
    FirstDrawer.TURNED_PIPS: _by_pips,
}
