"""The whole table, hidden cards included: only the engine may hold it."""

from dataclasses import dataclass, field

from shuangkou.rules.cards import Card
from shuangkou.rules.climbing.events import Act, BombPlayed, CardsPlayed, DealSettled, Event
from shuangkou.rules.climbing.move_table import MoveTable
from shuangkou.rules.climbing.view import Standing
from shuangkou.rules.ruleset import RuleSet
from shuangkou.rules.seats import Seat


@dataclass(frozen=True, slots=True)
class DealState:
    """A deal in progress; everything but `seed`, `hands` and `packed_hands` is public.

    packed_hands: `hands` as packed counts of the move table. top_row: row of `top` in that table.
    gone: packed count of the cards played so far. The hands are empty in a fold of public events.
    """

    number: int
    seed_hash: bytes
    leader: Seat
    turn: Seat
    hand_sizes: tuple[int, ...]
    seed: bytes = b""
    hands: tuple[tuple[Card, ...], ...] = ((), (), (), ())
    packed_hands: tuple[int, ...] = (0, 0, 0, 0)
    top: CardsPlayed | None = None
    top_row: int | None = None
    trick: tuple[Act, ...] = ()
    passed: tuple[Seat, ...] = ()
    finish_order: tuple[Seat, ...] = ()
    bombs: tuple[BombPlayed, ...] = ()
    gone: int = 0
    history: tuple[Event, ...] = ()


@dataclass(frozen=True, slots=True)
class MatchState:
    """A table under one ruleset: between two deals `deal` is None."""

    ruleset: RuleSet
    table: MoveTable = field(repr=False)
    standing: Standing
    deal: DealState | None = None
    settled: DealSettled | None = None

    @property
    def is_over(self) -> bool:
        """The match has had all its deals."""
        limit = self.ruleset.options.match_deals
        return 0 < limit <= self.standing.deals_played
