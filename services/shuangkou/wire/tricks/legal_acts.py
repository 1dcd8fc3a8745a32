"""What a seat may do in a trick-taking game, for clients."""

from shuangkou.rules.commands import Pass, PlayCards
from shuangkou.rules.tricks.following import Sets
from shuangkou.rules.tricks.legal_acts import LegalActs
from shuangkou.rules.tricks.plays import LegalFollows
from shuangkou.v1 import table_pb2, tricks_pb2
from shuangkou.wire.cards import cards_to_wire
from shuangkou.wire.commands import acts_to_wire
from shuangkou.wire.tricks.words import shape_to_wire


def legal_acts_to_wire(acts: LegalActs, limit: int) -> table_pb2.ListLegalActsResponse:
    """At most `limit` plays and other acts, without the version of the table."""
    listed = tuple(acts)
    plays = _lowest_first(acts, [act for act in listed if isinstance(act, PlayCards)])
    before_play = [act for act in listed if not isinstance(act, PlayCards | Pass)]
    leads, follows = acts.leads, acts.follows
    count = leads.count if leads is not None else follows.count if follows is not None else 0
    return table_pb2.ListLegalActsResponse(
        may_pass=acts.may_pass,
        plays=[table_pb2.LegalPlay(cards=cards_to_wire(play.cards)) for play in plays[:limit]],
        total_count=count or 0,
        others=acts_to_wire(acts.others),
        before_play=acts_to_wire(before_play[:limit]),
        before_play_count=len(before_play),
        duty=duty_to_wire(acts),
    )


def _lowest_first(acts: LegalActs, plays: list[PlayCards]) -> list[PlayCards]:
    """Suit by suit with the trumps last, of each from low to high; leads come so by themselves."""
    if acts.position is None or acts.follows is None:
        return plays
    order = acts.position.order
    return sorted(
        plays,
        key=lambda play: [
            (order.suit_of(card), order.strength_of(card), card) for card in order.ascending(play.cards)
        ],
    )


def duty_to_wire(acts: LegalActs) -> tricks_pb2.CardDuty | None:
    """What the seat owes to a lead, or lays down; None where it owes nothing."""
    follows = acts.follows
    return _to_follow(follows) if follows is not None else _to_bury(acts)


def _to_follow(follows: LegalFollows) -> tricks_pb2.CardDuty:
    owed = follows.duty
    return tricks_pb2.CardDuty(
        size=owed.size,
        forced=cards_to_wire(follows.forced),
        free=cards_to_wire(follows.free),
        tractors=[shape_to_wire(shape) for shape in owed.tractors],
        sets=_sets(owed.sets),
    )


def _sets(sets: Sets) -> list[tricks_pb2.SetDuty]:
    owed = ((4, sets.quads), (3, sets.triples), (2, sets.pairs))
    return [tricks_pb2.SetDuty(copies=copies, count=count) for copies, count in owed if count]


def _to_bury(acts: LegalActs) -> tricks_pb2.CardDuty | None:
    if not acts.free or acts.position is None:
        return None
    return tricks_pb2.CardDuty(size=acts.position.options.kitty, free=cards_to_wire(acts.free))
