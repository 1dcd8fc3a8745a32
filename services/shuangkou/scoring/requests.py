"""What clients send, checked before anything else sees it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from google.protobuf.field_mask_pb2 import FieldMask
from google.protobuf.message import Message

from shuangkou.chassis.errors import InvalidArgument, NotFound
from shuangkou.rules.ruleset import available, families
from shuangkou.scoring.bookmark import B, BadBookmark, PageTokens
from shuangkou.scoring.ratings import Pool, Subject, joined
from shuangkou.scoring.seasons import FIRST_SEASON, LAST_SEASON, is_season
from shuangkou.scoring.settlement import is_bot
from shuangkou.v1 import scoring_pb2

M = TypeVar("M", bound=Message)

_DEFAULT_PAGE = 50
_LARGEST_PAGE = 500
_SHOWN = 64
_SEASONS_SHOWN = 12


def page_size(asked: int) -> int:
    """How many rows a page holds; InvalidArgument for fewer than none and for too many."""
    if not 0 <= asked <= _LARGEST_PAGE:
        raise InvalidArgument("scoring/bad_page_size", f"a page holds 1 to {_LARGEST_PAGE} rows, not {asked}")
    return asked or _DEFAULT_PAGE


def continued(tokens: PageTokens, kind: type[B], token: str, question: object) -> B | None:
    """Where the page starts, None for the first; InvalidArgument for a token of another question."""
    try:
        return tokens.bookmark(kind, token, question)
    except BadBookmark as reason:
        why = f"{reason}; ask for the first page without a token"
        raise InvalidArgument("scoring/bad_page_token", why) from None


def require(**fields: str) -> None:
    """InvalidArgument unless each of these fields of the request is set."""
    for name, text in fields.items():
        if not text:
            raise InvalidArgument("scoring/missing_field", f"{name} is empty; the question needs it")


def different(player_id: str, other_id: str) -> None:
    """InvalidArgument where a player is to be compared with itself."""
    if player_id == other_id:
        what = "player_id and other_id are the same player; name two"
        raise InvalidArgument("scoring/same_player", what)


def board_of(request: scoring_pb2.GetLeaderboardRequest) -> str:
    """A ruleset or a family, which need not be known; InvalidArgument unless it is just one of them."""
    if request.ruleset_id and request.family:
        raise InvalidArgument("scoring/bad_board", "ask for a ruleset or for a family, not for both")
    if not request.ruleset_id and not request.family:
        raise InvalidArgument("scoring/bad_board", "ruleset_id and family are empty; set one of them")
    if request.family:
        return family_of(request.family)
    return request.ruleset_id


def start_of(request: scoring_pb2.GetLeaderboardRequest) -> str:
    """Whose row the first page begins with, empty for the best; InvalidArgument for a bot left out."""
    name = "" if request.page_token else request.from_player_id
    if is_bot(name) and not request.include_bots:
        raise InvalidArgument(
            "scoring/bots_left_out",
            f"{name[:_SHOWN]!r} is a bot, and bots have a place only with include_bots; set it",
        )
    return name


def family_of(text: str) -> str:
    """A family of games; NotFound for another, InvalidArgument for none."""
    require(family=text)
    if text not in families():
        raise NotFound(
            "scoring/unknown_family", f"no family {text[:40]!r}; there are {', '.join(families())}"
        )
    return text


def season_of(text: str) -> str:
    """A season or nothing; InvalidArgument for what cannot be the name of one."""
    if text and not is_season(text):
        raise InvalidArgument(
            "scoring/bad_season",
            f"a season reads like 2026q4, from {FIRST_SEASON} to {LAST_SEASON}, not {text[:40]!r}",
        )
    return text


def subject_of(request: scoring_pb2.ListRatingsRequest) -> Subject:
    """Whose row the first page of ratings begins with, empty for the best.

    InvalidArgument for a wrong number of names, for one twice, and for a bot among people.
    """
    names, pairs = request.from_player_ids, request.pairs
    if request.page_token or not names:
        return ""
    if len(names) != (2 if pairs else 1):
        what = "the two of a pair" if pairs else "one player"
        raise InvalidArgument("scoring/bad_start", f"a page begins with {what}, not with {len(names)} names")
    if not all(names):
        raise InvalidArgument("scoring/bad_start", "a name in from_player_ids is empty")
    if len(set(names)) < len(names):
        raise InvalidArgument("scoring/bad_start", "a pair is two different players, not one of them twice")
    if pool_of(request.pool) is Pool.PEOPLE and any(map(is_bot, names)):
        why = "bots have a place only in the pool of tables with bots; set pool to RATING_POOL_BOTS"
        raise InvalidArgument("scoring/bots_left_out", why)
    return joined(names)


def pool_of(number: int) -> Pool:
    """Whose deals count, those of people unless asked otherwise; InvalidArgument for another number."""
    try:
        return Pool(number or Pool.PEOPLE)
    except ValueError:
        raise InvalidArgument("scoring/bad_pool", f"there is no pool {number}") from None


def sheet_format(number: int) -> scoring_pb2.SheetFormat.ValueType:
    """What document is asked for; InvalidArgument for a kind that there is not."""
    if number not in scoring_pb2.SheetFormat.values():
        raise InvalidArgument("scoring/bad_format", f"there is no document of kind {number}")
    return scoring_pb2.SheetFormat.ValueType(number)


def unknown_ruleset(ruleset_id: str) -> NotFound:
    """There never was one of this id."""
    known = ", ".join(available())
    return NotFound("ruleset/unknown", f"no ruleset {ruleset_id[:40]!r}; there are {known}")


def no_season(season: str, seasons: Sequence[str]) -> NotFound:
    """Nothing was played in it, and it is not the one that runs. seasons: those there are, newest first."""
    known = ", ".join(seasons[:_SEASONS_SHOWN]) or "none yet"
    return NotFound("scoring/no_season", f"nothing was played in season {season}; seasons there are: {known}")


def unknown_player(player_id: str) -> NotFound:
    """Nobody of this name has finished a deal."""
    return NotFound("scoring/unknown_player", f"no player {player_id[:_SHOWN]!r} has finished a deal")


def not_ranked(name: str) -> NotFound:
    """The ranking has no row of this name."""
    return NotFound("scoring/not_ranked", f"{name[:_SHOWN]!r} has no place in this ranking yet")


def unknown_table(table_id: str) -> NotFound:
    """No deal of this table has been settled."""
    return NotFound("scoring/unknown_table", f"no deal of a table {table_id[:_SHOWN]!r} has been settled")


def checked_mask(mask: FieldMask, kind: type[Message]) -> FieldMask:
    """The mask; InvalidArgument where it names no field."""
    for path in mask.paths:
        if not _is_path(path, kind):
            why = f"{kind.DESCRIPTOR.name} has no field {path[:_SHOWN]!r}"
            if listed := _list_in(path, kind):
                why += f"; fields within a list have no path, name {listed!r} as a whole"
            raise InvalidArgument("scoring/bad_read_mask", why)
    return mask


def masked(mask: FieldMask, message: M) -> M:
    """The message with only the fields that the mask names, or with all where it names none."""
    if not mask.paths:
        return message
    part = type(message)()
    mask.MergeMessage(message, part)
    return part


def asks_for(mask: FieldMask, *fields: str) -> bool:
    """Whether the mask leaves one of these fields of the answer."""
    return not mask.paths or any(path.partition(".")[0] in fields for path in mask.paths)


def _list_in(path: str, kind: type[Message]) -> str:
    """The list that the path leads into, empty where it leads into none."""
    names, fields = path.split("."), kind.DESCRIPTOR.fields_by_name
    for depth, name in enumerate(names[:-1], start=1):
        field = fields.get(name)
        if field is None or field.message_type is None:
            return ""
        if field.is_repeated:
            return ".".join(names[:depth])
        fields = field.message_type.fields_by_name
    return ""


def _is_path(path: str, kind: type[Message]) -> bool:
    """A field, or one within a field that is a single message."""
    fields = kind.DESCRIPTOR.fields_by_name
    *outer, last = path.split(".")
    for name in outer:
        field = fields.get(name)
        if field is None or field.is_repeated or field.message_type is None:
            return False
        fields = field.message_type.fields_by_name
    return last in fields
