"""The phases that a deal may go through, by the option `phases`."""

from shuangkou.rules.climbing.bury import BURY
from shuangkou.rules.climbing.options import Phase
from shuangkou.rules.climbing.phase import PhaseRules
from shuangkou.rules.climbing.play import PLAY

PHASES: dict[Phase, PhaseRules] = {Phase.BURY: BURY, Phase.PLAY: PLAY}
"""One line for each phase."""
