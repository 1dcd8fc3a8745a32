"""Events of the climbing family between protobuf and the rules: one line for each in two tables."""

from collections.abc import Iterable
from dataclasses import replace

from shuangkou.rules.climbing.events import (
    CardsPlayed,
    ContributionBooked,
    DealSettled,
    DealStarted,
    Event,
    GroupRated,
    LeadInherited,
    PhaseBegan,
    RedealVoted,
    SeatWentOut,
    SideSurrendered,
    SurrenderOffered,
    TrickEnded,
)
from shuangkou.rules.climbing.move_table import MoveTable
from shuangkou.rules.climbing.options import Phase
from shuangkou.rules.events import DealVoided, Passed, SeatForfeited
from shuangkou.v1 import events_pb2
from shuangkou.wire.cards import cards_from_wire, cards_to_wire
from shuangkou.wire.climbing.combinations import combination_to_wire, play_of, ranks_to_wire
from shuangkou.wire.climbing.openings import (
    OPENINGS_FROM_WIRE,
    OPENINGS_TO_WIRE,
    SECRETS_FROM_WIRE,
    SECRETS_TO_WIRE,
    FromWire,
    ToWire,
)
from shuangkou.wire.climbing.outcomes import settled_from_wire, settled_to_wire
from shuangkou.wire.enums import WireEnum
from shuangkou.wire.outcomes import points_from_wire, side_from_wire, voided_from_wire, voided_to_wire
from shuangkou.wire.refusals import MalformedMessage
from shuangkou.wire.seats import seat_from_wire
from shuangkou.wire.secrets import read_secret, write_secret

_ENDINGS = frozenset(("deal_settled", "deal_voided"))
PHASES = WireEnum(Phase, events_pb2.DealPhase.Value, "DEAL_PHASE")


def event_to_wire(event: Event) -> events_pb2.Event:
    """A public event. A secret one is a programming error: ValueError."""
    if event.secret:
        raise ValueError(f"{type(event).__name__} is secret")
    field, make = _TO_WIRE[type(event)]
    return events_pb2.Event(**{field: make(event)})


def event_from_wire(table: MoveTable, message: events_pb2.Event) -> Event:
    """A public event of the rules; MalformedMessage when it is none."""
    which = message.WhichOneof("event") or ""
    make = _FROM_WIRE.get(which)
    if make is None:
        raise MalformedMessage("request/no_such_event", f"{which or 'an empty event'} is no event of a deal")
    return make(table, getattr(message, which))


def acts_from_wire(table: MoveTable, messages: Iterable[events_pb2.Event]) -> list[Event]:
    """The events of a deal without its settlement and without those of which the rules know nothing."""
    known = _FROM_WIRE.keys() - _ENDINGS
    return [event_from_wire(table, message) for message in messages if message.WhichOneof("event") in known]


def secret_to_wire(event: Event, position: int) -> events_pb2.SecretEvent:
    """A secret event, for the secret part of a commit only. `position`: among all events of the commit."""
    return write_secret(SECRETS_TO_WIRE, event, position)


def secret_from_wire(message: events_pb2.SecretEvent) -> Event:
    """From the secret part of a commit; MalformedMessage when it is no secret event."""
    secret: Event = read_secret(SECRETS_FROM_WIRE, message)
    return secret


def _started_to_wire(event: DealStarted) -> events_pb2.DealStarted:
    return events_pb2.DealStarted(
        number=event.number,
        seed_hash=event.seed_hash,
        leader=event.leader,
        hand_sizes=event.hand_sizes,
        dealt_from=event.dealt_from,
    )


def _started_from_wire(_: MoveTable, message: events_pb2.DealStarted) -> DealStarted:
    return DealStarted(
        number=message.number,
        seed_hash=message.seed_hash,
        leader=seat_from_wire(message.leader),
        hand_sizes=tuple(message.hand_sizes),
        dealt_from=seat_from_wire(message.dealt_from),
    )


