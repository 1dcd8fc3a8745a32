"""What one seat, or a spectator, may know."""

from dataclasses import dataclass

from shuangkou.rules.cards import Card
from shuangkou.rules.events import DealVoided
from shuangkou.rules.seats import Seat, Side, side_of
from shuangkou.rules.tricks.events import (
    CardsPlayed,
    DealSettled,
    MatchDecided,
    Opening,
    Phase,
    SideLevels,
    ThrowFailed,
    TrumpDeclared,
)
from shuangkou.rules.tricks.options import Level
from shuangkou.rules.tricks.order import Trump
from shuangkou.rules.tricks.shows import ShowKind


@dataclass(frozen=True, slots=True)
class Standing:
    """All that one deal hands on to the next; enough to resume a match between two deals.

    deals_played: deals with a result. totals: scores by seat, summed over all deals. deals_voided: deals
    without a result. levels: by side, None where no ladder is climbed and before the first deal.
    reached_in: by side, the deal that got it to its level, 0 where it never left the first.
    attacking_points: by side, scores of the deals in which it attacked. coins: by seat, what it won or lost
    so far (§8.8). declarer: of the next deal, None where the first to declare will be it. last_first: who
    drew first in the last deal, None before it. dealt_again: void deals in a row because nobody declared
    (§3.9). first_attackers: where roles alternate, the side that attacked in the first deal (§9.3).
    decided: how the match ended, None while it goes on.
    """

    deals_played: int = 0
    totals: tuple[int, ...] = (0, 0, 0, 0)
    deals_voided: int = 0
    levels: SideLevels = (None, None)
    reached_in: tuple[int, int] = (0, 0)
    attacking_points: tuple[int, int] = (0, 0)
    coins: tuple[int, ...] = (0, 0, 0, 0)
    declarer: Seat | None = None
    last_first: Seat | None = None
    dealt_again: int = 0
    first_attackers: Side | None = None
    decided: MatchDecided | None = None

    @property
    def last_number(self) -> int:
        """The number of the last deal, 0 before the first."""
        return self.deals_played + self.deals_voided


@dataclass(frozen=True, slots=True)
class SeatView:
    """The table as `seat` sees it; `seat` None is a spectator, who sees no hidden card.

    Between deals `phase`, `first`, `declarer`, `level`, `trump`, `leader` and `turn` are None, and there
    are no hands, tricks and acts; `deal_number` is that of the last deal (0 before the first).

    hand: own cards drawn so far, sorted by value. undrawn: cards that each seat has yet to draw. attackers:
    the side that takes points, None until it is known. level: that of the deal, None where none is played.
    trump: as far as this seat knows; None while nothing is declared, or what stands lies face-down and is
    not its own. opening: what happened in public before the first lead, face-down shows without their
    cards. own_face_down: own cards that lie face-down. kitty: its cards, for the seat that buried last.
    kitty_size: how many lie there. kitty_owner: who buried them. trick: plays of the current trick in
    order, the lead first. last_trick: the trick before, where it may be looked at. best: whose play of the
    trick takes it so far. failed: the throw for which a shape is asked (§6.5). history: every play of the
    deal in order, what an attentive player remembers; who shows it to people must heed `last_trick_shown`.
    taken: trick points by side so far. fines: points that each side paid for failed throws. coins: by seat,
    moved in this deal so far. settled: how the last deal with a result ended. voided: how the last deal
    ended if it was void.
    """

    seat: Seat | None
    deal_number: int
    seed_hash: bytes
    standing: Standing
    phase: Phase | None = None
    hand: tuple[Card, ...] = ()
    hand_sizes: tuple[int, ...] = (0, 0, 0, 0)
    undrawn: int = 0
    first: Seat | None = None
    declarer: Seat | None = None
    attackers: Side | None = None
    level: Level | None = None
    trump: Trump | None = None
    opening: tuple[Opening, ...] = ()
    own_face_down: tuple[Card, ...] = ()
    kitty: tuple[Card, ...] = ()
    kitty_size: int = 0
    kitty_owner: Seat | None = None
    leader: Seat | None = None
    turn: Seat | None = None
    trick: tuple[CardsPlayed, ...] = ()
    last_trick: tuple[CardsPlayed, ...] = ()
    best: Seat | None = None
    failed: ThrowFailed | None = None
    history: tuple[CardsPlayed, ...] = ()
    taken: tuple[int, int] = (0, 0)
    fines: tuple[int, int] = (0, 0)
    coins: tuple[int, ...] = (0, 0, 0, 0)
    settled: DealSettled | None = None
    voided: DealVoided | None = None

    @property
    def in_progress(self) -> bool:
        """A deal is being drawn or played."""
        return self.phase is not None

    @property
    def partner_hand(self) -> tuple[Card, ...]:
        """Never seen in these games."""
        return ()

    @property
    def is_to_act(self) -> bool:
        """It is this seat's turn."""
        return self.seat is not None and self.seat == self.turn

    @property
    def shows(self) -> tuple[TrumpDeclared, ...]:
        """Every show of the deal in order, the last one stands."""
        return tuple(event for event in self.opening if isinstance(event, TrumpDeclared))

    @property
    def overturns(self) -> int:
        """How often the trump was overturned in this deal (§8.8)."""
        return sum(show.kind is ShowKind.OVERTURN for show in self.shows)

    @property
    def score(self) -> int:
        """Of the attacking side so far, with the fines, which may bring it below nothing (§7.1)."""
        if self.attackers is None:
            return 0
        return score_of(self.attackers, self.taken, self.fines)

    @property
    def own_side(self) -> Side | None:
        """None for a spectator."""
        return None if self.seat is None else side_of(self.seat)


def score_of(attackers: Side, taken: tuple[int, int], fines: tuple[int, int]) -> int:
    """§7.1, before the last trick adds anything."""
    return taken[attackers] + fines[1 - attackers] - fines[attackers]
