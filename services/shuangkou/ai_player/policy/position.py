"""A seat's view as the policy reads it: counts of ranks instead of cards."""

from dataclasses import dataclass

from shuangkou.ai_player.policy.features import Features, Ints, features_of, row_numbers
from shuangkou.rules.climbing.events import CardsPlayed
from shuangkou.rules.climbing.legal_acts import LegalActs, legal_acts_in_view
from shuangkou.rules.climbing.options import ClimbingOptions
from shuangkou.rules.climbing.view import SeatView
from shuangkou.rules.seats import Seat, partner, seats_after


class NotToAct(ValueError):
    """The view is a spectator's, or it is another seat's turn."""


@dataclass(frozen=True, slots=True)
class Opponent:
    """An opponent that holds `size` cards; has_passed: it declined to beat the top play."""

    size: int
    has_passed: bool


@dataclass(frozen=True, slots=True, eq=False)
class Position:
    """What the seat to act knows, and what it may do.

    held, gone: its own cards and those played, by rank. plays: the legal rows, lowest first.
    top: the row to beat, None for the seat that leads. rivals: the opponents that still hold cards.
    """

    features: Features
    legal: LegalActs
    held: Ints
    gone: Ints
    plays: Ints
    top: int | None
    top_seat: Seat | None
    rivals: tuple[Opponent, ...]
    partner_size: int

    @property
    def is_partners_trick(self) -> bool:
        """The partner owns the top play."""
        return self.top_seat is not None and self.top_seat == partner(self.legal.seat)


def position_of(options: ClimbingOptions, view: SeatView) -> Position:
    """The position of the seat to act; NotToAct when it is not this seat's turn."""
    if view.seat is None or not view.is_to_act:
        raise NotToAct("it is not this seat's turn")
    legal = legal_acts_in_view(options, view)
    features = features_of(legal.table)
    played = [card for act in view.history if isinstance(act, CardsPlayed) for card in act.cards]
    mate = partner(view.seat)
    return Position(
        features=features,
        legal=legal,
        held=features.counts(view.hand),
        gone=features.counts(played),
        plays=row_numbers(legal.rows),
        top=None if view.top is None else legal.table.classify(view.top.cards),
        top_seat=None if view.top is None else view.top.seat,
        rivals=tuple(
            Opponent(view.hand_sizes[seat], seat in view.passed)
            for seat in seats_after(view.seat)
            if seat != mate and view.hand_sizes[seat]
        ),
        partner_size=view.hand_sizes[mate],
    )
