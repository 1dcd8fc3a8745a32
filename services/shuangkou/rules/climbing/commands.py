"""What a table or a seat may ask for in a climbing game."""

from dataclasses import dataclass

from shuangkou.rules.cards import Card
from shuangkou.rules.commands import BuryKitty, Forfeit, Pass, PlayCards, StartDeal
from shuangkou.rules.seats import Seat


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
