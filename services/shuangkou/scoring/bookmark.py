"""Where a page of an answer ended: an opaque token that only continues the question that it was made for.

A token is the place, enciphered and authenticated together with the question (AES-SIV, RFC 5297) by a key
that only replicas of the same ledger know. So nobody reads it, and one that was damaged, forged or made for
another question is told from one of ours.
"""

from __future__ import annotations

from base64 import urlsafe_b64decode, urlsafe_b64encode
from dataclasses import dataclass, field
from typing import Annotated, TypeVar

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESSIV
from pydantic import BaseModel, ConfigDict, Field

_LONGEST_TOKEN = 4096

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
        # Without a nonce: the same place of the same question has the same token.
        return _as_text(AESSIV(self.key).encrypt(place, [str(question).encode()]))

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
        try:
            place = AESSIV(self.key).decrypt(told, [str(question).encode()])
        except InvalidTag:
            raise BadBookmark("the token is damaged, or continues another question") from None
        # Other text may be read as the same bytes; that was damaged, too.
        if _as_text(told) != token:
            raise BadBookmark("the token is damaged")
        try:
            return kind.model_validate_json(place)
        except ValueError:
            raise BadBookmark("the token continues another question") from None


def _as_text(told: bytes) -> str:
    return urlsafe_b64encode(told).decode().rstrip("=")
