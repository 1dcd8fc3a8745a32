"""Who is calling: EdDSA-signed tokens, verified once and then remembered."""

from __future__ import annotations

import asyncio
import json
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping
from contextvars import ContextVar
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

import jwt
from prometheus_client import CollectorRegistry, Gauge

from shuangkou.chassis.errors import PermissionDenied, Unauthenticated
from shuangkou.chassis.logs import logger

ALGORITHM = "EdDSA"
_REMEMBERED_TOKENS = 10_000
_LONGEST_TOKEN = 4096
_LOOK_AGAIN_SECONDS = 1.0


class CallerKind(StrEnum):
    """What sort of caller a token was made for."""

    PLAYER = "player"
    SERVICE = "service"


@dataclass(frozen=True, slots=True)
class Identity:
    """A caller whose token holds until ``expires_at`` (seconds since the epoch), if its key stays known."""

    subject: str
    kind: CallerKind
    expires_at: float
    key_id: str = ""


_caller: ContextVar[Identity | None] = ContextVar("caller", default=None)


def enter_caller(identity: Identity) -> None:
    """Make ``identity`` the caller that the rest of this task works for."""
    _caller.set(identity)


def caller() -> Identity:
    """The caller that this task works for; Unauthenticated outside an authenticated call."""
    identity = _caller.get()
    if identity is None:
        raise Unauthenticated("auth/missing_token", "this call needs a token")
    return identity


def service_caller() -> Identity:
    """The caller, which must be one of our services; PermissionDenied for a player."""
    identity = caller()
    if identity.kind is not CallerKind.SERVICE:
        raise PermissionDenied("auth/services_only", "only a service may call this")
    return identity


class KeySetMetrics:
    """What is known of the key set, for alerts."""

    def __init__(self, registry: CollectorRegistry) -> None:
        self.keys = Gauge("shuangkou_auth_keys", "Keys that tokens may be signed with", registry=registry)
        self.stale = Gauge(
            "shuangkou_auth_key_set_stale", "1 while the key set on disk cannot be read", registry=registry
        )


class Authenticator:
    """Verifies tokens against a JWKS file, which is read again when it changes.

    A file that cannot be read, or holds no key, changes nothing: the keys that were good stay good.
    """

    def __init__(self, key_set: Path, registry: CollectorRegistry | None = None) -> None:
        """Raises ValueError where the file holds no usable key."""
        self._path = key_set
        self._metrics = KeySetMetrics(registry or CollectorRegistry())
        self._removed: list[Callable[[frozenset[str]], None]] = []
        self._failed_at: tuple[int, int, int] | None = None
        self._keys: dict[str, jwt.PyJWK] = {}
        self._identities: OrderedDict[str, Identity] = OrderedDict()
        self._stamp = _stamp(key_set)
        self._looked_at = time.monotonic()
        self._load()

    def when_removed(self, listener: Callable[[frozenset[str]], None]) -> None:
        """Have ``listener`` called with the ids of keys that are in the set no more."""
        self._removed.append(listener)

    def authenticate(self, token: str) -> Identity:
        """Whose token it is; Unauthenticated where it does not hold (any more)."""
        self._follow_file()
        identity = self._identities.get(token)
        if identity is None:
            identity = self._verify(token)
            self._remember(token, identity)
        elif identity.expires_at <= time.time():
            raise expired_token()
        return identity

    async def keep(self) -> None:
        """Follow the file also while nobody calls, until cancelled: streams of a removed key must end."""
        while True:
            await asyncio.sleep(_LOOK_AGAIN_SECONDS)
            self._follow_file()

    def _verify(self, token: str) -> Identity:
        if len(token) > _LONGEST_TOKEN:
            raise _bad("it is too long")
        try:
            key_id = str(jwt.get_unverified_header(token).get("kid", ""))
            key = self._keys.get(key_id)
            if key is None:
                raise unknown_key()
            claims = jwt.decode(token, key, algorithms=[ALGORITHM], options={"require": ["sub", "exp"]})
            if not claims["sub"]:
                raise _bad("it names nobody")
            kind = _kind_of(claims)
            return Identity(claims["sub"], kind, float(claims["exp"]), key_id)
        except jwt.ExpiredSignatureError:
            raise expired_token() from None
        except jwt.DecodeError:
            raise _bad("it is no token that was signed here, or it is damaged") from None
        except (jwt.InvalidTokenError, ValueError, RecursionError) as error:
            raise _bad(str(error)) from None

    def _remember(self, token: str, identity: Identity) -> None:
        self._identities[token] = identity
        if len(self._identities) > _REMEMBERED_TOKENS:
            self._identities.popitem(last=False)

    def _follow_file(self) -> None:
        now = time.monotonic()
        if now - self._looked_at < _LOOK_AGAIN_SECONDS:
            return
        self._looked_at = now
        stamp: tuple[int, int, int] = (0, 0, 0)
        before = frozenset(self._keys)
        try:
            stamp = _stamp(self._path)
            if stamp in (self._stamp, self._failed_at):
                self._metrics.stale.set(stamp == self._failed_at)
                return
            self._load()
        except (OSError, ValueError) as error:
            # A half-written or missing file must not lock everybody out: keep the keys that were good.
            if stamp != self._failed_at:
                logger().warning("key_set_not_read", path=str(self._path), reason=str(error))
            self._failed_at = stamp
            self._metrics.stale.set(1)
            return
        self._stamp, self._failed_at = stamp, None
        self._identities.clear()
        removed = before - frozenset(self._keys)
        logger().info("key_set_read", keys=sorted(self._keys), removed=sorted(removed))
        for listener in self._removed:
            listener(removed)

    def _load(self) -> None:
        try:
            content = json.loads(self._path.read_text())
            if not _is_key_set(content):
                raise ValueError("it is no JSON object with a list of keys")
            key_set = jwt.PyJWKSet.from_dict(content)
        except (jwt.PyJWTError, ValueError, AttributeError) as error:
            raise ValueError(f"{self._path} is not a JWKS file: {error}") from None
        keys = {key.key_id: key for key in key_set.keys if key.key_id and key.key_type == "OKP"}
        if not keys:
            raise ValueError(f"{self._path} holds no Ed25519 key with a kid")
        self._keys = keys
        self._metrics.keys.set(len(keys))
        self._metrics.stale.set(0)


