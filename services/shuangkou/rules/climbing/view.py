"""What one seat, or a spectator, may know."""

from collections import Counter
from dataclasses import dataclass
from itertools import takewhile

from shuangkou.rules.cards import Card, Rank
from shuangkou.rules.climbing.events import (
    Act,
    BombPlayed,
    CardsPlayed,
    DealSettled,
    FaceCardShown,
    Opening,
    Result,
    bombs_of,
)
from shuangkou.rules.climbing.options import Phase
from shuangkou.rules.events import DealVoided, Passed
from shuangkou.rules.seats import Seat


@dataclass(frozen=True, slots=True)
class Standing:
    """All that one deal hands on to the next; enough to resume a match between two deals.

    deals_played: deals with a result. totals: points by seat, summed over all deals. last_head: the first
    seat out of the last deal with a result, None before it. was_abnormal: the last deal was void, given up or
    left by a player, so that the next lead is drawn (§2.4). deals_voided: deals without a result.
    void_start: the seat from which the last deal was dealt if it was void (§9.2). passed_out: deals in a row
    that were void because all passed (§12.2).
    """

    deals_played: int = 0
    totals: tuple[int, ...] = (0, 0, 0, 0)
    last_head: Seat | None = None
    last_result: Result | None = None
    was_abnormal: bool = False
    deals_voided: int = 0
    void_start: Seat | None = None
    passed_out: int = 0

    @property
    def last_number(self) -> int:
        """The number of the last deal, 0 before the first."""
        return self.deals_played + self.deals_voided


@dataclass(frozen=True, slots=True)
class Consents:
    """What seats have said out of turn in this deal: who left, and who would redeal or surrender (§9)."""

    forfeited: tuple[Seat, ...] = ()
    redeal: tuple[Seat, ...] = ()
    surrender: tuple[Seat, ...] = ()


NO_CONSENTS = Consents()


@dataclass(frozen=True, slots=True)
class SeatView:
    """The table as `seat` sees it; `seat` None is a spectator, who sees no hidden card.

    Between deals `leader`, `turn` and `top` are None, the hands, trick and history are empty, and
    `deal_number` is that of the last deal (0 before the first). hand: own cards, sorted from low to
    high. top: the play to beat, None for the seat that leads. trick: acts of the current trick.
    history: acts of the whole deal in order. settled: how the last deal with a result ended.
    partner_hand: the partner's cards where hands are open to it (双明), else empty. opening: what happened
    before the first play. contributions: points by seat that were booked in this deal (贡献分).
    voided: how the last deal ended if it was void. kitty: its cards, empty to who may not see them;
    kitty_size: how many lie there. cards_won: by seat, in the tricks of this deal, where they score (§11.6).
    discarded: own cards that were exchanged (§12.4). mark: own marked card (§12.5).
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
    partner_hand: tuple[Card, ...] = ()
    opening: tuple[Opening, ...] = ()
    contributions: tuple[int, ...] = (0, 0, 0, 0)
    consents: Consents = NO_CONSENTS
    voided: DealVoided | None = None
    phase: Phase = Phase.PLAY
    kitty: tuple[Card, ...] = ()
    kitty_size: int = 0
    cards_won: tuple[int, ...] = (0, 0, 0, 0)
    discarded: tuple[Card, ...] = ()
    mark: Card | None = None

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
        return tuple(bombs_of(self.history, sum(1 for size in self.hand_sizes if size)))

    @property
    def face_card(self) -> FaceCardShown | None:
        """明牌 of this deal (§2.6)."""
        return next((event for event in self.opening if isinstance(event, FaceCardShown)), None)

    @property
    def gone(self) -> Counter[Rank]:
        """How many cards of each rank were played in this deal."""
        plays = (act for act in self.history if isinstance(act, CardsPlayed))
        return Counter(card.rank for play in plays for card in play.cards)
