"""What a seat may do in a climbing game, for clients."""

from itertools import islice

from shuangkou.rules.climbing.legal_acts import LegalActs, LegalPlay
from shuangkou.v1 import table_pb2
from shuangkou.wire.cards import cards_to_wire
from shuangkou.wire.climbing.combinations import combination_to_wire, ranks_to_wire
from shuangkou.wire.commands import acts_to_wire


def legal_acts_to_wire(acts: LegalActs, limit: int) -> table_pb2.ListLegalActsResponse:
    """At most `limit` plays and acts before play, without the version of the table."""
    return table_pb2.ListLegalActsResponse(
        may_pass=acts.may_pass,
        plays=[_play_to_wire(acts, play) for play in islice(acts, limit)],
        total_count=len(acts),
        others=acts_to_wire(acts.others),
        before_play=acts_to_wire(acts.before_play[:limit]),
        before_play_count=len(acts.before_play),
    )


def _play_to_wire(acts: LegalActs, play: LegalPlay) -> table_pb2.LegalPlay:
    cards = play.command.cards
    return table_pb2.LegalPlay(
        cards=cards_to_wire(cards),
        combination=combination_to_wire(play.combination),
        wild_as=ranks_to_wire(acts.table.wild_ranks(cards)),
    )
