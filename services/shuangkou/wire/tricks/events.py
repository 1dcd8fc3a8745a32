"""Events of the trick-taking family between protobuf and the rules: one line for each in two tables."""

from collections.abc import Callable
from typing import Any

from shuangkou.rules.events import (
    DealVoided,
    KittyBuried,
    KittyTaken,
    Passed,
    SeatForfeited,
)
from shuangkou.rules.seats import SEATS
from shuangkou.rules.tricks.events import (
    CardsDrawn,
    CardsPlayed,
    CardsReturned,
    DealSettled,
    DealStarted,
    DeclarerNamed,
    Event,
    FaceDownShown,
    ForfeitPaid,
    KittyCaptured,
    MatchDecided,
    PairTopped,
    PhaseBegan,
    ShapeNamed,
    ThrowFailed,
    TrickEnded,
    TrumpDeclared,
    TrumpFixed,
    TrumpTurned,
    TurnedCard,
)
from shuangkou.v1 import events_pb2, tricks_pb2
from shuangkou.wire.cards import card_from_wire, card_to_wire, cards_from_wire, cards_to_wire
from shuangkou.wire.outcomes import points_from_wire, voided_from_wire, voided_to_wire
from shuangkou.wire.refusals import MalformedMessage
from shuangkou.wire.seats import seat_from_wire
from shuangkou.wire.secrets import SHARED_FROM_WIRE, SHARED_TO_WIRE, read_secret, write_secret
from shuangkou.wire.tricks.outcomes import (
    decided_from_wire,
    decided_to_wire,
    settled_from_wire,
    settled_to_wire,
)
from shuangkou.wire.tricks.shows import (
    declared_from_wire,
    declared_to_wire,
    failed_from_wire,
    failed_to_wire,
    fixed_from_wire,
    fixed_to_wire,
)
from shuangkou.wire.tricks.words import (
    PHASES,
    TRUMPS,
    level_from_wire,
    level_to_wire,
    maybe_seat,
    shape_from_wire,
    shape_to_wire,
)

ToWire = tuple[str, Callable[[Any], Any]]
FromWire = Callable[[Any], Event]


def event_to_wire(event: Event) -> events_pb2.Event:
    """A public event. A secret one is a programming error: ValueError."""
    if event.secret:
        raise ValueError(f"{type(event).__name__} is secret")
    field, make = TO_WIRE[type(event)]
    return events_pb2.Event(**{field: make(event)})


def event_from_wire(message: events_pb2.Event) -> Event:
    """A public event of the rules; MalformedMessage when it is none."""
    which = message.WhichOneof("event") or ""
    make = FROM_WIRE.get(which)
    if make is None:
        raise MalformedMessage("request/no_such_event", f"{which or 'an empty event'} is no event of a deal")
    return make(getattr(message, which))


def secret_to_wire(event: Event, position: int) -> events_pb2.SecretEvent:
    """A secret event, for the secret part of a commit only. `position`: among all events of the commit."""
    return write_secret(SECRETS_TO_WIRE, event, position)


def secret_from_wire(message: events_pb2.SecretEvent) -> Event:
    """From the secret part of a commit; MalformedMessage when it is no secret event."""
    secret: Event = read_secret(SECRETS_FROM_WIRE, message)
    return secret


def _started_to_wire(event: DealStarted) -> events_pb2.DealStarted:
    turned = [tricks_pb2.TurnedCard(seat=each.seat, card=card_to_wire(each.card)) for each in event.turned]
    return events_pb2.DealStarted(
        number=event.number,
        seed_hash=event.seed_hash,
        hand_sizes=[event.hand_size] * len(SEATS),
        dealt_from=event.first,
        tricks=tricks_pb2.TricksStart(
            declarer=event.declarer,
            level=level_to_wire(event.level),
            kitty_size=event.kitty_size,
            turned=turned,
        ),
    )


def _started_from_wire(message: events_pb2.DealStarted) -> DealStarted:
    start = message.tricks
    return DealStarted(
        number=message.number,
        seed_hash=message.seed_hash,
        first=seat_from_wire(message.dealt_from),
        declarer=maybe_seat(start.declarer, start.HasField("declarer")),
        level=level_from_wire(start.level),
        hand_size=max(message.hand_sizes, default=0),
        kitty_size=start.kitty_size,
        turned=tuple(
            TurnedCard(seat_from_wire(each.seat), card_from_wire(each.card)) for each in start.turned
        ),
    )


def _began_from_wire(message: events_pb2.PhaseBegan) -> PhaseBegan:
    return PhaseBegan(
        PHASES.from_wire(message.phase, "phase"), maybe_seat(message.turn, message.HasField("turn"))
    )


def _topped_to_wire(event: PairTopped) -> tricks_pb2.PairTopped:
    return tricks_pb2.PairTopped(seat=event.seat, owner=event.owner, taken=cards_to_wire(event.taken))


def _topped_from_wire(message: tricks_pb2.PairTopped) -> PairTopped:
    taken = cards_from_wire(message.taken)
    return PairTopped(seat_from_wire(message.seat), seat_from_wire(message.owner), taken)


def _returned_to_wire(event: CardsReturned) -> tricks_pb2.CardsReturned:
    return tricks_pb2.CardsReturned(seat=event.seat, owner=event.owner, cards=cards_to_wire(event.cards))


def _returned_from_wire(message: tricks_pb2.CardsReturned) -> CardsReturned:
    cards = cards_from_wire(message.cards)
    return CardsReturned(seat_from_wire(message.seat), seat_from_wire(message.owner), cards)


def _turned_to_wire(event: TrumpTurned) -> tricks_pb2.TrumpTurned:
    return tricks_pb2.TrumpTurned(cards=cards_to_wire(event.cards), trump=TRUMPS.to_wire(event.trump))


