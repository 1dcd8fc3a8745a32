"""What a table and its running deal are made of, as a fold of events."""

from dataclasses import dataclass, field

from shuangkou.rules import errors
from shuangkou.rules.cards import Card
from shuangkou.rules.climbing.events import Act, BombPlayed, CardsPlayed, DealSettled, Opening
from shuangkou.rules.climbing.move_table import MoveTable
from shuangkou.rules.climbing.options import Phase, Sides
from shuangkou.rules.climbing.view import NO_CONSENTS, Consents, Standing
from shuangkou.rules.errors import IllegalCommand
from shuangkou.rules.events import DealVoided
from shuangkou.rules.ruleset import RuleSet
from shuangkou.rules.seats import SEATS, Seat


@dataclass(frozen=True, slots=True)
class DealState:
    """A deal in progress; public but for `seed`, `hands`, `packed_hands`, `kitty`, `discarded` and `marks`.

    packed_hands: `hands` as packed counts of the move table. top_row: row of `top` in that table.
    contributions: points by seat that were booked so far. The hands are empty in a fold of public events,
    and so is the kitty until it is shown. kitty_size: cards that lie there. kitty_owner: the seat that
    laid or opened them and knows them. cards_won: by seat, in the tricks that ended (§11.6). discarded: by
    seat, what it gave for cards of the stock (§12.4). marks: the marked cards by seat (§12.5).
    """

    number: int
    seed_hash: bytes
    leader: Seat
    turn: Seat
    hand_sizes: tuple[int, ...]
    dealt_from: Seat = SEATS[0]
    phase: Phase = Phase.PLAY
    seed: bytes = b""
    hands: tuple[tuple[Card, ...], ...] = ((), (), (), ())
    packed_hands: tuple[int, ...] = (0, 0, 0, 0)
    top: CardsPlayed | None = None
    top_row: int | None = None
    trick: tuple[Act, ...] = ()
    passed: tuple[Seat, ...] = ()
    finish_order: tuple[Seat, ...] = ()
    bombs: tuple[BombPlayed, ...] = ()
    history: tuple[Act, ...] = ()
    opening: tuple[Opening, ...] = ()
    contributions: tuple[int, ...] = (0, 0, 0, 0)
    consents: Consents = NO_CONSENTS
    kitty: tuple[Card, ...] = ()
    kitty_size: int = 0
    kitty_owner: Seat | None = None
    kitty_is_shown: bool = False
    cards_won: tuple[int, ...] = (0, 0, 0, 0)
    discarded: tuple[tuple[Card, ...], ...] = ((), (), (), ())
    marks: tuple[Card | None, ...] = (None, None, None, None)


@dataclass(frozen=True, slots=True)
class MatchState:
    """The whole table, hidden cards included, so only for the engine; between two deals `deal` is None.

    settled: the last deal with a result. voided: the last deal if it had none.
    """

    ruleset: RuleSet
    table: MoveTable = field(repr=False)
    standing: Standing
    deal: DealState | None = None
    settled: DealSettled | None = None
    voided: DealVoided | None = None

    @property
    def is_over(self) -> bool:
        """A total has reached the target of the match, if there is one, and no rival's equals it (§7.3)."""
        options, totals = self.ruleset.options, self.standing.totals
        if not 0 < options.target_score <= max(totals):
            return False
        best = totals.index(max(totals))
        rivals = [seat for seat in range(options.players) if seat != best]
        if options.sides is Sides.PARTNERS:
            rivals.remove((best + 2) % 4)
        return all(totals[rival] < totals[best] for rival in rivals)


def running_deal(state: MatchState, seat: Seat) -> DealState:
    """The deal in progress; IllegalCommand between deals and for a seat that does not play."""
    if state.deal is None:
        raise IllegalCommand(errors.NO_DEAL_IN_PROGRESS, f"seat {seat} cannot act between deals", seat=seat)
    if seat not in SEATS[: state.ruleset.options.players]:
        raise IllegalCommand(errors.NO_SUCH_SEAT, f"there is no seat {seat}", seat=seat)
    return state.deal


def deal_with_turn(state: MatchState, seat: Seat) -> DealState:
    """The deal in progress, if it is this seat's turn; IllegalCommand otherwise."""
    deal = running_deal(state, seat)
    if seat != deal.turn:
        message = f"seat {seat} cannot act in deal {deal.number}: it is the turn of seat {deal.turn}"
        raise IllegalCommand(errors.NOT_YOUR_TURN, message, seat=seat)
    return deal
