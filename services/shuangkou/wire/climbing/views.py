"""The climbing family's part of a seat's view between protobuf and the rules."""

from collections import Counter
from dataclasses import replace

from shuangkou.rules.cards import full_deck
from shuangkou.rules.climbing.events import Act, CardsPlayed, Opening
from shuangkou.rules.climbing.move_table import MoveTable, move_table
from shuangkou.rules.climbing.view import Consents, SeatView, Standing
from shuangkou.rules.events import Passed
from shuangkou.rules.ruleset import RuleSet
from shuangkou.rules.seats import partner
from shuangkou.v1 import cards_pb2, events_pb2, table_pb2
from shuangkou.wire.cards import card_to_wire, cards_from_wire, cards_to_wire
from shuangkou.wire.climbing.combinations import combination_to_wire, play_of, ranks_to_wire
from shuangkou.wire.climbing.events import PHASES, event_from_wire, event_to_wire
from shuangkou.wire.climbing.openings import mark_from_wire
from shuangkou.wire.climbing.outcomes import handover_to_wire, settled_from_wire, standing_from_wire
from shuangkou.wire.outcomes import points_from_wire, voided_from_wire
from shuangkou.wire.refusals import MalformedMessage
from shuangkou.wire.seats import seat_from_wire, seats_from_wire
from shuangkou.wire.views import NO_POINTS, check_seats, of_four


def put_view(message: table_pb2.SeatView, view: SeatView) -> None:
    """Add what only the climbing family has of a seat's view."""
    message.climbing.CopyFrom(_view_to_wire(view))


def _view_to_wire(view: SeatView) -> table_pb2.ClimbingView:
    consents = view.consents
    return table_pb2.ClimbingView(
        leader=view.leader,
        trick=[_play_to_wire(act) for act in view.trick],
        finish_order=view.finish_order,
        history=[_play_to_wire(act) for act in view.history],
        partner_hand=cards_to_wire(view.partner_hand),
        opening=[event_to_wire(event) for event in view.opening],
        contributions=view.contributions if any(view.contributions) else (),
        consents=table_pb2.Consents(
            forfeited=consents.forfeited, redeal=consents.redeal, surrender=consents.surrender
        ),
        phase=PHASES.to_wire(view.phase),
        turn=view.turn,
        handover=handover_to_wire(view.standing),
        kitty=cards_to_wire(view.kitty),
        kitty_size=view.kitty_size,
        cards_won=view.cards_won if any(view.cards_won) else (),
        discarded=cards_to_wire(view.discarded),
        mark=cards_pb2.CARD_UNSPECIFIED if view.mark is None else card_to_wire(view.mark),
    )


def seat_view_from_wire(message: table_pb2.SeatView, ruleset: RuleSet) -> SeatView:
    """The rules' view of a seat; MalformedMessage for one that no engine would send."""
    _check_shape(message, ruleset)
    table = move_table(ruleset.options)
    climbing = message.climbing
    trick = tuple(_play_from_wire(table, play) for play in climbing.trick)
    is_settled, is_void = message.HasField("last_settlement"), message.HasField("last_void")
    view = SeatView(
        seat=seat_from_wire(message.seat) if message.HasField("seat") else None,
        deal_number=message.deal_number,
        seed_hash=message.seed_hash,
        hand=cards_from_wire(message.hand),
        hand_sizes=of_four(seat.hand_size for seat in message.seats),
        leader=seat_from_wire(climbing.leader) if climbing.HasField("leader") else None,
        turn=seat_from_wire(climbing.turn) if climbing.HasField("turn") else None,
        top=_top(trick),
        trick=trick,
        finish_order=seats_from_wire(climbing.finish_order),
        history=tuple(_play_from_wire(table, play) for play in climbing.history),
        standing=_standing(message),
        settled=settled_from_wire(table, message.last_settlement) if is_settled else None,
        partner_hand=cards_from_wire(climbing.partner_hand),
        opening=tuple(_opening_from_wire(table, event) for event in climbing.opening),
        contributions=points_from_wire(climbing.contributions or NO_POINTS),
        consents=_consents(climbing.consents),
        voided=voided_from_wire(message.last_void) if is_void else None,
        phase=PHASES.from_wire(climbing.phase),
        kitty=cards_from_wire(climbing.kitty),
        kitty_size=climbing.kitty_size,
        cards_won=points_from_wire(climbing.cards_won or NO_POINTS),
        discarded=cards_from_wire(climbing.discarded),
        mark=mark_from_wire(climbing.mark),
    )
    _check_cards(view, ruleset)
    return replace(view, hand=table.sort(view.hand), partner_hand=table.sort(view.partner_hand))


