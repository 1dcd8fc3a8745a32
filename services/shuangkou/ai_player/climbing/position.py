"""A seat's view as the policy reads it: counts of ranks instead of cards."""

from dataclasses import dataclass, replace

import numpy as np

from shuangkou.ai_player.climbing.features import Features, Flags, Ints, features_of, row_numbers
from shuangkou.ai_player.unanswerable import NotToAct
from shuangkou.rules.climbing.events import CardsPlayed
from shuangkou.rules.climbing.legal_acts import LegalActs, legal_acts_in_view
from shuangkou.rules.climbing.options import ClimbingOptions, Sides
from shuangkou.rules.climbing.view import SeatView
from shuangkou.rules.commands import PlayCards
from shuangkou.rules.seats import Seat, partner, seats_after


@dataclass(frozen=True, slots=True)
class Opponent:
    """An opponent that holds `size` cards; has_passed: it declined to beat the top play."""

    size: int
    has_passed: bool


@dataclass(frozen=True, slots=True, eq=False)
class Position:
    """What the seat to act knows, and what it may do.

    held, gone, partners: its own cards, those played, and those of its partner where it sees them, by rank.
    uses: [N, R], what each of the N legal plays spends of each rank. rows: their rows of the move table,
    -1 for a play that no row tells of. paid: points that they earn at once from every other seat.
    leads: there is nothing to beat. top: the row to beat. rivals: the opponents that still hold cards.
    """

    features: Features
    legal: LegalActs
    held: Ints
    gone: Ints
    partners: Ints
    uses: Ints
    rows: Ints
    paid: Ints
    leads: bool
    top: int | None
    top_seat: Seat | None
    rivals: tuple[Opponent, ...]
    partner_size: int

    @property
    def sizes(self) -> Ints:
        """Cards of each play."""
        sizes: Ints = self.uses.sum(axis=1)
        return sizes

    @property
    def is_bomb(self) -> Flags:
        """Which of the plays are bombs."""
        flags: Flags = self.features.is_bomb[self.rows] & (self.rows >= 0)
        return flags

    @property
    def is_partners_trick(self) -> bool:
        """The partner owns the top play."""
        return self.partner_size > 0 and self.top_seat == partner(self.legal.seat)

    def command(self, play: int) -> PlayCards:
        """The play with this number, as an act."""
        if self.legal.listed is not None:
            return self.legal.listed[play].command
        return next(iter(replace(self.legal, rows=1 << int(self.rows[play])))).command


def position_of(options: ClimbingOptions, view: SeatView) -> Position:
    """The position of the seat to act; NotToAct when it is not this seat's turn."""
    if view.seat is None or not view.is_to_act:
        raise NotToAct("it is not this seat's turn")
    legal = legal_acts_in_view(options, view)
    features = features_of(legal.table)
    played = [card for act in view.history if isinstance(act, CardsPlayed) for card in act.cards]
    held = features.counts(view.hand)
    rows, uses = _plays(features, legal, held)
    has_partner = options.sides is Sides.PARTNERS
    mate = partner(view.seat)
    return Position(
        features=features,
        legal=legal,
        held=held,
        gone=features.counts(played),
        partners=features.counts(view.partner_hand),
        uses=uses,
        rows=rows,
        paid=_paid(options, features, rows),
        leads=view.top is None,
        top=None if view.top is None else legal.table.classify(view.top.cards),
        top_seat=None if view.top is None else view.top.seat,
        rivals=tuple(
            Opponent(view.hand_sizes[seat], seat in view.passed)
            for seat in seats_after(view.seat)
            if not (has_partner and seat == mate) and view.hand_sizes[seat]
        ),
        partner_size=view.hand_sizes[mate] if has_partner else 0,
    )


def _plays(features: Features, legal: LegalActs, held: Ints) -> tuple[Ints, Ints]:
    if legal.listed is None:
        rows = row_numbers(legal.rows)
        return rows, _spent(features, rows, held)
    found = [legal.table.classify(play.command.cards) for play in legal.listed]
    uses = [features.counts(play.command.cards) for play in legal.listed]
    rows = np.array([-1 if row is None else row for row in found], dtype=np.int64)
    return rows, np.array(uses, dtype=np.int64).reshape(len(rows), len(held))


def _paid(options: ClimbingOptions, features: Features, rows: Ints) -> Ints:
    """贡献分."""
    if not options.contributions:
        return np.zeros(len(rows), dtype=np.int64)
    by_stars = np.zeros(1 + max(int(features.stars.max()), *dict(options.contributions)), dtype=np.int64)
    for stars, points in options.contributions:
        by_stars[stars] = points
    paid: Ints = np.where(rows >= 0, by_stars[features.stars[rows]], 0)
    return paid


def _spent(features: Features, rows: Ints, held: Ints) -> Ints:
    """The cards for these rows: natural ones first, and wild cards for what is missing."""
    needs = features.needs[rows]
    wild = features.wild
    if wild is None:
        return needs
    spent: Ints = np.minimum(needs, held)
    spent[:, wild] = needs[:, wild]
    spent[:, wild] += (needs - spent).sum(axis=1)
    return spent
