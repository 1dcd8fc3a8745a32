"""Where a page of an answer ended: an opaque token that only continues the question that it was made for."""

from __future__ import annotations

from base64 import urlsafe_b64decode, urlsafe_b64encode
from typing import Annotated, TypeVar

from pydantic import BaseModel, ConfigDict, Field

_LONGEST_TOKEN = 2048

_Int64 = Annotated[int, Field(strict=True, ge=-(2**63), lt=2**63)]
_Place = Annotated[int, Field(strict=True, ge=1, lt=2**31)]
_Finite = Annotated[float, Field(strict=True, allow_inf_nan=False)]
# PostgreSQL cannot hold or compare a text with a NUL.
_Id = Annotated[str, Field(strict=True, pattern=r"^[^\x00]+$", max_length=1024)]


class BadBookmark(ValueError):
    """The token is damaged, or continues another question."""


class _Bookmark(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    question: str
    """What was asked, page size aside."""


class SettlementsBookmark(_Bookmark):
    """The last settlement of a page."""

    settled_ms: _Int64
    table_id: _Id
    number: _Int64


class BoardBookmark(_Bookmark):
    """A row at the edge of a page of a ranking, and which way the page lies that it leads to.

    place: counts rows from 1, where rank counts those that are better. score: points, or a rating.
    """

    score: _Int64 | _Finite
    since_ms: _Int64
    name: _Id
    place: _Place
    rank: _Place
    backwards: Annotated[bool, Field(strict=True)] = False


class CompanionsBookmark(_Bookmark):
    """The last companion of a page."""

    deals: _Int64
    player_id: _Id


class MatchesBookmark(_Bookmark):
    """The last match of a page."""

    ended_ms: _Int64
    table_id: _Id


B = TypeVar("B", bound=_Bookmark)


def page_token(bookmark: _Bookmark) -> str:
    """The bookmark as text for a client to hand back."""
    return urlsafe_b64encode(bookmark.model_dump_json().encode()).decode().rstrip("=")


def read_page_token(kind: type[B], token: str, question: str) -> B | None:
    """The bookmark in a token, None in an empty one; BadBookmark where it does not continue ``question``."""
    if not token:
        return None
    if len(token) > _LONGEST_TOKEN:
        raise BadBookmark("the token is too long to be one of ours")
    try:
        bookmark = kind.model_validate_json(urlsafe_b64decode(token + "=" * (-len(token) % 4)))
    except ValueError:
        raise BadBookmark("the token is damaged") from None
    if bookmark.question != question:
        raise BadBookmark("the token continues another question")
    return bookmark
