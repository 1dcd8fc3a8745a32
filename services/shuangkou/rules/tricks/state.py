"""What a table and its running deal are made of, as a fold of events."""

from dataclasses import dataclass

from shuangkou.rules import errors
from shuangkou.rules.by_seat import put
from shuangkou.rules.cards import Card
from shuangkou.rules.errors import IllegalCommand
from shuangkou.rules.events import DealVoided
from shuangkou.rules.hands import hand_without
from shuangkou.rules.ruleset import TricksRuleSet
from shuangkou.rules.seats import Seat, Side
from shuangkou.rules.tricks.auction import Auction
from shuangkou.rules.tricks.events import CardsPlayed, DealSettled, Opening, Phase, ThrowFailed
from shuangkou.rules.tricks.options import Level, TricksOptions
from shuangkou.rules.tricks.order import Trump, TrumpOrder, trump_order
from shuangkou.rules.tricks.view import Standing

Hands = tuple[tuple[Card, ...], ...]
"""Cards by seat."""

NO_HANDS: Hands = ((), (), (), ())


@dataclass(frozen=True, slots=True)
class DealState:
    """A deal in progress; public but for `seed`, `hands`, `undrawn`, `kitty` and the cards of shows that lie
    face-down in `auction`. In a fold of public events those are empty.

    hands: drawn and not yet played, sorted by value. undrawn: what each seat has yet to draw, in order.
    cards_left: how many that are. declarer, level: as they stand; attackers: None until they are known.
    kitty_owner: the seat that took or buried the kitty last. trump: once it is fixed for the deal. history:
    plays of the deal, in order. trick: those of the current trick. last_trick: those of the one before.
    failed: the last failed throw of the current trick, until it is led again. taken, fines: by side. coins:
    by seat, moved so far.
    """

    number: int
    seed_hash: bytes
    first: Seat
    auction: Auction
    level: Level | None
    hand_sizes: tuple[int, ...]
    cards_left: int
    kitty_size: int
    phase: Phase = Phase.DRAW
    turn: Seat | None = None
    leader: Seat | None = None
    declarer: Seat | None = None
    attackers: Side | None = None
    seed: bytes = b""
    hands: Hands = NO_HANDS
    undrawn: Hands = NO_HANDS
    kitty: tuple[Card, ...] = ()
    kitty_owner: Seat | None = None
    opening: tuple[Opening, ...] = ()
    trump: Trump | None = None
    trick: tuple[CardsPlayed, ...] = ()
    last_trick: tuple[CardsPlayed, ...] = ()
    history: tuple[CardsPlayed, ...] = ()
    failed: ThrowFailed | None = None
    taken: tuple[int, int] = (0, 0)
    fines: tuple[int, int] = (0, 0)
    coins: tuple[int, ...] = (0, 0, 0, 0)


@dataclass(frozen=True, slots=True)
class MatchState:
    """The whole table, hidden cards included, so only for the engine; between two deals `deal` is None.

    settled: the last deal with a result. voided: the last deal if it had none.
    """

    ruleset: TricksRuleSet
    standing: Standing
    deal: DealState | None = None
    settled: DealSettled | None = None
    voided: DealVoided | None = None

    @property
    def is_over(self) -> bool:
        """The match is decided (§10)."""
        return self.standing.decided is not None


def running_deal(state: MatchState, seat: Seat | None = None) -> DealState:
    """The deal in progress; IllegalCommand between deals."""
    if state.deal is None:
        who = "the table" if seat is None else f"seat {seat}"
        raise IllegalCommand(errors.NO_DEAL_IN_PROGRESS, f"{who} cannot act between deals", seat=seat)
    return state.deal


def deal_with_turn(state: MatchState, seat: Seat) -> DealState:
    """The deal in progress, if it is this seat's turn; IllegalCommand otherwise."""
    deal = running_deal(state, seat)
    if seat != deal.turn:
        whose = "nobody's turn" if deal.turn is None else f"the turn of seat {deal.turn}"
        message = f"seat {seat} cannot act in deal {deal.number}: it is {whose}"
        raise IllegalCommand(errors.NOT_YOUR_TURN, message, seat=seat)
    return deal


def order_of(state: MatchState, deal: DealState) -> TrumpOrder:
    """How the cards compare; without a trump suit while none is fixed."""
    return order_with(state.ruleset.options, deal.level, deal.trump)


def order_with(options: TricksOptions, level: Level | None, trump: Trump | None) -> TrumpOrder:
    """How cards compare at this level; an unknown trump counts as none."""
    return trump_order(options, trump or Trump.NONE, None if level is None else level.rank)


def by_side(sides: tuple[int, int], side: Side, more: int) -> tuple[int, int]:
    """The same numbers with more for one side."""
    return (sides[0] + more, sides[1]) if side == 0 else (sides[0], sides[1] + more)


def moved(hands: Hands, source: Seat, target: Seat, cards: tuple[Card, ...]) -> Hands:
    """Cards go from one hand to another; nothing happens where the hands are not known."""
    rest = hand_without(hands[source], cards)
    if rest is None:
        return hands
    return put(put(hands, source, rest), target, tuple(sorted((*hands[target], *cards))))
