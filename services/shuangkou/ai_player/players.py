"""Players by name, for the arena: tiers, personas, and opponents to be measured against."""

import time
from collections.abc import Callable
from typing import Any

from shuangkou.ai_player.families import mind_for
from shuangkou.ai_player.mind import Player
from shuangkou.ai_player.personas import PERSONAS, PLAIN, Persona
from shuangkou.ai_player.tiers import Tier, check_budget
from shuangkou.rules.ruleset import AnyRuleSet
from shuangkou.wire.commands import SeatAct

SEARCHING = "strong"
_PERSONAS = {persona.id: persona for persona in PERSONAS}


class UnknownPlayer(ValueError):
    """No player of this family has this name."""


def names_for(ruleset: AnyRuleSet) -> tuple[str, ...]:
    """All players of the ruleset's family."""
    mind = mind_for(ruleset)
    searching = (SEARCHING,) if mind.searches else ()
    return (*searching, *mind.players, *_PERSONAS)


def is_searching(ruleset: AnyRuleSet, name: str) -> bool:
    """Whether the player with this name searches, and so has a budget; anyone else decides at once."""
    return _searcher(ruleset, name) is not None


def player_of(
    ruleset: AnyRuleSet, name: str, budget_ms: float, clock: Callable[[], float] = time.perf_counter
) -> Player:
    """The player with this name; UnknownPlayer, or BadBudget for one that searches.

    budget_ms: what a search may take, on this clock.
    """
    mind = mind_for(ruleset)
    searcher = _searcher(ruleset, name)
    if searcher is not None:
        return _searching(ruleset, searcher, check_budget(budget_ms), clock)
    if name in mind.players:
        return mind.players[name]
    if name in _PERSONAS:
        return _at_once(mind.act, _PERSONAS[name])
    raise UnknownPlayer(f"no player {name[:40]!r} of {ruleset.id}; there are {', '.join(names_for(ruleset))}")


def _searcher(ruleset: AnyRuleSet, name: str) -> Persona | None:
    """As whom the player searches: a persona of the tier `strong` as itself."""
    if not mind_for(ruleset).searches:
        return None
    persona = PLAIN if name == SEARCHING else _PERSONAS.get(name)
    return persona if name == SEARCHING or (persona and persona.tier is Tier.STRONG) else None


def _at_once(act: Callable[[Any, Any, Persona], SeatAct], persona: Persona) -> Player:
    def acts(options: Any, view: Any) -> SeatAct:
        return act(options, view, persona)

    return acts


def _searching(ruleset: AnyRuleSet, persona: Persona, budget_ms: float, clock: Callable[[], float]) -> Player:
    mind = mind_for(ruleset)

    def acts(options: Any, view: Any) -> SeatAct:
        found = mind.search(options, view, persona, budget_ms, clock)
        return mind.act(options, view, persona) if found is None else found

    return acts
