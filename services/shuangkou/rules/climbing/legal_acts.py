"""What a seat may do now, computed as a set of rows of the move table and spelled out on demand."""

from collections.abc import Iterator
from dataclasses import dataclass

from shuangkou.rules.cards import Card
from shuangkou.rules.climbing.combinations import Combination, Kind
from shuangkou.rules.climbing.commands import PhaseAct, SideAct
from shuangkou.rules.climbing.consent import Situation, side_acts, situation
from shuangkou.rules.climbing.events import CardsPlayed
from shuangkou.rules.climbing.hands import Held
from shuangkou.rules.climbing.move_table import MoveTable, move_table
from shuangkou.rules.climbing.opening import OpeningActs, OpeningRules, Position, position_seen
from shuangkou.rules.climbing.openings import OPENINGS
from shuangkou.rules.climbing.options import ClimbingOptions
from shuangkou.rules.climbing.suits import may_follow, plays, read
from shuangkou.rules.climbing.view import SeatView
from shuangkou.rules.commands import Pass, PlayCards
from shuangkou.rules.hands import hand_without
from shuangkou.rules.seats import Seat


@dataclass(frozen=True, slots=True)
class LegalPlay:
    """One combination that may be played, with cards of the hand that make it."""

    command: PlayCards
    combination: Combination


@dataclass(frozen=True, slots=True, eq=False)
class LegalActs:
    """The legal plays of a seat from low to high, one for each combination and choice of kickers, whether
    it may pass, and what it may ask out of turn.

    `len`, truth, iteration and `[number]` are about the plays. `in` takes a command or cards, and knows every
    choice of cards, not only the one that iteration shows. rows: the legal rows of the move table, none
    where suits count. now: what acts out of turn depend on, None between deals. listed: where suits count,
    the plays on `top` card by card. before_play: what a phase before play allows beside
    passing. opening: the same with every choice of cards.
    """

    table: MoveTable
    seat: Seat
    hand: tuple[Card, ...]
    rows: int
    may_pass: bool
    now: Situation | None = None
    listed: tuple[tuple[tuple[Card, ...], Combination], ...] | None = None
    top: Combination | None = None
    before_play: tuple[PhaseAct, ...] = ()
    opening: OpeningActs | None = None

    @property
    def others(self) -> tuple[SideAct, ...]:
        """What the seat may ask out of turn."""
        return () if self.now is None else side_acts(self.now, self.seat)

    def __len__(self) -> int:
        return self.rows.bit_count() if self.listed is None else len(self.listed)

    def __bool__(self) -> bool:
        return len(self) != 0

    def __contains__(self, act: object) -> bool:
        if isinstance(act, Pass):
            return self.may_pass and act.seat == self.seat
        if isinstance(act, PlayCards):
            return act.seat == self.seat and self._allows(act.cards)
        if isinstance(act, tuple):
            return self._allows(act)
        return act in self.others or (self.opening is not None and act in self.opening)

    def __iter__(self) -> Iterator[LegalPlay]:
        for cards, combination in self.listed or ():
            yield LegalPlay(PlayCards(self.seat, cards), combination)
        rows = self.rows
        while rows:
            lowest = rows & -rows
            yield self._play(lowest.bit_length() - 1)
            rows ^= lowest

    def __getitem__(self, number: int) -> LegalPlay:
        """The play with this number in the iteration, counted from 0; spells out no other."""
        if not 0 <= number < len(self):
            raise IndexError(f"there are {len(self)} plays, and none has the number {number}")
        if self.listed is not None:
            cards, combination = self.listed[number]
            return LegalPlay(PlayCards(self.seat, cards), combination)
        rows = self.rows
        for _ in range(number):
            rows &= rows - 1
        return self._play((rows & -rows).bit_length() - 1)

    def lowest(self) -> LegalPlay | None:
        """The first play of the iteration, None when there is none."""
        return next(iter(self), None)

    def _allows(self, cards: tuple[Card, ...]) -> bool:
        if hand_without(self.hand, cards) is None:
            return False
        if self.listed is None:
            row = self.table.classify(cards)
            return row is not None and self.rows >> row & 1 == 1
        found = read(self.table, cards)
        if found is None or not self.listed:
            return False
        return self.top is None or may_follow(self.table.options, found, self.top)

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


def acts_in_turn(
    table: MoveTable, seat: Seat, held: Held, top: CardsPlayed | None, now: Situation
) -> LegalActs:
    """What the seat may do whose turn it is."""
    may_pass = top is not None and (not table.options.discards or len(held.hand) == 1)
    top = None if table.options.discards else top
    if not table.options.suits:
        top_row = None if top is None else table.row_of.get(table.pack(top.cards))
        return LegalActs(table, seat, held.hand, table.playable(held.packed, top_row), may_pass, now)
    listed = tuple(sorted(plays(table, held, top), key=_low_to_high))
    beaten = None if top is None else top.combination
    return LegalActs(table, seat, held.hand, 0, may_pass, now, listed, beaten)


def acts_before_play(rules: OpeningRules, position: Position, now: Situation) -> LegalActs:
    """What the seat may do whose turn it is in a phase of OPENINGS."""
    opening = OpeningActs(rules, position)
    acts = tuple(act for act in opening.listed if not isinstance(act, Pass))
    may_pass = Pass(position.seat) in opening
    hand = position.hand
    return LegalActs(
        position.table, position.seat, hand, 0, may_pass, now=now, before_play=acts, opening=opening
    )


def _low_to_high(play: tuple[tuple[Card, ...], Combination]) -> tuple[bool, int, int, int]:
    found = play[1]
    return found.is_bomb, _PLACES[found.kind], found.size, found.strength


_PLACES = {kind: place for place, kind in enumerate(Kind)}


def legal_acts_in_view(options: ClimbingOptions, view: SeatView) -> LegalActs:
    """The legal acts of the seat whose view this is; ValueError for a spectator's view."""
    table, seat = move_table(options), view.seat
    if seat is None:
        raise ValueError("a spectator has no acts")
    if view.phase in OPENINGS and view.is_to_act:
        position = position_seen(options, view, seat)
        return acts_before_play(OPENINGS[view.phase], position, situation(options, view))
    now = situation(options, view)
    if not view.is_to_act:
        return LegalActs(table, seat, view.hand, 0, may_pass=False, now=now if view.in_progress else None)
    return acts_in_turn(table, seat, Held(view.hand, table.pack(view.hand)), view.top, now)