class TokenFile:
    """A token kept in a file, read again when the file changes."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._stamp: tuple[int, int, int] | None = None
        self._looked_at = -_LOOK_AGAIN_SECONDS
        self._token = ""

    def token(self) -> str:
        """The token now; OSError where there never was a readable file."""
        now = time.monotonic()
        if now - self._looked_at >= _LOOK_AGAIN_SECONDS:
            self._looked_at = now
            try:
                self._read()
            except OSError:
                if not self._token:
                    raise
        return self._token

    def _read(self) -> None:
        stamp = _stamp(self._path)
        if stamp != self._stamp:
            self._token = self._path.read_text().strip()
            self._stamp = stamp


def mint(private_key: dict[str, Any], subject: str, kind: CallerKind, ttl_seconds: float) -> str:
    """A token for ``subject``, signed with a private JWK, that holds ``ttl_seconds`` from now."""
    now = time.time()
    claims = {"sub": subject, "kind": str(kind), "iat": int(now), "exp": int(now + ttl_seconds)}
    headers = {"kid": private_key["kid"]}
    return jwt.encode(
        claims, jwt.PyJWK(private_key, algorithm=ALGORITHM), algorithm=ALGORITHM, headers=headers
    )


def read_private_key(path: Path) -> dict[str, Any]:
    """The private JWK in a file that ``create_dev_keys`` wrote."""
    key: dict[str, Any] = json.loads(path.read_text())
    return key


def _is_key_set(content: Any) -> bool:
    keys = content.get("keys") if isinstance(content, dict) else None
    return isinstance(keys, list) and all(isinstance(key, dict) for key in keys)


def _stamp(path: Path) -> tuple[int, int, int]:
    status = path.stat()
    return status.st_mtime_ns, status.st_size, status.st_ino


def _bad(reason: str) -> Unauthenticated:
    return Unauthenticated("auth/bad_token", f"the token does not hold: {reason}")


def unknown_key() -> Unauthenticated:
    """The refusal of a token whose key is not in the set, or not any more."""
    return _bad("it is signed with a key that is not known here")


def expired_token() -> Unauthenticated:
    """The refusal of a token that held once."""
    return Unauthenticated("auth/expired_token", "the token has expired; fetch a new one")


def _kind_of(claims: Mapping[str, object]) -> CallerKind:
    try:
        return CallerKind(str(claims.get("kind")))
    except ValueError:
        raise _bad(f"its claim 'kind' is neither {' nor '.join(map(repr, map(str, CallerKind)))}") from None
