"""What happened at a table, in the past tense; a deal's state is the fold of these."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import Enum
from typing import ClassVar

from shuangkou.rules.cards import Card, Rank
from shuangkou.rules.climbing.combinations import Combination, Kind
from shuangkou.rules.climbing.options import Phase
from shuangkou.rules.climbing.phase_events import (
    BidMade,
    CallPassed,
    CardMarked,
    CombinationDeclared,
    HandExchanged,
    KittyCardsTaken,
    KittyChosen,
    LandlordCalled,
    LandlordGrabbed,
    LandlordNamed,
    MarkSet,
    MarksShown,
    StockCardsDrawn,
)
from shuangkou.rules.events import (
    CardsBuried,
    DealVoided,
    HandsDealt,
    KittyBuried,
    KittyTaken,
    Passed,
    SeatForfeited,
    SeatsSwapped,
    Trait,
)
from shuangkou.rules.seats import SEATS, Seat, Side, side_of


class Result(Enum):
    """How a deal ended for the side of the first seat out (§6.2)."""

    DOUBLE = "double"
    SINGLE = "single"
    DRAW = "draw"
    WIN = "win"
    """Where the places do not tell how far: the first seat out ends the deal, or points decide."""

    @property
    def name_zh(self) -> str:
        """中文名."""
        return _RESULTS_ZH[self]


_RESULTS_ZH = {Result.DOUBLE: "双扣", Result.SINGLE: "单扣", Result.DRAW: "平扣", Result.WIN: "获胜"}


@dataclass(frozen=True, slots=True)
class BombPlayed:
    """A bomb on the record of its seat, for the settlement (§7.2, §11.5)."""

    seat: Seat
    combination: Combination


@dataclass(frozen=True, slots=True)
class DealStarted:
    """A deal began; `number` counts from 1 and `seed_hash` is the SHA-256 of the secret seed.

    leader: after any swap of seats. dealt_from: the seat that got the first card.
    """

    secret: ClassVar[bool] = False
    number: int
    seed_hash: bytes
    leader: Seat
    hand_sizes: tuple[int, ...]
    dealt_from: Seat = SEATS[0]


@dataclass(frozen=True, slots=True)
class PhaseBegan:
    """The deal has come to the next of its phases, in which `turn` acts first."""

    secret: ClassVar[bool] = False
    phase: Phase
    turn: Seat


@dataclass(frozen=True, slots=True)
class FaceCardShown:
    """明牌: seats `first` and `second` were dealt the two copies of this card, before any swap (§2.6)."""

    secret: ClassVar[bool] = False
    card: Card
    first: Seat
    second: Seat


@dataclass(frozen=True, slots=True)
class KittyCardDrawn:
    """The seat drew the next card of the kitty, face down (§10.4)."""

    secret: ClassVar[bool] = False
    seat: Seat


@dataclass(frozen=True, slots=True)
class KittyShown:
    """亮底: the kitty was turned over when `seat` was the first to go out (§10.5)."""

    secret: ClassVar[bool] = False
    seat: Seat
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class CardsPlayed:
    """A seat led or followed; `cards` sorted from low to high.

    wild_as: what each wild card among them stands for, low to high; empty when none does (§3.12).
    is_discard: 贴牌, cards that do not beat the top play and only lie beside it (§4.8).
    """

    secret: ClassVar[bool] = False
    seat: Seat
    cards: tuple[Card, ...]
    combination: Combination
    wild_as: tuple[Rank, ...] = ()
    is_discard: bool = False


@dataclass(frozen=True, slots=True)
class SeatWentOut:
    """A seat played its last card; `place` 1 to 4 in the finish order."""

    secret: ClassVar[bool] = False
    seat: Seat
    place: int


@dataclass(frozen=True, slots=True)
class TrickEnded:
    """Everybody else passed; `winner` owns the final top play (and may be out of cards)."""

    secret: ClassVar[bool] = False
    winner: Seat


@dataclass(frozen=True, slots=True)
class LeadInherited:
    """接风: `seat` leads in place of `from_seat`, which went out unbeaten."""

    secret: ClassVar[bool] = False
    seat: Seat
    from_seat: Seat


@dataclass(frozen=True, slots=True)
class GroupRated:
    """不相连: the separate bombs of four or five cards that a seat played, rated at the end (§7.6)."""

    secret: ClassVar[bool] = False
    seat: Seat
    bombs: int
    stars: int


@dataclass(frozen=True, slots=True)
class ContributionBooked:
    """贡献分: the points by seat that a bomb or a group of `seat` moves at once (§7.5)."""

    secret: ClassVar[bool] = False
    seat: Seat
    stars: int
    amounts: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class SurrenderOffered:
    """投降: the seat would give up if its partner agrees (§9.3)."""

    secret: ClassVar[bool] = False
    seat: Seat


@dataclass(frozen=True, slots=True)
class SideSurrendered:
    """Both partners gave the deal up (§9.3)."""

    secret: ClassVar[bool] = False
    side: Side


@dataclass(frozen=True, slots=True)
class RedealVoted:
    """The seat wants the deal to be dealt anew (§9.4)."""

    secret: ClassVar[bool] = False
    seat: Seat


@dataclass(frozen=True, slots=True)
class SeatScore:
    """Why a seat scores what it does: base × multiplier + contribution + fine."""

    base: int
    multiplier: int
    contribution: int = 0
    fine: int = 0

    @property
    def total(self) -> int:
        """The seat's score."""
        return self.base * self.multiplier + self.contribution + self.fine


