"""What a phase of a deal must answer; each phase is a module that makes one of these."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from shuangkou.rules.climbing.commands import Command
from shuangkou.rules.climbing.events import Event
from shuangkou.rules.climbing.legal_acts import LegalActs
from shuangkou.rules.climbing.options import ClimbingOptions
from shuangkou.rules.climbing.state import DealState, MatchState
from shuangkou.rules.seats import Seat


@dataclass(frozen=True, slots=True)
class PhaseRules:
    """decisions: by command, what it causes. legal_acts, actors, fallback: as in `rules.decider.Decider`,
    within this phase. seconds: that the actors have."""

    decisions: Mapping[type, Callable[[MatchState, Any], tuple[Event, ...]]]
    legal_acts: Callable[[MatchState, DealState, Seat], LegalActs]
    actors: Callable[[DealState], tuple[Seat, ...]]
    fallback: Callable[[MatchState, Seat], Command]
    seconds: Callable[[ClimbingOptions, DealState], int]
