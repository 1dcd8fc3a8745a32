"""What one seat, or a spectator, may know."""

from dataclasses import dataclass

from shuangkou.rules.cards import Card
from shuangkou.rules.climbing.events import Act, BombPlayed, CardsPlayed, DealSettled, Event, Result
from shuangkou.rules.seats import Seat


@dataclass(frozen=True, slots=True)
class Standing:
    """All that one deal hands on to the next; enough to resume a match between two deals.

    totals: points by seat, summed over the deals. last_head: the first seat out of the last deal,
    None before the first deal and after an abnormal end (then the next lead is drawn at random).
    """

    deals_played: int = 0
    totals: tuple[int, ...] = (0, 0, 0, 0)
    last_head: Seat | None = None
    last_result: Result | None = None


@dataclass(frozen=True, slots=True)
class SeatView:
    """The table as `seat` sees it; `seat` None is a spectator, who sees no hidden card.

    Between deals `turn`, `leader` and `top` are None and `settled` is the last deal's settlement.
    in_progress: a deal is being played, number `deal_number` (0 before the first). hand: own cards,
    sorted from low to high. top: the play to beat, None for the seat that leads. trick: acts of the
    current trick. passed: seats that passed since the top play. bombs: in playing order, with their
    seats. gone: cards played so far per rank, by the ruleset's rank order. history: every public
    event of the deal in order, DealStarted first. match_over: no further deal follows.
    """

    seat: Seat | None
    in_progress: bool
    deal_number: int
    seed_hash: bytes
    hand: tuple[Card, ...]
    hand_sizes: tuple[int, ...]
    leader: Seat | None
    turn: Seat | None
    top: CardsPlayed | None
    trick: tuple[Act, ...]
    passed: tuple[Seat, ...]
    finish_order: tuple[Seat, ...]
    bombs: tuple[BombPlayed, ...]
    gone: tuple[int, ...]
    history: tuple[Event, ...]
    standing: Standing
    settled: DealSettled | None
    match_over: bool

    @property
    def is_to_act(self) -> bool:
        """It is this seat's turn."""
        return self.seat is not None and self.seat == self.turn
