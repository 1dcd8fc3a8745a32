"""What a seat may do in a trick-taking game, for clients."""

from collections.abc import Iterator

from shuangkou.rules.tricks.commands import DeclareTrump, NameShape
from shuangkou.rules.tricks.following import Duty, Sets
from shuangkou.rules.tricks.legal_acts import LegalActs
from shuangkou.rules.tricks.plays import LegalFollows
from shuangkou.v1 import table_pb2, tricks_pb2
from shuangkou.wire.cards import cards_to_wire
from shuangkou.wire.commands import acts_to_wire
from shuangkou.wire.tricks.words import shape_to_wire


def legal_acts_to_wire(acts: LegalActs, limit: int) -> table_pb2.ListLegalActsResponse:
    """At most `limit` plays and other acts, without the version of the table."""
    plays = [act for act in acts if isinstance(act, PlayCards)]
    others = [act for act in acts if not isinstance(act, PlayCards | Pass)]
    return table_pb2.ListLegalActsResponse(
        may_pass=acts.may_pass,
        plays=[table_pb2.LegalPlay(cards=cards_to_wire(play.cards)) for play in plays[:limit]],
        total_count=_count(acts),
        others=acts_to_wire(acts.others),
        before_play=acts_to_wire(others[:limit]),
        before_play_count=len(others),
        duty=_duty(acts),
    )
