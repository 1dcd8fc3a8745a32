"""The climbing family's part of a seat's view between protobuf and the rules."""

from collections import Counter
from dataclasses import replace

from shuangkou.rules.cards import full_deck
from shuangkou.rules.climbing.events import Act, CardsPlayed, DealSettled, Passed
from shuangkou.rules.climbing.move_table import MoveTable, move_table
from shuangkou.rules.climbing.view import SeatView, Standing
from shuangkou.rules.ruleset import RuleSet, RuleSetError, load
from shuangkou.rules.seats import SEATS, Seat
from shuangkou.v1 import table_pb2
from shuangkou.wire.cards import cards_from_wire, cards_to_wire
from shuangkou.wire.climbing import combination_to_wire, settled_from_wire
from shuangkou.wire.refusals import MalformedMessage
from shuangkou.wire.seats import seat_from_wire, seats_from_wire


def climbing_view_to_wire(view: SeatView) -> table_pb2.ClimbingView:
    """What the climbing family adds to a seat's view."""
    return table_pb2.ClimbingView(
        leader=view.leader,
        trick=[_play_to_wire(act) for act in view.trick],
        finish_order=view.finish_order,
        history=[_play_to_wire(act) for act in view.history],
    )


def ruleset_of_view(message: table_pb2.SeatView) -> RuleSet:
    """The ruleset and house options that a view names; MalformedMessage when there are none such."""
    try:
        return load(message.ruleset_id).with_options(message.options)
    except RuleSetError as error:
        raise MalformedMessage("ruleset/unknown", str(error)) from None


def seat_view_from_wire(message: table_pb2.SeatView, ruleset: RuleSet) -> SeatView:
    """The rules' view of a seat; MalformedMessage for one that no engine would send."""
    _check_shape(message)
    table = move_table(ruleset.options)
    climbing = message.climbing
    settled = (
        settled_from_wire(table, message.last_settlement) if message.HasField("last_settlement") else None
    )
    history = tuple(_play_from_wire(table, play) for play in climbing.history)
    trick = tuple(_play_from_wire(table, play) for play in climbing.trick)
    view = SeatView(
        seat=seat_from_wire(message.seat) if message.HasField("seat") else None,
        deal_number=message.deal_number,
        seed_hash=message.seed_hash,
        hand=cards_from_wire(message.hand),
        hand_sizes=tuple(seat.hand_size for seat in message.seats),
        leader=seat_from_wire(climbing.leader) if climbing.HasField("leader") else None,
        turn=_turn(message),
        top=next((act for act in reversed(trick) if isinstance(act, CardsPlayed)), None),
        trick=trick,
        finish_order=seats_from_wire(climbing.finish_order),
        history=history,
        standing=_standing(message, settled),
        settled=settled,
    )
    _check_cards(view, ruleset)
    return replace(view, hand=table.sort(view.hand))


def _check_shape(message: table_pb2.SeatView) -> None:
    if [seat.seat for seat in message.seats] != list(SEATS):
        raise MalformedMessage("request/bad_view", "a view has the four seats 0 to 3 in their order")
    if message.WhichOneof("family") != "climbing":
        raise MalformedMessage("request/bad_view", "a view of this ruleset has a climbing part")


def _check_cards(view: SeatView, ruleset: RuleSet) -> None:
    """Raises MalformedMessage for more cards than there are, or others than the record tells of."""
    played = [card for act in view.history if isinstance(act, CardsPlayed) for card in act.cards]
    deck = Counter(full_deck(ruleset.options.decks, ruleset.options.jokers))
    if not Counter((*view.hand, *played)) <= deck:
        raise MalformedMessage("request/bad_view", "the hand and the record have cards that the deck has not")
    if view.trick != view.history[len(view.history) - len(view.trick) :]:
        raise MalformedMessage("request/bad_view", "the trick is not the end of the record")
    if view.seat is not None and len(view.hand) != view.hand_sizes[view.seat]:
        raise MalformedMessage("request/bad_view", "the hand has another size than the view says")
    if view.turn is not None and not view.hand_sizes[view.turn]:
        raise MalformedMessage("request/bad_view", f"seat {view.turn} is to act without a card")


def _turn(message: table_pb2.SeatView) -> Seat | None:
    is_deal = message.phase == table_pb2.TABLE_PHASE_DEAL
    return seat_from_wire(message.next.seats[0]) if is_deal and message.next.seats else None


def _play_to_wire(act: Act) -> table_pb2.Play:
    if isinstance(act, Passed):
        return table_pb2.Play(seat=act.seat)
    return table_pb2.Play(
        seat=act.seat, cards=cards_to_wire(act.cards), combination=combination_to_wire(act.combination)
    )


def _play_from_wire(table: MoveTable, play: table_pb2.Play) -> Act:
    seat = seat_from_wire(play.seat)
    if not play.cards:
        return Passed(seat)
    cards = cards_from_wire(play.cards)
    row = table.classify(cards)
    if row is None:
        raise MalformedMessage("request/bad_view", f"the play of seat {seat} is no combination")
    return CardsPlayed(seat, cards, table.combinations[row])


def _standing(message: table_pb2.SeatView, settled: DealSettled | None) -> Standing:
    played = message.deal_number - 1 if message.phase == table_pb2.TABLE_PHASE_DEAL else message.deal_number
    return Standing(
        deals_played=max(played, 0),
        totals=tuple(seat.total for seat in message.seats),
        last_head=settled.finish_order[0] if settled else None,
        last_result=settled.result if settled else None,
    )
