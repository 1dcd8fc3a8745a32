"""The way from a ruleset, or a message, to the codec of its family."""

from collections.abc import Sequence

from shuangkou.rules.ruleset import AnyRuleSet, available, load
from shuangkou.rules.seats import SEATS
from shuangkou.v1 import events_pb2, scoring_pb2
from shuangkou.wire.accounts import DealAccount, plain_account
from shuangkou.wire.climbing.codec import CODEC as CLIMBING
from shuangkou.wire.codec import Codec
from shuangkou.wire.tricks.codec import CODEC as TRICKS

_CODECS: dict[str, Codec] = {"climbing": CLIMBING, "tricks": TRICKS}


def codec_for(ruleset: AnyRuleSet) -> Codec:
    """The codec of the ruleset's family."""
    return _CODECS[ruleset.family]


def account_of(deal: events_pb2.DealSettled) -> DealAccount:
    """What a ledger enters of the deal, whichever game it is of."""
    family = deal.WhichOneof("outcome")
    return _CODECS[family].account_of(deal) if family else plain_account(tuple(deal.scores))


def family_of(ruleset_id: str, deal: events_pb2.DealSettled) -> str:
    """The family of the deal, told by its outcome or by its ruleset; empty where neither is known."""
    family = deal.WhichOneof("outcome")
    return family or (load(ruleset_id).family if ruleset_id in available() else "")


def has_stray_parts(deal: events_pb2.DealSettled) -> bool:
    """It names a seat that no table has, or tells something of each seat, but not of four."""
    seats = (*deal.winners, *deal.forfeited, *deal.climbing.finish_order)
    columns = (deal.coins, deal.climbing.breakdown)
    return any(seat >= len(SEATS) for seat in seats) or any(
        len(column) not in (0, len(SEATS)) for column in columns
    )


def needs_acts(ruleset: AnyRuleSet, stored: events_pb2.SettlementStored) -> bool:
    """Whether the deal can be settled anew only from its acts, since its settlement does not repeat them."""
    return stored.HasField("deal") and codec_for(ruleset).counts_acts(ruleset)


def contradiction(
    ruleset: AnyRuleSet, stored: events_pb2.SettlementStored, acts: Sequence[events_pb2.Event] = ()
) -> str:
    """What the rules make else of the facts of a deal, empty where they agree.

    acts: the public events of a deal that `needs_acts`, from its start on; without them less is looked at.
    MalformedMessage for a deal that no engine settles so.
    """
    codec = codec_for(ruleset)
    if stored.HasField("voided"):
        return codec.void_contradiction(ruleset, stored.voided)
    return codec.contradiction(ruleset, stored.deal, acts)


def sheet_line(deal: events_pb2.DealSettled) -> scoring_pb2.SheetLine:
    """A deal as a line of a score sheet, whichever game it is of."""
    family = deal.WhichOneof("outcome")
    if family:
        return _CODECS[family].sheet_line(deal)
    return scoring_pb2.SheetLine(number=deal.number, points=deal.scores)
