"""What happened at a table, in the past tense; a deal's state is the fold of these.

A hidden fact has a secret event beside the public one: the public events alone never name a card that not
everybody may see.
"""

from dataclasses import dataclass
from enum import Enum
from typing import ClassVar

from shuangkou.rules.cards import Card
from shuangkou.rules.events import (
    CardsBuried,
    DealVoided,
    HandsDealt,
    KittyBuried,
    KittyTaken,
    Passed,
    SeatForfeited,
)
from shuangkou.rules.seats import Seat, Side, side_of
from shuangkou.rules.tricks.deal_end import Feat
from shuangkou.rules.tricks.options import Level
from shuangkou.rules.tricks.order import Trump
from shuangkou.rules.tricks.shows import ShowKind
from shuangkou.rules.tricks.units import Shape


class Phase(Enum):
    """Where a deal is; phases without an object are left out."""

    DRAW = "draw"
    """摸牌: cards come round by round, nobody is asked, and any seat may declare (§2.6)."""
    CLOSING = "closing"
    """补亮: all cards are drawn, and each seat is asked to declare or overturn (§3.10)."""
    BURY = "bury"
    """扣底: the seat that took the kitty lays as many cards down (§4.1)."""
    POST = "post"
    """反主: each seat is asked to overturn after the bury (§3.11)."""
    PLAY = "play"
    """出牌 (§6)."""
    NAME_SHAPE = "name_shape"
    """The opponents say what a failed throw leads (§6.5)."""


@dataclass(frozen=True, slots=True)
class TurnedCard:
    """A card that a seat turned or cut for the first draw (§2.3); it went back into the deck."""

    seat: Seat
    card: Card


@dataclass(frozen=True, slots=True)
class DealStarted:
    """A deal began; `number` counts from 1, void deals too, and `seed_hash` is the SHA-256 of the secret
    seed.

    first: the seat that draws first. declarer: None where the first to declare will be it. level: that of the
    declaring side, None where no level is played. turned: how the first drawer was found, in order.
    """

    secret: ClassVar[bool] = False
    number: int
    seed_hash: bytes
    first: Seat
    declarer: Seat | None
    level: Level | None
    hand_size: int
    kitty_size: int
    turned: tuple[TurnedCard, ...] = ()


@dataclass(frozen=True, slots=True)
class CardsDrawn:
    """摸牌: every seat drew its next `count` cards (§2.6)."""

    secret: ClassVar[bool] = False
    count: int


@dataclass(frozen=True, slots=True)
class PhaseBegan:
    """The deal has come to another phase, in which `turn` is asked first; None where nobody is."""

    secret: ClassVar[bool] = False
    phase: Phase
    turn: Seat | None


@dataclass(frozen=True, slots=True)
class TrumpDeclared:
    """亮主, 反主, 加固: the seat showed so many cards (§3).

    cards: all that it shows now, sorted by value; none where the show is face-down. is_after_bury: in the
    asking after the bury.
    """

    secret: ClassVar[bool] = False
    seat: Seat
    kind: ShowKind
    cards: tuple[Card, ...]
    size: int
    is_face_down: bool = False
    is_after_bury: bool = False


@dataclass(frozen=True, slots=True)
class FaceDownShown:
    """暗叫: which cards lie face-down; TrumpDeclared tells everybody how many (§3.6)."""

    secret: ClassVar[bool] = True
    seat: Seat
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class PairTopped:
    """压: the seat, which has just shown a higher pair, took the pair `taken` and gave `owner` two cards for
    it (§3.14).
    """

    secret: ClassVar[bool] = False
    seat: Seat
    owner: Seat
    taken: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class CardsReturned:
    """Which two cards `seat` gave to `owner` for a pair; PairTopped tells everybody that it did (§3.14)."""

    secret: ClassVar[bool] = True
    seat: Seat
    owner: Seat
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class TrumpTurned:
    """翻底: nobody declared, and this is trump (§3.9).

    cards: those of the kitty that were turned over for it, in order; none where none had to be.
    """

    secret: ClassVar[bool] = False
    cards: tuple[Card, ...]
    trump: Trump


@dataclass(frozen=True, slots=True)
class DeclarerNamed:
    """坐庄: the seat is the declarer of the deal, which is played at `level` (§3.8).

    Where roles alternate: the holder that leads to the first trick (§9.3).
    """

    secret: ClassVar[bool] = False
    seat: Seat
    level: Level | None


@dataclass(frozen=True, slots=True)
class RevealedShow:
    """A face-down show turned up."""

    seat: Seat
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class TrumpFixed:
    """定主: this is trump for the whole deal; all face-down shows were turned up, in order (§3.6)."""

    secret: ClassVar[bool] = False
    trump: Trump
    revealed: tuple[RevealedShow, ...] = ()


@dataclass(frozen=True, slots=True)
class CardsPlayed:
    """A seat led or followed; `cards` in the order of the deal: plain suits, then trumps, each from low to
    high.

    is_forced: what was left of a failed throw (§6.3).
    """

    secret: ClassVar[bool] = False
    seat: Seat
    cards: tuple[Card, ...]
    is_forced: bool = False


