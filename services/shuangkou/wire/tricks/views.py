"""The trick-taking family's part of a seat's view between protobuf and the rules."""

from collections import Counter

from shuangkou.rules.cards import full_deck
from shuangkou.rules.ruleset import TricksRuleSet
from shuangkou.rules.seats import SEATS
from shuangkou.rules.tricks.events import CardsPlayed, Opening
from shuangkou.rules.tricks.view import SeatView, Standing
from shuangkou.v1 import events_pb2, table_pb2
from shuangkou.wire.cards import cards_from_wire, cards_to_wire
from shuangkou.wire.outcomes import voided_from_wire
from shuangkou.wire.refusals import MalformedMessage
from shuangkou.wire.seats import seat_from_wire
from shuangkou.wire.tricks.events import event_from_wire, event_to_wire
from shuangkou.wire.tricks.outcomes import handover_to_wire, settled_from_wire, standing_from_wire
from shuangkou.wire.tricks.shows import failed_from_wire, failed_to_wire
from shuangkou.wire.tricks.words import (
    PHASES,
    coins_from_wire,
    coins_to_wire,
    level_from_wire,
    level_to_wire,
    maybe_seat,
    maybe_side,
    pair_from_wire,
    trump_from_wire,
    trump_to_wire,
)
from shuangkou.wire.views import check_seats, of_four


def put_view(message: table_pb2.SeatView, view: SeatView) -> None:
    """Add what only the trick-taking family has of a seat's view."""
    message.tricks.CopyFrom(_view_to_wire(view))


def _view_to_wire(view: SeatView) -> table_pb2.TricksView:
    return table_pb2.TricksView(
        phase=events_pb2.DEAL_PHASE_UNSPECIFIED if view.phase is None else PHASES.to_wire(view.phase),
        turn=view.turn,
        undrawn=view.undrawn,
        first=view.first,
        declarer=view.declarer,
        attackers=view.attackers,
        level=level_to_wire(view.level),
        trump=trump_to_wire(view.trump),
        opening=[event_to_wire(event) for event in view.opening],
        own_face_down=cards_to_wire(view.own_face_down),
        kitty=cards_to_wire(view.kitty),
        kitty_size=view.kitty_size,
        kitty_owner=view.kitty_owner,
        leader=view.leader,
        trick=[_play_to_wire(play) for play in view.trick],
        last_trick=[_play_to_wire(play) for play in view.last_trick],
        best=view.best,
        failed=None if view.failed is None else failed_to_wire(view.failed),
        history=[_play_to_wire(play) for play in view.history],
        taken=view.taken,
        fines=view.fines,
        coins=coins_to_wire(view.coins),
        handover=handover_to_wire(view.standing),
    )


def seat_view_from_wire(message: table_pb2.SeatView, ruleset: TricksRuleSet) -> SeatView:
    """The rules' view of a seat; MalformedMessage for one that no engine would send."""
    check_seats(message, ruleset)
    if message.WhichOneof("family") != "tricks":
        raise MalformedMessage("request/bad_view", "a view of this ruleset has a trick-taking part")
    tricks = message.tricks
    view = SeatView(
        seat=maybe_seat(message.seat, message.HasField("seat")),
        deal_number=message.deal_number,
        seed_hash=message.seed_hash,
        standing=_standing(message),
        phase=PHASES.from_wire(tricks.phase, "tricks.phase") if tricks.phase else None,
        hand=tuple(sorted(cards_from_wire(message.hand))),
        hand_sizes=of_four(seat.hand_size for seat in message.seats),
        undrawn=tricks.undrawn,
        first=maybe_seat(tricks.first, tricks.HasField("first")),
        declarer=maybe_seat(tricks.declarer, tricks.HasField("declarer")),
        attackers=maybe_side(tricks.attackers, tricks.HasField("attackers")),
        level=level_from_wire(tricks.level),
        trump=trump_from_wire(tricks.trump),
        opening=tuple(_opening_from_wire(event) for event in tricks.opening),
        own_face_down=cards_from_wire(tricks.own_face_down),
        kitty=cards_from_wire(tricks.kitty),
        kitty_size=tricks.kitty_size,
        kitty_owner=maybe_seat(tricks.kitty_owner, tricks.HasField("kitty_owner")),
        leader=maybe_seat(tricks.leader, tricks.HasField("leader")),
        turn=maybe_seat(tricks.turn, tricks.HasField("turn")),
        trick=tuple(_play_from_wire(play) for play in tricks.trick),
        last_trick=tuple(_play_from_wire(play) for play in tricks.last_trick),
        best=maybe_seat(tricks.best, tricks.HasField("best")),
        failed=failed_from_wire(tricks.failed) if tricks.HasField("failed") else None,
        history=tuple(_play_from_wire(play) for play in tricks.history),
        taken=pair_from_wire(tricks.taken),
        fines=pair_from_wire(tricks.fines),
        coins=coins_from_wire(tricks.coins),
        settled=settled_from_wire(message.last_settlement) if message.HasField("last_settlement") else None,
        voided=voided_from_wire(message.last_void) if message.HasField("last_void") else None,
    )
    _check_cards(view, ruleset)
    return view


def _standing(message: table_pb2.SeatView) -> Standing:
    """A running deal has a number, but no result yet."""
    tricks = message.tricks
    ended = message.deal_number - bool(tricks.phase)
    played = max(ended - tricks.handover.deals_voided, 0)
    return standing_from_wire(tricks.handover, played, of_four(seat.total for seat in message.seats))


def _check_cards(view: SeatView, ruleset: TricksRuleSet) -> None:
    """Raises MalformedMessage for more cards than there are, or others than the record tells of."""
    played = [card for play in view.history for card in play.cards]
    deck = Counter(full_deck(ruleset.options.decks))
    if not Counter((*view.hand, *view.kitty, *played)) <= deck:
        raise MalformedMessage("request/bad_view", "hand, kitty, history: together more than the deck")
    if view.trick != view.history[len(view.history) - len(view.trick) :] or len(view.trick) >= len(SEATS):
        raise MalformedMessage("request/bad_view", "trick: it is not the end of the history")
    if view.seat is not None and len(view.hand) != view.hand_sizes[view.seat]:
        raise MalformedMessage("request/bad_view", "hand: its size is not the hand_size of the seat")
    if view.turn is not None and not view.hand_sizes[view.turn]:
        raise MalformedMessage("request/bad_view", f"turn: seat {view.turn} is to act without a card")


def _play_to_wire(play: CardsPlayed) -> table_pb2.Play:
    return table_pb2.Play(seat=play.seat, cards=cards_to_wire(play.cards), is_forced=play.is_forced)


def _play_from_wire(message: table_pb2.Play) -> CardsPlayed:
    if not message.cards:
        raise MalformedMessage("request/bad_view", "nobody passes in the play of this game")
    return CardsPlayed(seat_from_wire(message.seat), cards_from_wire(message.cards), message.is_forced)


def _opening_from_wire(message: events_pb2.Event) -> Opening:
    event = event_from_wire(message)
    if not isinstance(event, Opening):
        raise MalformedMessage("request/bad_view", f"{type(event).__name__} does not open a deal")
    return event
