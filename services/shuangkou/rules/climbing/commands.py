"""What a table or a player may ask for."""

from dataclasses import dataclass

from shuangkou.rules.cards import Card
from shuangkou.rules.seats import Seat


@dataclass(frozen=True, slots=True)
class StartDeal:
    """Shuffle and deal (the table asks, between two deals).

    `seed`: 32 bytes. `new_table`: a player was replaced, so the first lead is drawn at random (§2.4).
    """

    seed: bytes
    new_table: bool = False


@dataclass(frozen=True, slots=True)
class PlayCards:
    """Lead or follow with these cards, in any order."""

    seat: Seat
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Pass:
    """不要: leave the top play as it is (§4.2)."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class BuryKitty:
    """扣底: lay these cards face down in place of the kitty that was taken, in any order (§10.3)."""

    seat: Seat
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class DeclareCombination:
    """叫牌: announce that these cards, in any order, are held (§12.1)."""

    seat: Seat
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Bid:
    """叫分: offer to be the landlord for so many points (§12.2)."""

    seat: Seat
    points: int


@dataclass(frozen=True, slots=True)
class CallLandlord:
    """叫地主: end the bidding with the highest bid, unless another seat grabs (§12.2)."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class GrabLandlord:
    """抢地主: become the landlord in place of the seat that called (§12.2)."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class TakeFromKitty:
    """拿底牌: take these cards of the kitty, none or some or all, in any order (§12.3)."""

    seat: Seat
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class ExchangeCards:
    """换牌: lay these cards face down, none or some or all, and draw as many from the stock (§12.4)."""

    seat: Seat
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class MarkCard:
    """提分: mark one card of the hand in secret (§12.5)."""

    seat: Seat
    card: Card


@dataclass(frozen=True, slots=True)
class Forfeit:
    """逃跑: the player of this seat leaves the running deal for good (§9.1); the table asks."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Surrender:
    """投降: offer to give the deal up, or agree to the partner's offer (§9.3)."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class VoteRedeal:
    """Ask for the deal to be dealt anew before its first play (§9.4)."""

    seat: Seat


SideAct = Forfeit | Surrender | VoteRedeal
"""What a seat may ask out of turn."""

PhaseAct = (
    BuryKitty
    | DeclareCombination
    | Bid
    | CallLandlord
    | GrabLandlord
    | TakeFromKitty
    | ExchangeCards
    | MarkCard
)
"""What a seat may do in a phase before play, beside passing."""

Command = StartDeal | PlayCards | Pass | PhaseAct | SideAct