@dataclass(frozen=True, slots=True)
class ThrowFailed:
    """甩牌失败: the seat showed these cards and takes them back, for other hands stop it (§6.3).

    blocked: all cards of the blocked units. fine: points that its side pays. coins: by seat, what is paid
    for it. choices: the shapes that the opponents choose from; fewer than two where they have no choice.
    """

    secret: ClassVar[bool] = False
    seat: Seat
    cards: tuple[Card, ...]
    blocked: tuple[Card, ...]
    fine: int = 0
    coins: tuple[int, ...] = (0, 0, 0, 0)
    choices: tuple[Shape, ...] = ()


@dataclass(frozen=True, slots=True)
class ShapeNamed:
    """The seat named for its side what the failed throw has to lead (§6.5)."""

    secret: ClassVar[bool] = False
    seat: Seat
    shape: Shape


@dataclass(frozen=True, slots=True)
class TrickEnded:
    """一圈: all four have played; `points`: what the cards are worth to the winner's side (§6.9)."""

    secret: ClassVar[bool] = False
    winner: Seat
    points: int


@dataclass(frozen=True, slots=True)
class KittyCaptured:
    """抠底: the seat won the last trick for the attacking side, whose score grows by `points` (§7.2).

    cards: the kitty; where there is none and the last trick itself counts more, the cards of that trick
    (§7.5). points: what comes on top of the points of the tricks.
    """

    secret: ClassVar[bool] = False
    seat: Seat
    cards: tuple[Card, ...]
    multiplier: int
    points: int


@dataclass(frozen=True, slots=True)
class ForfeitPaid:
    """逃跑赔付: the coins by seat that `seat` pays to the others because its player left (§12.2)."""

    secret: ClassVar[bool] = False
    seat: Seat
    coins: tuple[int, ...]


class DecidedBy(Enum):
    """What ended a match (§10)."""

    LEVEL = "level"
    """The last level was passed, or the goal reached (§10.1, §10.2)."""
    FEAT = "feat"
    """A hat or a reverse hat (§10.3, §10.5)."""
    DEALS = "deals"
    """All deals were played (§10.6, §10.8)."""
    TIME = "time"
    """The time was over (§10.7)."""
    FORFEIT = "forfeit"
    """A player left (§12.2)."""


@dataclass(frozen=True, slots=True)
class MatchDecided:
    """The match is over with the deal that ends after this, or between two deals; `winner` None is a draw."""

    secret: ClassVar[bool] = False
    winner: Side | None
    by: DecidedBy


SideLevels = tuple[Level | None, Level | None]
"""By side; None where no ladder is climbed."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a deal came out.

    declarer: as in DeclarerNamed. attackers: the side that takes points. score: of the attacking side,
    never below nothing (§7.1): its trick points, `captured`, and the fines. taken: trick points by side.
    fines: points that each side paid for failed throws. captured: what the last trick brought on top.
    kitty: as it was buried, sorted by value. deal_passes: the attacking side takes the deal. levels_before,
    levels_after: by side. overturns: shows that overturned another. next_declarer: None where the first to
    declare will be it.
    """

    declarer: Seat
    attackers: Side
    trump: Trump
    level: Level | None
    score: int
    taken: tuple[int, int]
    fines: tuple[int, int]
    captured: int
    kitty: tuple[Card, ...]
    deal_passes: bool
    levels_before: SideLevels
    levels_after: SideLevels
    overturns: int
    next_declarer: Seat | None
    feat: Feat | None = None


@dataclass(frozen=True, slots=True)
class DealSettled:
    """The deal is over and its seed revealed.

    scores: by seat, big points or match points, or the rungs that its side went up or, below nothing, fell.
    winners: the seats that won the deal. coins: by seat, what the deal moved with the fines in it (§8.8).
    forfeited: none, for who leaves makes a deal void.
    """

    secret: ClassVar[bool] = False
    number: int
    scores: tuple[int, ...]
    seed: bytes
    winners: tuple[Seat, ...]
    outcome: Outcome
    coins: tuple[int, ...] = (0, 0, 0, 0)
    forfeited: tuple[Seat, ...] = ()

    @property
    def winning_side(self) -> Side | None:
        """The side that won, None in a draw."""
        return side_of(self.winners[0]) if self.winners else None


Opening = (
    TrumpDeclared | PairTopped | Passed | TrumpTurned | DeclarerNamed | KittyTaken | KittyBuried | TrumpFixed
)
"""What happened in public between the deal and the first lead."""

Event = (
    DealStarted
    | HandsDealt
    | CardsDrawn
    | PhaseBegan
    | Opening
    | FaceDownShown
    | CardsReturned
    | CardsBuried
    | CardsPlayed
    | ThrowFailed
    | ShapeNamed
    | TrickEnded
    | KittyCaptured
    | SeatForfeited
    | ForfeitPaid
    | MatchDecided
    | DealSettled
    | DealVoided
)
"""Anything that changes a table; `event.secret` says whether players may see it."""
