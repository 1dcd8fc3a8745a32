"""Where a page of an answer ended: an opaque token that only continues the question that it was made for.

A token carries a code that only replicas of the same ledger can make, of the question and of the place. So
one that was damaged, forged or made for another question is told from one of ours.
"""

from __future__ import annotations

import hashlib
import hmac
from base64 import urlsafe_b64decode, urlsafe_b64encode
from dataclasses import dataclass, field
from typing import Annotated, TypeVar

from pydantic import BaseModel, ConfigDict, Field

_LONGEST_TOKEN = 4096
_CODE_BYTES = 16

_Int64 = Annotated[int, Field(strict=True, ge=-(2**63), lt=2**63)]
_Place = Annotated[int, Field(strict=True, ge=1, lt=2**31)]
_Finite = Annotated[float, Field(strict=True, allow_inf_nan=False)]
# PostgreSQL cannot hold or compare a text with a NUL.
_Id = Annotated[str, Field(strict=True, pattern=r"^[^\x00]+$", max_length=1024)]


class BadBookmark(ValueError):
    """The token is damaged or forged, or continues another question."""


class Bookmark(BaseModel):
    """A place in an answer."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class SettlementsBookmark(Bookmark):
    """The last settlement of a page."""

    settled_ms: _Int64
    table_id: _Id
    number: _Int64


class BoardBookmark(Bookmark):
    """A row at the edge of a page of a ranking, and which way the page lies that it leads to.

    place: counts rows from 1, where rank counts those that are better. score: points, or a rating.
    """

    score: _Int64 | _Finite
    since_ms: _Int64
    name: _Id
    place: _Place
    rank: _Place
    backwards: Annotated[bool, Field(strict=True)] = False


class CompanionsBookmark(Bookmark):
    """The last companion of a page."""

    deals: _Int64
    player_id: _Id


class MatchesBookmark(Bookmark):
    """The last match of a page."""

    ended_ms: _Int64
    table_id: _Id


B = TypeVar("B", bound=Bookmark)


@dataclass(frozen=True, slots=True)
class PageTokens:
    """Makes and reads tokens. key: the same for all replicas of a ledger, and nobody else's."""

    key: bytes = field(repr=False)

    def token(self, bookmark: Bookmark | None, question: object) -> str:
        """The bookmark as text for a client to hand back with the same question; empty for none."""
        if bookmark is None:
            return ""
        place = bookmark.model_dump_json().encode()
        return _as_text(self._code(question, place) + place)

    def bookmark(self, kind: type[B], token: str, question: object) -> B | None:
        """The bookmark in a token, None in an empty one; BadBookmark for a token of another question."""
        if not token:
            return None
        if len(token) > _LONGEST_TOKEN:
            raise BadBookmark("the token is too long to be one of ours")
        try:
            told = urlsafe_b64decode(token + "=" * (-len(token) % 4))
        except ValueError:
            raise BadBookmark("the token is damaged") from None
        code, place = told[:_CODE_BYTES], told[_CODE_BYTES:]
        # Other text may be read as the same bytes; that was damaged, too.
        is_ours = _as_text(told) == token and hmac.compare_digest(code, self._code(question, place))
        if not is_ours:
            raise BadBookmark("the token is damaged, or continues another question")
        try:
            return kind.model_validate_json(place)
        except ValueError:
            raise BadBookmark("the token continues another question") from None

    def _code(self, question: object, place: bytes) -> bytes:
        # A question names all that was asked and never holds a NUL, so no other pair reads alike.
        asked = str(question).encode()
        return hmac.digest(self.key, asked + b"\0" + place, hashlib.sha256)[:_CODE_BYTES]


def _as_text(told: bytes) -> str:
    return urlsafe_b64encode(told).decode().rstrip("=")
