"""What is said of a room: its seats, what people say in it, and the words that are typed there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rich.text import Text

from shuangkou.cli.event_words import event_words
from shuangkou.cli.words import SEATS, Words
from shuangkou.v1 import rooms_pb2
from shuangkou.v1.rooms_pb2 import ROOM_STATE_PLAYING, ROOM_STATE_STARTING, Room, RoomSeat

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


_MISSING = {
    "say": "say which phrase? for example: say hurry; phrases lists them · 说什么？",
    "kick": "kick whom? one name, for example: kick ben · 踢谁？",
    "bot": "a bot on which seat, and which one? for example: bot 3 plain · 座位和机器人？",
    "nobot": "take the bot from which seat? for example: nobot 3 · 哪个座位？",
    "swap": "which two seats change places? for example: swap 0 1 · 哪两个座位？",
}
"""What is asked where a word stands alone, or with more or less than it needs."""


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
            if _seat(one) == _seat(other):
                raise ValueError(
                    "a seat cannot change places with itself; for example: swap 0 1 · 请选两个座位"
                )
            swap = rooms_pb2.SwapRoomSeats(one=_seat(one), other=_seat(other))
            return rooms_pb2.ArrangeRoomRequest(swap=swap)
        case [word, *_] if word in _MISSING:
            raise ValueError(_MISSING[word])
    raise ValueError(f"{line.strip()!r} means nothing here; help lists the words")


def start_lines(room: Room, player_id: str, command: str) -> Iterator[str]:
    """Who starts the table and how, unless it has been started; ``command`` does it from elsewhere."""
    if room.state in (ROOM_STATE_STARTING, ROOM_STATE_PLAYING):
        yield table_line(room)
    elif room.host_id == player_id:
        yield f"Type start when all seats are taken, or elsewhere: {command}; help lists the other words."
    else:
        yield f"The host {room.host_id} starts the table 等房主开始; help lists the words."


def table_line(room: Room) -> str:
    """The table of the room, the one that is opened or played or the last; empty before the first."""
    if room.state == ROOM_STATE_STARTING:
        return "the table is being opened 正在开桌"
    if not room.table_id:
        return ""
    if room.state == ROOM_STATE_PLAYING:
        return f"at table 牌桌 {room.table_id} now"
    return f"last table 上一桌 {room.table_id}, which is over"


def header_lines(room: Room) -> Iterator[Text]:
    """The room, and what was chosen for it."""
    yield Text(f"Room 房间 {room.code} · {room.game.ruleset_id} · {room.link}", "bold")
    yield Text(f"  {chosen_words(room)}")


def chosen_words(room: Room) -> str:
    """What the host has chosen: options, event, number of deals, and who may watch."""
    game = room.game
    told = [f"{key} = {value}" for key, value in sorted(game.options.items())] or ["usual options 默认规则"]
    if game.HasField("event"):
        told.append(f"event 赛事 {event_words(game.event)}")
    elif game.deals:
        told.append(f"{game.deals} deal{'s'[: game.deals != 1]} 共{game.deals}局")
    told.append(
        "anybody may watch 允许旁观" if room.allows_spectators else "nobody else may watch 不允许旁观"
    )
    return " · ".join(told)


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
