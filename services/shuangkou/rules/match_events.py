"""Events around a game (赛事): what the deals of a ruleset decide in them, and when more deals are needed.

An event is a row of options, like a ruleset: it never changes how cards are played or scored. These are pure
functions of finished deals, for whoever runs a match (docs/rules/climbing.md, "Events").
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cache
from importlib import resources
from tomllib import loads

from shuangkou.rules.climbing.events import Result
from shuangkou.rules.climbing.record import result_of
from shuangkou.rules.ruleset import RuleSetError
from shuangkou.rules.seats import SIDES, Seat, Side, seats_of, side_of


class DecidedBy(Enum):
    """What a meeting of two sides is decided by."""

    DEAL = "deal"
    """The last deal; a draw decides nothing and another is played."""
    TOTALS = "totals"
    """The points of all deals of a round; level totals ask for one more deal."""


class AtBell(Enum):
    """What becomes of a deal in progress when its time is up."""

    LESS_THINKING = "less_thinking"
    """It ends at once, and the side that thought longer loses."""
    FINISHED = "finished"
    """It is played to its end and counts."""


@dataclass(frozen=True, slots=True)
class MatchEvent:
    """ruleset: id of the ruleset whose deals are played. deal_seconds: time for one deal, 0 for none.
    round_seconds: time for each round in turn, empty where there are no timed rounds."""

    id: str
    name_en: str
    name_zh: str
    ruleset: str
    decided_by: DecidedBy
    at_bell: AtBell
    deal_seconds: int
    round_seconds: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class FinishedDeal:
    """order: seats by place. scores: by seat."""

    order: tuple[Seat, ...]
    scores: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Decision:
    """winner: None while nothing is decided; then another deal is played."""

    winner: Side | None

    @property
    def is_open(self) -> bool:
        """Another deal is needed."""
        return self.winner is None


def available_events() -> tuple[str, ...]:
    """Ids of all events, sorted."""
    return tuple(sorted(_events()))


def load_event(id: str) -> MatchEvent:
    """The event with this id; RuleSetError when there is none."""
    if id not in _events():
        raise RuleSetError(f"no event {id[:40]!r}; there are {', '.join(available_events())}")
    return _events()[id]


def decision(event: MatchEvent, deals: Sequence[FinishedDeal]) -> Decision:
    """What the deals of one meeting, in order, decide; open before the first of them."""
    return _DECISIONS[event.decided_by](deals)


def decision_at_bell(event: MatchEvent, think_ms: Sequence[int]) -> Decision | None:
    """What the bell decides in the middle of a deal; None where the deal is played to its end.

    think_ms: by seat, the milliseconds that its acts in this deal took.
    """
    if event.at_bell is AtBell.FINISHED:
        return None
    return _lower([sum(think_ms[seat] for seat in seats_of(side)) for side in SIDES])


def _by_last_deal(deals: Sequence[FinishedDeal]) -> Decision:
    """Events 1."""
    if not deals or result_of(deals[-1].order) is Result.DRAW:
        return Decision(None)
    return Decision(side_of(deals[-1].order[0]))


def _by_totals(deals: Sequence[FinishedDeal]) -> Decision:
    """Events 2."""
    return _lower([-sum(deal.scores[seat] for deal in deals for seat in seats_of(side)) for side in SIDES])


def _lower(sums: list[int]) -> Decision:
    """The side with the lower sum, none when they are equal."""
    return Decision(None if sums[0] == sums[1] else SIDES[sums.index(min(sums))])


_DECISIONS: dict[DecidedBy, Callable[[Sequence[FinishedDeal]], Decision]] = {
    DecidedBy.DEAL: _by_last_deal,
    DecidedBy.TOTALS: _by_totals,
}


@cache
def _events() -> dict[str, MatchEvent]:
    text = (resources.files("shuangkou.rules") / "match_events.toml").read_text("utf-8")
    return {
        id: MatchEvent(
            id=id,
            name_en=row["name_en"],
            name_zh=row["name_zh"],
            ruleset=row["ruleset"],
            decided_by=DecidedBy(row["decided_by"]),
            at_bell=AtBell(row["at_bell"]),
            deal_seconds=row["deal_seconds"],
            round_seconds=tuple(row["round_seconds"]),
        )
        for id, row in loads(text).items()
    }
