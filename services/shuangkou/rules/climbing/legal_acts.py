"""What a seat may do now, computed as a set of rows of the move table and spelled out on demand."""

from collections.abc import Iterator
from dataclasses import dataclass

from shuangkou.rules.cards import Card
from shuangkou.rules.climbing.combinations import Combination
from shuangkou.rules.climbing.commands import Pass, PlayCards, SideAct
from shuangkou.rules.climbing.consent import Situation, side_acts, situation
from shuangkou.rules.climbing.move_table import MoveTable, move_table
from shuangkou.rules.climbing.options import ClimbingOptions
from shuangkou.rules.climbing.view import SeatView
from shuangkou.rules.seats import Seat


@dataclass(frozen=True, slots=True)
class LegalPlay:
    """One combination that may be played, with cards of the hand that make it."""

    command: PlayCards
    combination: Combination


@dataclass(frozen=True, slots=True, eq=False)
class LegalActs:
    """The legal plays of a seat from low to high, one for each combination, whether it may pass, and what
    it may ask out of turn.

    `len`, truth and iteration are about the plays. `in` takes a command or cards, and knows every
    choice of cards, not only the one that iteration shows. rows: the legal rows of the move table. now: what
    acts out of turn depend on, None between deals.
    """

    table: MoveTable
    seat: Seat
    hand: tuple[Card, ...]
    rows: int
    may_pass: bool
    now: Situation | None = None

    @property
    def others(self) -> tuple[SideAct, ...]:
        """What the seat may ask out of turn."""
        return () if self.now is None else side_acts(self.now, self.seat)

    def __len__(self) -> int:
        return self.rows.bit_count()

    def __bool__(self) -> bool:
        return self.rows != 0

    def __contains__(self, act: object) -> bool:
        if isinstance(act, Pass):
            return self.may_pass and act.seat == self.seat
        if isinstance(act, PlayCards):
            return act.seat == self.seat and self._allows(act.cards)
        if isinstance(act, tuple):
            return self._allows(act)
        return act in self.others

    def __iter__(self) -> Iterator[LegalPlay]:
        rows = self.rows
        while rows:
            lowest = rows & -rows
            yield self._play(lowest.bit_length() - 1)
            rows ^= lowest

    def lowest(self) -> LegalPlay | None:
        """The first play of the iteration, None when there is none."""
        return next(iter(self), None)

    def _allows(self, cards: tuple[Card, ...]) -> bool:
        if hand_without(self.hand, cards) is None:
            return False
        row = self.table.classify(cards)
        return row is not None and self.rows >> row & 1 == 1

    def _play(self, row: int) -> LegalPlay:
        """Natural cards first; wild cards stand for what is missing."""
        table = self.table
        need: list[int] = table.needs[row].tolist()
        if table.wild is not None:
            need[-1] += sum(table.missing(row, self.hand)[:-1])
        cards, places = [], table.places
        for card in self.hand:
            place = places[card] // len(places)
            if need[place]:
                need[place] -= 1
                cards.append(card)
        return LegalPlay(PlayCards(self.seat, tuple(cards)), table.combinations[row])


def hand_without(hand: tuple[Card, ...], cards: tuple[Card, ...]) -> tuple[Card, ...] | None:
    """What is left of the hand in its order, None when it does not hold the cards."""
    left = list(hand)
    try:
        for card in cards:
            left.remove(card)
    except ValueError:
        return None
    return tuple(left)


def legal_acts_in_view(options: ClimbingOptions, view: SeatView) -> LegalActs:
    """The legal acts of the seat whose view this is; ValueError for a spectator's view."""
    table, seat = move_table(options), view.seat
    if seat is None:
        raise ValueError("a spectator has no acts")
    now = situation(options, view) if view.in_progress else None
    if not view.is_to_act:
        return LegalActs(table, seat, view.hand, 0, may_pass=False, now=now)
    top = None if view.top is None else table.classify(view.top.cards)
    rows = table.playable(table.pack(view.hand), top)
    return LegalActs(table, seat, view.hand, rows, may_pass=top is not None, now=now)