def _captured_to_wire(event: KittyCaptured) -> tricks_pb2.KittyCaptured:
    return tricks_pb2.KittyCaptured(
        seat=event.seat,
        cards=cards_to_wire(event.cards),
        multiplier=event.multiplier,
        points=event.points,
    )


def _captured_from_wire(message: tricks_pb2.KittyCaptured) -> KittyCaptured:
    cards = cards_from_wire(message.cards)
    return KittyCaptured(seat_from_wire(message.seat), cards, message.multiplier, message.points)


def _played_to_wire(event: CardsPlayed) -> events_pb2.CardsPlayed:
    return events_pb2.CardsPlayed(
        seat=event.seat, cards=cards_to_wire(event.cards), is_forced=event.is_forced
    )


def _played_from_wire(message: events_pb2.CardsPlayed) -> CardsPlayed:
    return CardsPlayed(seat_from_wire(message.seat), cards_from_wire(message.cards), message.is_forced)


TO_WIRE: dict[type, ToWire] = {
    DealStarted: ("deal_started", _started_to_wire),
    CardsDrawn: ("cards_drawn", lambda event: tricks_pb2.CardsDrawn(count=event.count)),
    PhaseBegan: (
        "phase_began",
        lambda event: events_pb2.PhaseBegan(phase=PHASES.to_wire(event.phase), turn=event.turn),
    ),
    TrumpDeclared: ("trump_declared", declared_to_wire),
    PairTopped: ("pair_topped", _topped_to_wire),
    Passed: ("call_passed", lambda event: events_pb2.CallPassed(seat=event.seat)),
    TrumpTurned: ("trump_turned", _turned_to_wire),
    DeclarerNamed: (
        "declarer_named",
        lambda event: tricks_pb2.DeclarerNamed(seat=event.seat, level=level_to_wire(event.level)),
    ),
    KittyTaken: (
        "kitty_taken",
        lambda event: events_pb2.KittyTaken(seat=event.seat, number=event.number),
    ),
    KittyBuried: (
        "kitty_buried",
        lambda event: events_pb2.KittyBuried(seat=event.seat, number=event.number),
    ),
    TrumpFixed: ("trump_fixed", fixed_to_wire),
    CardsPlayed: ("cards_played", _played_to_wire),
    ThrowFailed: ("throw_failed", failed_to_wire),
    ShapeNamed: (
        "shape_named",
        lambda event: tricks_pb2.ShapeNamed(seat=event.seat, shape=shape_to_wire(event.shape)),
    ),
    TrickEnded: (
        "trick_ended",
        lambda event: events_pb2.TrickEnded(winner=event.winner, points=event.points),
    ),
    KittyCaptured: ("kitty_captured", _captured_to_wire),
    SeatForfeited: ("seat_forfeited", lambda event: events_pb2.SeatForfeited(seat=event.seat)),
    ForfeitPaid: (
        "forfeit_paid",
        lambda event: tricks_pb2.ForfeitPaid(seat=event.seat, coins=event.coins),
    ),
    MatchDecided: ("match_decided", decided_to_wire),
    DealSettled: ("deal_settled", settled_to_wire),
    DealVoided: ("deal_voided", voided_to_wire),
}
"""By event: its member of protobuf's `Event`, and how that is made."""

FROM_WIRE: dict[str, FromWire] = {
    "deal_started": _started_from_wire,
    "cards_drawn": lambda message: CardsDrawn(message.count),
    "phase_began": _began_from_wire,
    "trump_declared": declared_from_wire,
    "pair_topped": _topped_from_wire,
    "call_passed": lambda message: Passed(seat_from_wire(message.seat)),
    "trump_turned": lambda message: TrumpTurned(
        cards_from_wire(message.cards), TRUMPS.from_wire(message.trump, "trump")
    ),
    "declarer_named": lambda message: DeclarerNamed(
        seat_from_wire(message.seat), level_from_wire(message.level)
    ),
    "kitty_taken": lambda message: KittyTaken(seat_from_wire(message.seat), message.number),
    "kitty_buried": lambda message: KittyBuried(seat_from_wire(message.seat), message.number),
    "trump_fixed": fixed_from_wire,
    "cards_played": _played_from_wire,
    "throw_failed": failed_from_wire,
    "shape_named": lambda message: ShapeNamed(seat_from_wire(message.seat), shape_from_wire(message.shape)),
    "trick_ended": lambda message: TrickEnded(seat_from_wire(message.winner), message.points),
    "kitty_captured": _captured_from_wire,
    "seat_forfeited": lambda message: SeatForfeited(seat_from_wire(message.seat)),
    "forfeit_paid": lambda message: ForfeitPaid(
        seat_from_wire(message.seat), points_from_wire(message.coins)
    ),
    "match_decided": decided_from_wire,
    "deal_settled": settled_from_wire,
    "deal_voided": voided_from_wire,
}
"""By member of protobuf's `Event`, how the rules' event is made."""

SECRETS_TO_WIRE: dict[type, ToWire] = {
    **SHARED_TO_WIRE,
    FaceDownShown: (
        "face_down_shown",
        lambda event: tricks_pb2.FaceDownShown(seat=event.seat, cards=cards_to_wire(event.cards)),
    ),
    CardsReturned: ("cards_returned", _returned_to_wire),
}
"""By secret event: its member of protobuf's `SecretEvent`, and how that is made."""

SECRETS_FROM_WIRE: dict[str, FromWire] = {
    **SHARED_FROM_WIRE,
    "face_down_shown": lambda message: FaceDownShown(
        seat_from_wire(message.seat), cards_from_wire(message.cards)
    ),
    "cards_returned": _returned_from_wire,
}
"""By member of protobuf's `SecretEvent`, how the rules' event is made."""
