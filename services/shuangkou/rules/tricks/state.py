"""What a table and its running deal are made of, as a fold of events."""

from dataclasses import dataclass

from shuangkou.rules.cards import Card
from shuangkou.rules.events import DealVoided
from shuangkou.rules.ruleset import TricksRuleSet
from shuangkou.rules.seats import Seat, Side
from shuangkou.rules.tricks.auction import Auction
from shuangkou.rules.tricks.events import (
    CardsPlayed,
    DealSettled,
    KittyCaptured,
    Opening,
    Phase,
    ShapeNamed,
    ThrowFailed,
)
from shuangkou.rules.tricks.options import Level
from shuangkou.rules.tricks.order import Trump
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
    kitty_owner: the seat that took or buried the kitty last. trump: once it is fixed for the deal. plays: of
    the deal, in order. trick: of the plays, those of the current trick. last_trick: those of the one before.
    failed: the last failed throw of the current trick, until it is led again. named: the shape that the
    opponents chose for it. taken, fines: by side. coins: by seat, moved so far.
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
    named: ShapeNamed | None = None
    taken: tuple[int, int] = (0, 0)
    fines: tuple[int, int] = (0, 0)
    coins: tuple[int, ...] = (0, 0, 0, 0)
    captured: KittyCaptured | None = None


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
