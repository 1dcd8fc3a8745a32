"""Who plays which family of games."""

from shuangkou.ai_player.climbing.mind import MIND as CLIMBING
from shuangkou.ai_player.mind import Mind
from shuangkou.ai_player.tricks.mind import MIND as TRICKS
from shuangkou.rules.ruleset import AnyRuleSet

_MINDS: dict[str, Mind] = {"climbing": CLIMBING, "tricks": TRICKS}


def mind_for(ruleset: AnyRuleSet) -> Mind:
    """The mind that plays the ruleset's family."""
    return _MINDS[ruleset.family]
