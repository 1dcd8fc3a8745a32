"""A room and what can happen in it: pure, every function returns a new room or raises a refusal."""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import sha256

from shuangkou.chassis.errors import (
    FailedPrecondition,
    InvalidArgument,
    NotFound,
    PermissionDenied,
    ResourceExhausted,
)
from shuangkou.matchmaking.phrases import PHRASES
from shuangkou.v1.matchmaking_pb2 import Game
from shuangkou.v1.rooms_pb2 import (
    ROOM_STATE_GATHERING,
    ROOM_STATE_STARTING,
    ArrangeRoomRequest,
    CreateRoomRequest,
    Room,
    RoomMessage,
    RoomSeat,
)

CODES = 1_000_000
_MESSAGES = 30
_SPEAK_AGAIN_MS = 1_000


def code_of(maker_id: str, command_id: str, attempt: int) -> str:
    """The code that is tried at this attempt to open a room: the same for every repeat of the call."""
    digest = sha256(f"{maker_id}\n{command_id}\n{attempt}".encode()).digest()
    return f"{int.from_bytes(digest) % CODES:06}"


def new_room(request: CreateRoomRequest, maker_id: str, game: Game, seats: int) -> Room:
    """A room with its maker on the first seat; the code is not chosen yet."""
    room = Room(
        host_id=maker_id,
        maker_id=maker_id,
        command_id=request.command_id,
        game=game,
        allows_spectators=request.allows_spectators,
        state=ROOM_STATE_GATHERING,
        seats=[RoomSeat() for _ in range(seats)],
    )
    room.seats[0].player_id = maker_id
    return room


def people_in(room: Room) -> list[str]:
    """The people in seat order."""
    return [seat.player_id for seat in room.seats if seat.player_id]


def require_guest(room: Room, player_id: str) -> None:
    """PermissionDenied for somebody who is not in the room."""
    _require_welcome(room, player_id)
    if player_id not in people_in(room):
        raise PermissionDenied("room/not_in_it", f"you are not in room {room.code}; join it first")


def joined(room: Room, player_id: str, seat: int | None) -> Room:
    """The player sits down, on this seat or the first open one.

    Whoever is in the room stays there; FailedPrecondition where it asks for another seat, for the host seats.
    """
    if seat is not None:
        _seat(room, seat)
    if player_id in people_in(room):
        _require_same_seat(room, player_id, seat)
        return room
    _require_welcome(room, player_id)
    _require_gathering(room)
    after = _copy(room)
    open_seats = [number for number, each in enumerate(room.seats) if _is_open(each)]
    if not open_seats:
        raise FailedPrecondition("room/full", f"room {room.code} has no open seat")
    if seat is not None and seat not in open_seats:
        raise FailedPrecondition("room/seat_taken", f"seat {seat} of room {room.code} is taken")
    after.seats[open_seats[0] if seat is None else seat].player_id = player_id
    return after


def left(room: Room, player_id: str) -> Room | None:
    """The player is out; None when nobody is left. Another person becomes the host where the host left.

    PermissionDenied for somebody who is not in the room.
    """
    if player_id not in people_in(room):
        raise PermissionDenied("room/not_in_it", f"you are not in room {room.code}")
    _require_gathering(room)
    after = _without(room, player_id)
    rest = people_in(after)
    if not rest:
        return None
    if after.host_id == player_id:
        after.host_id = rest[0]
    return after


def arranged(room: Room, request: ArrangeRoomRequest, personas: Iterable[str]) -> Room:
    """The host rearranges the seats."""
    _require_gathering(room)
    after = _copy(room)
    match request.WhichOneof("act"):
        case "swap":
            one, other = _seat(after, request.swap.one), _seat(after, request.swap.other)
            if request.swap.one == request.swap.other:
                raise InvalidArgument("room/same_seat", "a seat cannot change places with itself")
            kept = RoomSeat()
            kept.CopyFrom(one)
            one.CopyFrom(other)
            other.CopyFrom(kept)
        case "kick_player_id":
            after = _kicked(room, request.kick_player_id)
        case "add_bot":
            seat = _seat(after, request.add_bot.seat)
            if request.add_bot.persona not in personas:
                known = ", ".join(personas)
                raise InvalidArgument("seat/unknown_persona", f"no such persona; there are {known}")
            if not _is_open(seat):
                raise FailedPrecondition("room/seat_taken", f"seat {request.add_bot.seat} is taken")
            seat.persona = request.add_bot.persona
        case "remove_bot_seat":
            seat = _seat(after, request.remove_bot_seat)
            if not seat.persona:
                raise FailedPrecondition("room/no_bot", f"no bot sits on seat {request.remove_bot_seat}")
            seat.ClearField("persona")
        case None:
            raise InvalidArgument("request/no_act", "say what to do with the seats")
    return after


