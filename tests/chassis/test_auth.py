"""Tokens and the keys they are signed with."""

from __future__ import annotations

import base64
import json
import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import jwt
import pytest
from hypothesis import given
from hypothesis import strategies as st
from prometheus_client import CollectorRegistry

from kit.keys import Keys
from kit.waiting import eventually
from shuangkou.chassis.auth import (
    Authenticator,
    CallerKind,
    Identity,
    TokenFile,
    caller,
    enter_caller,
    mint,
    read_private_key,
    service_caller,
)
from shuangkou.chassis.dev_keys import create_dev_keys
from shuangkou.chassis.errors import PermissionDenied, Unauthenticated
from shuangkou.chassis.logs import configure_logs
from shuangkou.chassis.settings import LogFormat, LogLevel


@pytest.fixture
def authenticator(keys: Keys) -> Authenticator:
    return Authenticator(keys.key_set_file)


def code_of(authenticator: Authenticator, token: str) -> str:
    with pytest.raises(Unauthenticated) as caught:
        authenticator.authenticate(token)
    return caught.value.code


def test_a_token_says_who_and_what_its_bearer_is(authenticator: Authenticator, keys: Keys) -> None:
    token = keys.service("engine")
    for _ in range(2):
        identity = authenticator.authenticate(token)
        assert (identity.subject, identity.kind) == ("engine", CallerKind.SERVICE)


def test_a_remembered_token_still_expires(
    authenticator: Authenticator, keys: Keys, monkeypatch: pytest.MonkeyPatch
) -> None:
    token = keys.player("alice", ttl_seconds=60)
    expires_at = authenticator.authenticate(token).expires_at
    monkeypatch.setattr("shuangkou.chassis.auth.time.time", lambda: expires_at + 1)
    assert code_of(authenticator, token) == "auth/expired_token"


def test_a_stranger_s_signature_does_not_hold(
    authenticator: Authenticator, keys: Keys, tmp_path: Path
) -> None:
    stranger = read_private_key(create_dev_keys(tmp_path).private_key_file)
    assert code_of(authenticator, mint(stranger, "eve", CallerKind.PLAYER, 60)) == "auth/bad_token"
    known = read_private_key(keys.private_key_file)["kid"]
    assert (
        code_of(authenticator, mint({**stranger, "kid": known}, "eve", CallerKind.PLAYER, 60))
        == "auth/bad_token"
    )


def test_a_deeply_nested_header_does_not_hold(authenticator: Authenticator) -> None:
    nested = base64.urlsafe_b64encode(b"[" * 2800).decode().rstrip("=")
    assert code_of(authenticator, f"{nested}.e30.e30") == "auth/bad_token"


def test_other_algorithms_do_not_hold(authenticator: Authenticator, keys: Keys) -> None:
    kid = read_private_key(keys.private_key_file)["kid"]
    claims = {"sub": "eve", "kind": "service", "exp": 4_000_000_000}
    public = json.loads(keys.key_set_file.read_text())["keys"][0]["x"]
    forged = jwt.encode(claims, public, algorithm="HS256", headers={"kid": kid})
    unsigned = jwt.encode(claims, "", algorithm="none", headers={"kid": kid})
    assert code_of(authenticator, forged) == "auth/bad_token"
    assert code_of(authenticator, unsigned) == "auth/bad_token"


@pytest.mark.parametrize(
    "claims",
    [
        {"kind": "player", "exp": 4_000_000_000},
        {"sub": "eve", "kind": "player"},
        {"sub": "eve", "exp": 4_000_000_000},
        {"sub": "eve", "kind": "admin", "exp": 4_000_000_000},
        {"sub": 7, "kind": "player", "exp": 4_000_000_000},
        {"sub": "", "kind": "player", "exp": 4_000_000_000},
    ],
)
def test_a_token_with_wrong_claims_does_not_hold(
    authenticator: Authenticator, keys: Keys, claims: dict[str, Any]
) -> None:
    private = read_private_key(keys.private_key_file)
    key = jwt.PyJWK(private, algorithm="EdDSA")
    token = jwt.encode(claims, key, algorithm="EdDSA", headers={"kid": private["kid"]})
    assert code_of(authenticator, token) == "auth/bad_token"


@given(token=st.one_of(st.text(max_size=80), st.lists(st.text("abcXYZ019-_="), max_size=5).map(".".join)))
def test_no_text_gets_in_or_breaks_out(keys: Keys, token: str) -> None:
    assert code_of(Authenticator(keys.key_set_file), token) == "auth/bad_token"


def holds(authenticator: Authenticator, token: str) -> bool:
    try:
        authenticator.authenticate(token)
    except Unauthenticated:
        return False
    return True


