"""What one seat, or a spectator, may know."""

from collections import Counter
from dataclasses import dataclass
from itertools import takewhile

from shuangkou.rules.cards import Card, Rank
from shuangkou.rules.climbing.events import Act, BombPlayed, CardsPlayed, DealSettled, Passed, Result
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

    Between deals `leader`, `turn` and `top` are None, the hands, trick and history are empty, and
    `deal_number` is that of the last deal (0 before the first). hand: own cards, sorted from low to
    high. top: the play to beat, None for the seat that leads. trick: acts of the current trick.
    history: acts of the whole deal in order. settled: how the last deal ended.
    """

    seat: Seat | None
    deal_number: int
    seed_hash: bytes
    hand: tuple[Card, ...]
    hand_sizes: tuple[int, ...]
    leader: Seat | None
    turn: Seat | None
    top: CardsPlayed | None
    trick: tuple[Act, ...]
    finish_order: tuple[Seat, ...]
    history: tuple[Act, ...]
    standing: Standing
    settled: DealSettled | None

    @property
    def in_progress(self) -> bool:
        """A deal is being played."""
        return self.turn is not None

    @property
    def is_to_act(self) -> bool:
        """It is this seat's turn."""
        return self.seat is not None and self.seat == self.turn

    @property
    def passed(self) -> tuple[Seat, ...]:
        """Seats that passed since the top play, in order."""
        since_top = takewhile(lambda act: isinstance(act, Passed), reversed(self.trick))
        return tuple(act.seat for act in since_top)[::-1]

    @property
    def bombs(self) -> tuple[BombPlayed, ...]:
        """Bombs played in this deal, in order."""
        plays = (act for act in self.history if isinstance(act, CardsPlayed))
        return tuple(BombPlayed(play.seat, play.combination) for play in plays if play.combination.is_bomb)

    @property
    def gone(self) -> Counter[Rank]:
        """How many cards of each rank were played in this deal."""
        plays = (act for act in self.history if isinstance(act, CardsPlayed))
        return Counter(card.rank for play in plays for card in play.cards)
