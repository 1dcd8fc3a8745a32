"""Who plays which family of games."""

from shuangkou.ai_player.climbing.mind import MIND as CLIMBING
from shuangkou.ai_player.mind import Mind
from shuangkou.rules.ruleset import AnyRuleSet

_MINDS: dict[str, Mind] = {"climbing": CLIMBING}


def mind_for(ruleset: AnyRuleSet) -> Mind:
    """The mind that plays the ruleset's family."""
    return _MINDS[ruleset.family]


def is_played(ruleset: AnyRuleSet) -> bool:
    """Whether bots know the ruleset's family."""
    return ruleset.family in _MINDS
