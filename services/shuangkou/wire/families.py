"""The way from a ruleset, or a message, to the codec of its family."""

from shuangkou.rules.ruleset import AnyRuleSet
from shuangkou.v1 import events_pb2
from shuangkou.wire.climbing.codec import CODEC as CLIMBING
from shuangkou.wire.codec import Codec
from shuangkou.wire.tricks.codec import CODEC as TRICKS

_CODECS: dict[str, Codec] = {"climbing": CLIMBING, "tricks": TRICKS}


def codec_for(ruleset: AnyRuleSet) -> Codec:
    """The codec of the ruleset's family."""
    return _CODECS[ruleset.family]


def first_out(deal: events_pb2.DealSettled) -> int | None:
    """The seat with the first place, 头游; None in games that know no places."""
    return next(iter(deal.climbing.finish_order), None)
