"""The phases before play, by the option `phases` (§12)."""

from shuangkou.rules.climbing.auction import AUCTION
from shuangkou.rules.climbing.bury import BURYING
from shuangkou.rules.climbing.declaring import DECLARING
from shuangkou.rules.climbing.exchange import EXCHANGING
from shuangkou.rules.climbing.marking import MARKING
from shuangkou.rules.climbing.opening import OpeningRules
from shuangkou.rules.climbing.options import Phase
from shuangkou.rules.climbing.taking import TAKING

OPENINGS: dict[Phase, OpeningRules] = {
    Phase.BURY: BURYING,
    Phase.DECLARE: DECLARING,
    Phase.AUCTION: AUCTION,
    Phase.TAKE: TAKING,
    Phase.EXCHANGE: EXCHANGING,
    Phase.MARK: MARKING,
}
"""One line for each phase whose acts are plain questions to one seat after another."""