class Rotation:
    """Two signers, and the file that says whose tokens hold."""

    def __init__(self, folder: Path) -> None:
        made = [create_dev_keys(folder / name) for name in ("old", "new")]
        self.tokens = [
            mint(read_private_key(keys.private_key_file), "alice", CallerKind.PLAYER, 60) for keys in made
        ]
        self._keys = [json.loads(keys.key_set_file.read_text())["keys"][0] for keys in made]
        self.served = folder / "keys.json"

    def serve(self, *signers: int) -> None:
        """Put these signers' keys in place of the file, as a mounted secret is changed."""
        draft = self.served.with_suffix(".new")
        draft.write_text(json.dumps({"keys": [self._keys[signer] for signer in signers]}))
        draft.replace(self.served)


async def test_keys_are_rotated_without_a_restart(tmp_path: Path, registry: CollectorRegistry) -> None:
    rotation = Rotation(tmp_path)
    rotation.serve(0)
    authenticator = Authenticator(rotation.served, registry)
    removed: list[frozenset[str]] = []
    authenticator.when_removed(removed.append)
    old, new = rotation.tokens
    assert (holds(authenticator, old), holds(authenticator, new)) == (True, False)
    rotation.serve(0, 1)
    await eventually(lambda: holds(authenticator, new))
    assert holds(authenticator, old)
    assert registry.get_sample_value("shuangkou_auth_keys") == 2
    rotation.serve(1)
    await eventually(lambda: not holds(authenticator, old))
    assert holds(authenticator, new)
    assert registry.get_sample_value("shuangkou_auth_keys") == 1
    assert removed == [frozenset(), {read_private_key(tmp_path / "old" / "signing-key.json")["kid"]}]


@pytest.mark.usefixtures("own_logs")
async def test_a_broken_key_set_keeps_the_last_good_one_and_says_so(
    tmp_path: Path, registry: CollectorRegistry, capsys: pytest.CaptureFixture[str]
) -> None:
    configure_logs("test", LogLevel.INFO, LogFormat.JSON)
    rotation = Rotation(tmp_path)
    rotation.serve(0)
    authenticator = Authenticator(rotation.served, registry)
    old, new = rotation.tokens

    def is_stale() -> bool:
        assert holds(authenticator, old)
        return registry.get_sample_value("shuangkou_auth_key_set_stale") == 1

    for broken in ("{", None):
        rotation.served.unlink()
        if broken is not None:
            rotation.served.write_text(broken)
        await eventually(is_stale)
        rotation.serve(0, 1)
        await eventually(lambda: not is_stale())
        assert holds(authenticator, new)
        rotation.serve(0)
        await eventually(lambda: not holds(authenticator, new))
    lines = [json.loads(line) for line in capsys.readouterr().err.splitlines()]
    said = [line for line in lines if line["event"] == "key_set_not_read"]
    assert len(said) == 2
    assert {line["level"] for line in said} == {"warning"}
    assert all(line["path"] == str(rotation.served) and line["reason"] for line in said)


@pytest.mark.parametrize("content", ["", "{}", '{"keys": []}', "[]", '{"keys": [{"kty": "OKP"}]}'])
def test_a_file_without_a_key_is_an_error(tmp_path: Path, content: str) -> None:
    path = tmp_path / "keys.json"
    path.write_text(content)
    with pytest.raises(ValueError, match=r"JWKS file|holds no Ed25519 key"):
        Authenticator(path)


def test_dev_keys_are_made_once_by_many_starters(tmp_path: Path) -> None:
    folder = tmp_path / "keys"
    with ThreadPoolExecutor(8) as starters:
        made = list(starters.map(lambda _: create_dev_keys(folder), range(16)))
    assert len(set(made)) == 1
    assert sorted(path.name for path in folder.iterdir()) == ["keys.json", "signing-key.json"]
    private = json.loads(made[0].private_key_file.read_text())
    (public,) = json.loads(made[0].key_set_file.read_text())["keys"]
    assert public["x"] == private["x"]
    assert "d" not in public
    assert stat.S_IMODE(made[0].private_key_file.stat().st_mode) == 0o600


def test_who_calls_is_known_inside_a_call_only() -> None:
    with pytest.raises(Unauthenticated):
        caller()
    enter_caller(Identity("alice", CallerKind.PLAYER, 0))
    assert caller().subject == "alice"
    with pytest.raises(PermissionDenied):
        service_caller()


async def test_a_token_file_is_followed(tmp_path: Path) -> None:
    path = tmp_path / "token"
    path.write_text("one\n")
    tokens = TokenFile(path)
    assert tokens.token() == "one"
    path.write_text("second\n")
    await eventually(lambda: tokens.token() == "second")
    path.unlink()
    assert tokens.token() == "second"
