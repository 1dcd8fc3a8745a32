"""What is said of a room: its seats, what people say in it, and the words that are typed there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rich.text import Text

from shuangkou.cli.words import SEATS, Words
from shuangkou.v1 import rooms_pb2
from shuangkou.v1.rooms_pb2 import Room, RoomSeat

HELP = """Words in a room 房间口令:
  start                 open the table (host) 开始
  bot 3 plain           put a bot on a seat (host) 加机器人; nobot 3 takes it away
  swap 0 1              let two seats change places (host) 换位
  kick NAME             send somebody away (host) 踢人
  say hurry             say a phrase 发言; phrases lists them
  who                   see who sits where
  leave                 leave the room 离开"""


@dataclass(frozen=True, slots=True)
class Say:
    """Say a phrase."""

    phrase_id: str


@dataclass(frozen=True, slots=True)
class Word:
    """A word that stands for itself: start, who, phrases, help, leave."""

    text: str


Typed = Say | Word | rooms_pb2.ArrangeRoomRequest

_ALONE = {
    "start": "start",
    "开始": "start",
    "who": "who",
    "phrases": "phrases",
    "help": "help",
    "leave": "leave",
    "quit": "leave",
    "离开": "leave",
}


def read_room_line(line: str) -> Typed:
    """What a line means; ValueError says what is wrong with it."""
    match line.split():
        case [word] if word.lower() in _ALONE:
            return Word(_ALONE[word.lower()])
        case ["say", phrase]:
            return Say(phrase)
        case ["kick", name]:
            return rooms_pb2.ArrangeRoomRequest(kick_player_id=name)
        case ["bot", seat, persona]:
            bot = rooms_pb2.AddRoomBot(seat=_seat(seat), persona=persona)
            return rooms_pb2.ArrangeRoomRequest(add_bot=bot)
        case ["nobot", seat]:
            return rooms_pb2.ArrangeRoomRequest(remove_bot_seat=_seat(seat))
        case ["swap", one, other]:
            swap = rooms_pb2.SwapRoomSeats(one=_seat(one), other=_seat(other))
            return rooms_pb2.ArrangeRoomRequest(swap=swap)
    raise ValueError(f"{line.strip()!r} means nothing here; help lists the words")


def room_lines(room: Room) -> Iterator[Text]:
    """Who sits where."""
    for number, seat in enumerate(room.seats):
        host = "  host 房主" if seat.player_id == room.host_id and seat.player_id else ""
        yield Text(f"  {number} {SEATS[number]}  {occupant_words(seat)}{host}")


def occupant_words(seat: RoomSeat) -> str:
    """Who sits on a seat."""
    if seat.player_id:
        return seat.player_id
    return f"bot 机器人 {seat.persona}" if seat.persona else str(Words("open", "空位"))


def phrase_lines(phrases: Sequence[rooms_pb2.Phrase]) -> Iterator[Text]:
    """What can be said."""
    for phrase in phrases:
        yield Text(f"  {phrase.id:<12} {phrase.en} {phrase.zh}")


def message_line(message: rooms_pb2.RoomMessage) -> Text:
    """What somebody has said."""
    said = f"{message.phrase.en} {message.phrase.zh}"
    return Text(f"{message.player_id}: ", "bold").append(said, "not bold")


def _seat(text: str) -> int:
    if not text.isascii() or not text.isdigit():
        raise ValueError(f"{text!r} is no seat; seats are numbered from 0")
    return int(text)