def require_host(room: Room, player_id: str) -> None:
    """PermissionDenied for anybody but the host."""
    require_guest(room, player_id)
    if room.host_id != player_id:
        raise PermissionDenied("room/host_only", f"only the host {room.host_id} may do that")


def started(room: Room) -> Room:
    """The table of the room is being opened; FailedPrecondition with an open seat."""
    _require_gathering(room)
    still_open = [str(number) for number, seat in enumerate(room.seats) if _is_open(seat)]
    if still_open:
        places = ", ".join(still_open)
        raise FailedPrecondition("room/open_seats", f"nobody sits on {places}; add a bot or wait for people")
    after = _copy(room)
    after.state = ROOM_STATE_STARTING
    after.tables += 1
    after.refusal = ""
    return after


def said(room: Room, player_id: str, phrase_id: str, now_ms: int) -> Room:
    """The player says one of the phrases."""
    phrase = PHRASES.get(phrase_id)
    if phrase is None:
        raise NotFound("room/unknown_phrase", f"no such phrase; there are {', '.join(PHRASES)}")
    before = [message.said_ms for message in room.messages if message.player_id == player_id]
    if before and now_ms - before[-1] < _SPEAK_AGAIN_MS:
        raise ResourceExhausted("room/too_fast", "wait a second before you speak again")
    after = _copy(room)
    after.messages.append(RoomMessage(player_id=player_id, phrase=phrase, said_ms=now_ms))
    del after.messages[:-_MESSAGES]
    return after


def _kicked(room: Room, player_id: str) -> Room:
    if player_id == room.host_id:
        raise InvalidArgument("room/kick_host", "the host cannot send itself away; leave instead")
    if player_id not in people_in(room):
        raise NotFound("room/unknown_player", f"{player_id[:64]!r} is not in room {room.code}")
    after = _without(room, player_id)
    after.kicked.append(player_id)
    return after


def _without(room: Room, player_id: str) -> Room:
    after = _copy(room)
    for seat in after.seats:
        if seat.player_id == player_id:
            seat.ClearField("player_id")
    return after


def _require_welcome(room: Room, player_id: str) -> None:
    if player_id in room.kicked:
        raise PermissionDenied("room/kicked", f"the host of room {room.code} has sent you away")


def _require_same_seat(room: Room, player_id: str, seat: int | None) -> None:
    own = next(number for number, each in enumerate(room.seats) if each.player_id == player_id)
    if seat not in (None, own):
        explanation = f"you sit on seat {own} of room {room.code}; the host {room.host_id} can swap seats"
        raise FailedPrecondition("room/seated_elsewhere", explanation)


def _require_gathering(room: Room) -> None:
    if room.state == ROOM_STATE_STARTING:
        raise FailedPrecondition("room/starting", f"the table of room {room.code} is being opened")
    if room.state != ROOM_STATE_GATHERING:
        raise FailedPrecondition("room/in_play", f"room {room.code} plays at its table {room.table_id} now")


def _seat(room: Room, number: int) -> RoomSeat:
    if number >= len(room.seats):
        last = len(room.seats) - 1
        raise InvalidArgument("request/no_such_seat", f"there is no seat {number}; seats are 0 to {last}")
    return room.seats[number]


def _is_open(seat: RoomSeat) -> bool:
    return seat.WhichOneof("occupant") is None


def _copy(room: Room) -> Room:
    after = Room()
    after.CopyFrom(room)
    return after
