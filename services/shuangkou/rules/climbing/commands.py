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

PhaseAct = BuryKitty
"""What a seat may do in a phase before play."""

Command = StartDeal | PlayCards | Pass | PhaseAct | SideAct