@dataclass(frozen=True, slots=True)
class DealSettled:
    """The deal is over and its seed revealed.

    finish_order: seats by place. base: points of a winner before the multiplier.
    multiplier: that of the winning side. scores: by seat. bombs: all that were played, in order.
    breakdown: by seat, what its score is made of. forfeited: seats whose players left.
    surrendered: the side that gave up. winners: the seats that won the deal (§7.8).
    """

    secret: ClassVar[bool] = False
    number: int
    result: Result
    finish_order: tuple[Seat, ...]
    multiplier: int
    base: int
    scores: tuple[int, ...]
    bombs: tuple[BombPlayed, ...]
    seed: bytes
    breakdown: tuple[SeatScore, ...] = ()
    forfeited: tuple[Seat, ...] = ()
    surrendered: Side | None = None
    winners: tuple[Seat, ...] = ()

    @property
    def winning_side(self) -> Side | None:
        """The side that won, None in a draw (§6.2) and where seats play for themselves."""
        return winning_side(self.result, self.winners)

    @property
    def is_abnormal(self) -> bool:
        """A player left or a side gave up, so that the next lead is drawn (§2.4)."""
        return bool(self.forfeited) or self.surrendered is not None


Act = CardsPlayed | Passed
"""What a seat did when it was its turn."""

Opening = (
    FaceCardShown
    | SeatsSwapped
    | KittyTaken
    | KittyCardDrawn
    | KittyBuried
    | CallPassed
    | CombinationDeclared
    | BidMade
    | LandlordCalled
    | LandlordGrabbed
    | LandlordNamed
    | KittyChosen
    | HandExchanged
    | MarkSet
)
"""What happened in public between the deal and the first play."""

Event = (
    DealStarted
    | HandsDealt
    | PhaseBegan
    | Opening
    | CardsBuried
    | KittyCardsTaken
    | StockCardsDrawn
    | CardMarked
    | Act
    | SeatWentOut
    | KittyShown
    | TrickEnded
    | LeadInherited
    | MarksShown
    | GroupRated
    | ContributionBooked
    | SeatForfeited
    | SurrenderOffered
    | SideSurrendered
    | RedealVoted
    | DealSettled
    | DealVoided
)
"""Anything that changes a table; `event.secret` says whether players may see it."""

TRAITS: dict[type, Trait] = {
    DealStarted: Trait.STARTS_DEAL,
    DealSettled: Trait.ENDS_DEAL,
    DealVoided: Trait.ENDS_DEAL,
    SeatForfeited: Trait.OUT_OF_TURN,
    SurrenderOffered: Trait.OUT_OF_TURN,
    RedealVoted: Trait.OUT_OF_TURN,
    LandlordNamed: Trait.SHOWS_KITTY,
    **dict.fromkeys(
        (HandsDealt, CardsBuried, KittyCardsTaken, StockCardsDrawn, CardMarked),
        Trait.SHOWS_HAND,
    ),
    **dict.fromkeys(
        (
            CardsPlayed,
            Passed,
            KittyBuried,
            CallPassed,
            CombinationDeclared,
            BidMade,
            LandlordCalled,
            LandlordGrabbed,
            KittyChosen,
            HandExchanged,
            MarkSet,
        ),
        Trait.OWN_ACT,
    ),
}
"""What events mean to the host of a table; nothing where they are not named."""


def winning_side(result: Result, winners: tuple[Seat, ...]) -> Side | None:
    """The side that won a deal, None in a draw (§6.2) and where seats play for themselves."""
    return None if result is Result.DRAW or len(winners) != 2 else side_of(winners[0])


def bombs_of(history: Iterable[Act], players: int) -> Iterator[BombPlayed]:
    """Those that a deal counts, in order; a set only where it was played on something (§11.5).

    players: seats that hold cards; where sets count nobody is out before the deal ends.
    """
    passes = players
    for act in history:
        if isinstance(act, Passed):
            passes += 1
            continue
        is_relative = act.combination.kind is Kind.SET and passes < players - 1
        if act.combination.is_bomb or is_relative:
            yield BombPlayed(act.seat, act.combination)
        passes = 0