def _top(trick: tuple[Act, ...]) -> CardsPlayed | None:
    plays = (act for act in reversed(trick) if isinstance(act, CardsPlayed) and not act.is_discard)
    return next(plays, None)


def _check_shape(message: table_pb2.SeatView, ruleset: RuleSet) -> None:
    check_seats(message, ruleset)
    if message.WhichOneof("family") != "climbing":
        raise MalformedMessage("request/bad_view", "a view of this ruleset has a climbing part")


def _check_cards(view: SeatView, ruleset: RuleSet) -> None:
    """Raises MalformedMessage for more cards than there are, or others than the record tells of."""
    played = [card for act in view.history if isinstance(act, CardsPlayed) for card in act.cards]
    deck = Counter(full_deck(ruleset.options.decks, ruleset.options.jokers))
    if not Counter((*view.hand, *view.partner_hand, *view.kitty, *view.discarded, *played)) <= deck:
        raise MalformedMessage(
            "request/bad_view", "hand, partner_hand, kitty, discarded, history: together more than the deck"
        )
    if view.trick != view.history[len(view.history) - len(view.trick) :]:
        raise MalformedMessage("request/bad_view", "trick: it is not the end of the history")
    if view.seat is not None and len(view.hand) != view.hand_sizes[view.seat]:
        raise MalformedMessage("request/bad_view", "hand: its size is not the hand_size of the seat")
    if view.kitty and len(view.kitty) != view.kitty_size:
        raise MalformedMessage("request/bad_view", "kitty: it has not kitty_size cards")
    if view.turn is not None and not view.hand_sizes[view.turn]:
        raise MalformedMessage("request/bad_view", f"turn: seat {view.turn} is to act without a card")
    if view.partner_hand and (
        view.seat is None or len(view.partner_hand) != view.hand_sizes[partner(view.seat)]
    ):
        raise MalformedMessage(
            "request/bad_view", "partner_hand: its size is not the hand_size of the partner"
        )


def _play_to_wire(act: Act) -> table_pb2.Play:
    if isinstance(act, Passed):
        return table_pb2.Play(seat=act.seat)
    return table_pb2.Play(
        seat=act.seat,
        cards=cards_to_wire(act.cards),
        combination=combination_to_wire(act.combination),
        wild_as=ranks_to_wire(act.wild_as),
        is_discard=act.is_discard,
    )


def _play_from_wire(table: MoveTable, play: table_pb2.Play) -> Act:
    seat = seat_from_wire(play.seat)
    if not play.cards:
        return Passed(seat)
    act = play_of(table, seat, cards_from_wire(play.cards))
    return replace(act, is_discard=True) if play.is_discard else act


def _opening_from_wire(table: MoveTable, message: events_pb2.Event) -> Opening:
    event = event_from_wire(table, message)
    if not isinstance(event, Opening):
        raise MalformedMessage("request/bad_view", f"{type(event).__name__} does not open a deal")
    return event


def _consents(message: table_pb2.Consents) -> Consents:
    return Consents(
        forfeited=seats_from_wire(message.forfeited),
        redeal=seats_from_wire(message.redeal),
        surrender=seats_from_wire(message.surrender),
    )


def _standing(message: table_pb2.SeatView) -> Standing:
    """A running deal has a number, but no result yet."""
    climbing = message.climbing
    ended = message.deal_number - climbing.HasField("turn")
    played = max(ended - climbing.handover.deals_voided, 0)
    return standing_from_wire(climbing.handover, played, of_four(seat.total for seat in message.seats))