def _played_to_wire(event: CardsPlayed) -> events_pb2.CardsPlayed:
    return events_pb2.CardsPlayed(
        seat=event.seat,
        cards=cards_to_wire(event.cards),
        combination=combination_to_wire(event.combination),
        wild_as=ranks_to_wire(event.wild_as),
        is_discard=event.is_discard,
    )


def _played_from_wire(table: MoveTable, message: events_pb2.CardsPlayed) -> CardsPlayed:
    play = play_of(table, seat_from_wire(message.seat), cards_from_wire(message.cards))
    return replace(play, is_discard=True) if message.is_discard else play


def _booked_from_wire(_: MoveTable, message: events_pb2.ContributionBooked) -> ContributionBooked:
    return ContributionBooked(seat_from_wire(message.seat), message.stars, points_from_wire(message.amounts))


_TO_WIRE: dict[type, ToWire] = {
    DealStarted: ("deal_started", _started_to_wire),
    PhaseBegan: (
        "phase_began",
        lambda event: events_pb2.PhaseBegan(phase=PHASES.to_wire(event.phase), turn=event.turn),
    ),
    **OPENINGS_TO_WIRE,
    CardsPlayed: ("cards_played", _played_to_wire),
    Passed: ("passed", lambda event: events_pb2.Passed(seat=event.seat)),
    SeatWentOut: ("seat_went_out", lambda event: events_pb2.SeatWentOut(seat=event.seat, place=event.place)),
    TrickEnded: ("trick_ended", lambda event: events_pb2.TrickEnded(winner=event.winner)),
    LeadInherited: (
        "lead_inherited",
        lambda event: events_pb2.LeadInherited(seat=event.seat, from_seat=event.from_seat),
    ),
    GroupRated: (
        "group_rated",
        lambda event: events_pb2.GroupRated(seat=event.seat, bombs=event.bombs, stars=event.stars),
    ),
    ContributionBooked: (
        "contribution_booked",
        lambda event: events_pb2.ContributionBooked(
            seat=event.seat, stars=event.stars, amounts=event.amounts
        ),
    ),
    SeatForfeited: ("seat_forfeited", lambda event: events_pb2.SeatForfeited(seat=event.seat)),
    SurrenderOffered: ("surrender_offered", lambda event: events_pb2.SurrenderOffered(seat=event.seat)),
    SideSurrendered: ("side_surrendered", lambda event: events_pb2.SideSurrendered(side=event.side)),
    RedealVoted: ("redeal_voted", lambda event: events_pb2.RedealVoted(seat=event.seat)),
    DealSettled: ("deal_settled", settled_to_wire),
    DealVoided: ("deal_voided", voided_to_wire),
}
"""By event: its member of protobuf's `Event`, and how that is made."""

_FROM_WIRE: dict[str, FromWire] = {
    "deal_started": _started_from_wire,
    "phase_began": lambda _, message: PhaseBegan(
        PHASES.from_wire(message.phase, "phase"), seat_from_wire(message.turn)
    ),
    **OPENINGS_FROM_WIRE,
    "cards_played": _played_from_wire,
    "passed": lambda _, message: Passed(seat_from_wire(message.seat)),
    "seat_went_out": lambda _, message: SeatWentOut(seat_from_wire(message.seat), message.place),
    "trick_ended": lambda _, message: TrickEnded(seat_from_wire(message.winner)),
    "lead_inherited": lambda _, message: LeadInherited(
        seat_from_wire(message.seat), seat_from_wire(message.from_seat)
    ),
    "group_rated": lambda _, message: GroupRated(seat_from_wire(message.seat), message.bombs, message.stars),
    "contribution_booked": _booked_from_wire,
    "seat_forfeited": lambda _, message: SeatForfeited(seat_from_wire(message.seat)),
    "surrender_offered": lambda _, message: SurrenderOffered(seat_from_wire(message.seat)),
    "side_surrendered": lambda _, message: SideSurrendered(side_from_wire(message.side)),
    "redeal_voted": lambda _, message: RedealVoted(seat_from_wire(message.seat)),
    "deal_settled": settled_from_wire,
    "deal_voided": lambda _, message: voided_from_wire(message),
}
"""By member of protobuf's `Event`, how the rules' event is made."""
