"""As whom hostile callers call: players and services with good tokens, and everything that is no token."""

from __future__ import annotations

import base64
import json
import time
from dataclasses import dataclass
from pathlib import Path
from random import Random

import jwt

from kit.keys import Keys
from shuangkou.chassis.auth import CallerKind, mint, read_private_key
from shuangkou.chassis.dev_keys import create_dev_keys

Metadata = tuple[tuple[str, str | bytes], ...]

ATTACKERS = tuple(f"mallory{number}" for number in range(12))
"""Players with good tokens who hold no seat of a table under attack."""
_LONG_SECONDS = 86_400.0


@dataclass(frozen=True, slots=True)
class Pretence:
    """Metadata of a call. `holds`: its token is good, so that the caller may be let in."""

    metadata: Metadata
    holds: bool
    name: str = ""


class Pretences:
    """Good tokens by name, and bad ones of every kind."""

    def __init__(self, keys: Keys, folder: Path, people: tuple[str, ...]) -> None:
        """`people`: who holds seats of tables under attack."""
        self.people = [_good(keys.player(name, _LONG_SECONDS), name) for name in people]
        self.strangers = [_good(keys.player(name, _LONG_SECONDS), name) for name in ATTACKERS]
        # A player of a service's name, and names that no player may have.
        odd = ("engine", "a b", "x" * 65, "命", "a\0b", "table.>")
        self.odd = [_good(keys.player(name, _LONG_SECONDS), name) for name in odd]
        self.service = _good(keys.service("scoring", _LONG_SECONDS), "scoring")
        self.bad = [Pretence(metadata, holds=False) for metadata in _bad(keys, folder)]

    def any(self, rng: Random) -> Pretence:
        """One of them all; most calls are let in, for what comes after matters most."""
        kinds = (self.people, self.strangers, self.odd, [self.service], self.bad)
        return rng.choice(rng.choices(kinds, (40, 35, 5, 8, 12))[0])


def bearer(token: str) -> Metadata:
    """Metadata with this token."""
    return (("authorization", f"Bearer {token}"),)


def _good(token: str, name: str) -> Pretence:
    return Pretence(bearer(token), holds=True, name=name)


def _bad(keys: Keys, folder: Path) -> list[Metadata]:
    private = read_private_key(keys.private_key_file)
    good = keys.player("alice", _LONG_SECONDS)
    foreign = read_private_key(create_dev_keys(folder / "foreign").private_key_file)
    foreign["kid"] = private["kid"]
    head, body, mark = good.split(".")
    public = str(private["x"]).encode().ljust(64, b"0")
    claims = {"sub": "alice", "kind": "player", "exp": time.time() + _LONG_SECONDS}
    tokens = [
        mint(private, "alice", CallerKind.PLAYER, -1),
        mint(foreign, "alice", CallerKind.SERVICE, _LONG_SECONDS),
        jwt.encode(claims, public, algorithm="HS256", headers={"kid": private["kid"]}),
        f"{_part({'alg': 'none', 'kid': private['kid']})}.{_part(claims)}.",
        f"{head}.{_part({**claims, 'kind': 'service'})}.{mark}",
        f"{head}.{body}.{mark[::-1]}",
        f"{head}.{body}",
        f"{_part([[[[1]]]])}.{body}.{mark}",
        f"{'e30' * 2000}.e30.e30",
        mint(private, "", CallerKind.PLAYER, _LONG_SECONDS),
        "",
        "." * 40,
        "x" * 3000,
    ]
    odd: list[Metadata] = [
        (),
        (("authorization", good),),
        (("authorization", f"Basic {good}"),),
        (*bearer(good), *bearer(good)),
        (("authorization-bin", b"\0\xff"),),
    ]
    return [bearer(token) for token in tokens] + odd


def _part(value: object) -> str:
    return base64.urlsafe_b64encode(json.dumps(value).encode()).rstrip(b"=").decode()
