"""Players by name, for the arena: tiers, personas, and opponents to be measured against."""

import time
from collections.abc import Callable
from functools import partial
from typing import Any

from shuangkou.ai_player.families import mind_for
from shuangkou.ai_player.mind import Player
from shuangkou.ai_player.personas import PERSONAS, PLAIN, Persona, persona_of
from shuangkou.ai_player.tiers import check_budget
from shuangkou.rules.ruleset import AnyRuleSet
from shuangkou.wire.commands import SeatAct

SEARCHING = "strong"


class UnknownPlayer(ValueError):
    """No player of this family has this name."""


def names_for(ruleset: AnyRuleSet) -> tuple[str, ...]:
    """All players of the ruleset's family."""
    mind = mind_for(ruleset)
    searching = (SEARCHING,) if mind.searches else ()
    return (*searching, *mind.players, *(persona.id for persona in PERSONAS))


def player_of(
    ruleset: AnyRuleSet, name: str, budget_ms: float, clock: Callable[[], float] = time.perf_counter
) -> Player:
    """The player with this name; UnknownPlayer, or BadBudget for one that searches.

    budget_ms: what a search may take, on this clock.
    """
    mind = mind_for(ruleset)
    if name == SEARCHING and mind.searches:
        return _searching(ruleset, check_budget(budget_ms), clock)
    named = mind.players.get(name)
    if named is not None:
        return named
    if name in {persona.id for persona in PERSONAS}:
        return partial(_at_once, mind.act, persona_of(name))
    raise UnknownPlayer(f"no player {name[:40]!r} of {ruleset.id}; there are {', '.join(names_for(ruleset))}")


def _at_once(
    act: Callable[[Any, Any, Persona], SeatAct], persona: Persona, options: Any, view: Any
) -> SeatAct:
    return act(options, view, persona)


def _searching(ruleset: AnyRuleSet, budget_ms: float, clock: Callable[[], float]) -> Player:
    mind = mind_for(ruleset)

    def acts(options: Any, view: Any) -> SeatAct:
        found = mind.search(options, view, PLAIN, budget_ms, clock)
        return mind.act(options, view, PLAIN) if found is None else found

    return acts
