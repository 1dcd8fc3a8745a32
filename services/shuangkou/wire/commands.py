"""Acts of a seat between protobuf and the rules: one line for each.

`ActRequest`, `LegalAct` and `SuggestActResponse` name an act by the same member of their oneof `command`.
"""

from collections.abc import Callable, Iterable
from typing import Any

from shuangkou.rules.climbing.commands import (
    Bid,
    CallLandlord,
    DeclareCombination,
    ExchangeCards,
    GrabLandlord,
    MarkCard,
    PhaseAct,
    SideAct,
    Surrender,
    TakeFromKitty,
    VoteRedeal,
)
from shuangkou.rules.commands import BuryKitty, Forfeit, Pass, PlayCards
from shuangkou.rules.seats import Seat
from shuangkou.rules.tricks.commands import DeclareTrump, NameShape
from shuangkou.v1 import ai_pb2, table_pb2
from shuangkou.wire.cards import card_from_wire, card_to_wire, cards_from_wire, cards_to_wire
from shuangkou.wire.refusals import MalformedMessage
from shuangkou.wire.tricks.words import shape_from_wire, shape_to_wire

SeatAct = PlayCards | Pass | PhaseAct | SideAct | DeclareTrump | NameShape
"""What a seat may ask of the rules: every command but those of the table."""

Carrier = table_pb2.ActRequest | table_pb2.LegalAct | ai_pb2.SuggestActResponse
"""Messages that carry an act in their oneof `command`."""


def put_act(carrier: Carrier, act: SeatAct) -> None:
    """Make the message carry the act."""
    field, make = _TO_WIRE[type(act)]
    getattr(carrier, field).CopyFrom(make(act))


def acts_to_wire(acts: Iterable[SeatAct]) -> list[table_pb2.LegalAct]:
    """Acts that are neither plays nor passes."""
    messages = []
    for act in acts:
        message = table_pb2.LegalAct()
        put_act(message, act)
        messages.append(message)
    return messages


def act_of(carrier: Carrier, seat: Seat) -> SeatAct | None:
    """The act that the message carries for this seat, None for another command or none.

    MalformedMessage when it means nothing.
    """
    which = carrier.WhichOneof("command")
    make = _FROM_WIRE.get(which or "")
    return None if make is None or which is None else make(seat, getattr(carrier, which))


def _play_of(seat: Seat, message: table_pb2.PlayCards) -> PlayCards:
    cards = cards_from_wire(message.cards)
    if not cards:
        raise MalformedMessage("request/no_cards", "play at least one card, or pass")
    return PlayCards(seat, cards)


def _show_to_wire(act: DeclareTrump) -> table_pb2.DeclareTrump:
    return table_pb2.DeclareTrump(cards=cards_to_wire(act.cards), returned=cards_to_wire(act.returned))


_TO_WIRE: dict[type, tuple[str, Callable[[Any], Any]]] = {
    PlayCards: ("play_cards", lambda act: table_pb2.PlayCards(cards=cards_to_wire(act.cards))),
    Pass: ("pass_turn", lambda _: table_pb2.Pass()),
    BuryKitty: ("bury_kitty", lambda act: table_pb2.BuryKitty(cards=cards_to_wire(act.cards))),
    DeclareCombination: (
        "declare_combination",
        lambda act: table_pb2.DeclareCombination(cards=cards_to_wire(act.cards)),
    ),
    Bid: ("bid", lambda act: table_pb2.Bid(points=act.points)),
    CallLandlord: ("call_landlord", lambda _: table_pb2.CallLandlord()),
    GrabLandlord: ("grab_landlord", lambda _: table_pb2.GrabLandlord()),
    TakeFromKitty: ("take_from_kitty", lambda act: table_pb2.TakeFromKitty(cards=cards_to_wire(act.cards))),
    ExchangeCards: ("exchange_cards", lambda act: table_pb2.ExchangeCards(cards=cards_to_wire(act.cards))),
    MarkCard: ("mark_card", lambda act: table_pb2.MarkCard(card=card_to_wire(act.card))),
    DeclareTrump: ("declare_trump", _show_to_wire),
    NameShape: ("name_shape", lambda act: table_pb2.NameShape(shape=shape_to_wire(act.shape))),
    Forfeit: ("forfeit", lambda _: table_pb2.Forfeit()),
    Surrender: ("surrender", lambda _: table_pb2.Surrender()),
    VoteRedeal: ("vote_redeal", lambda _: table_pb2.VoteRedeal()),
}
"""By act: its member of the oneof, and how that is made."""

_FROM_WIRE: dict[str, Callable[[Seat, Any], SeatAct]] = {
    "play_cards": _play_of,
    "pass_turn": lambda seat, _: Pass(seat),
    "bury_kitty": lambda seat, message: BuryKitty(seat, cards_from_wire(message.cards)),
    "declare_combination": lambda seat, message: DeclareCombination(seat, cards_from_wire(message.cards)),
    "bid": lambda seat, message: Bid(seat, message.points),
    "call_landlord": lambda seat, _: CallLandlord(seat),
    "grab_landlord": lambda seat, _: GrabLandlord(seat),
    "take_from_kitty": lambda seat, message: TakeFromKitty(seat, cards_from_wire(message.cards)),
    "exchange_cards": lambda seat, message: ExchangeCards(seat, cards_from_wire(message.cards)),
    "mark_card": lambda seat, message: MarkCard(seat, card_from_wire(message.card)),
    "declare_trump": lambda seat, message: DeclareTrump(
        seat, cards_from_wire(message.cards), cards_from_wire(message.returned)
    ),
    "name_shape": lambda seat, message: NameShape(seat, shape_from_wire(message.shape)),
    "forfeit": lambda seat, _: Forfeit(seat),
    "surrender": lambda seat, _: Surrender(seat),
    "vote_redeal": lambda seat, _: VoteRedeal(seat),
}
"""By member of the oneof, how the act is made."""
