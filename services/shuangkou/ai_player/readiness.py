"""What a process makes before it decides anything, so that no act waits for it."""

import gc
from collections.abc import Iterable

from shuangkou.ai_player.families import mind_for
from shuangkou.fastplay.warm import warm
from shuangkou.rules.ruleset import AnyRuleSet


def make_ready(rulesets: Iterable[AnyRuleSet]) -> None:
    """Load or compile the kernels, and make what these rulesets need."""
    warm()
    for ruleset in rulesets:
        mind_for(ruleset).prepare(ruleset.options)
    keep()


def meet(ruleset: AnyRuleSet) -> None:
    """Make what this ruleset needs: milliseconds, a tenth of a second for some."""
    mind_for(ruleset).prepare(ruleset.options)
    keep()


def keep() -> None:
    """Let the garbage collector no longer walk what was made so far: with all rulesets that takes 80 ms,
    which some act would be late by."""
    gc.collect()
    gc.freeze()
