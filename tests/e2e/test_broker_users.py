"""Each user of the broker can do its own work and nothing else, at the broker that `shuangkou up` starts."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.errors import Error as NatsError

from kit.command import run_command
from kit.suite import LocalSuite, suite_up
from shuangkou.cli.broker import USERS, password_variable, users_file

_ROOT = Path(__file__).parents[2]
_SECONDS = 10.0
_NOT_THE_ENGINE = ("matchmaking", "ai_player", "scoring", "analyst")
_SECRET = "table.*.*.secret"  # a subject, no password

_WAYS_TO_A_SECRET = {
    "direct get": ("$JS.API.DIRECT.GET.TABLES", {"seq": 1}),
    "direct get by subject": ("$JS.API.DIRECT.GET.TABLES.table.qq.x.secret", {}),
    "message get": ("$JS.API.STREAM.MSG.GET.TABLES", {"seq": 1}),
    "direct get from another shard": ("$JS.API.DIRECT.GET.TABLES-1", {"seq": 1}),
    "the consumer of bots for something else": (
        f"$JS.API.CONSUMER.CREATE.TABLES.ai-player.{_SECRET}",
        {"stream_name": "TABLES", "config": {"durable_name": "ai-player", "filter_subject": _SECRET}},
    ),
    "the consumer of settlements for something else": (
        "$JS.API.CONSUMER.CREATE.TABLES-1.scoring.tables.*.*.*.secret",
        {"stream_name": "TABLES-1", "config": {"durable_name": "scoring"}},
    ),
    "a consumer": (
        "$JS.API.CONSUMER.CREATE.TABLES.spy",
        {"stream_name": "TABLES", "config": {"durable_name": "spy", "filter_subject": _SECRET}},
    ),
    "a consumer with the filter named": (
        f"$JS.API.CONSUMER.CREATE.TABLES.spy.{_SECRET}",
        {"stream_name": "TABLES", "config": {"durable_name": "spy", "filter_subject": _SECRET}},
    ),
    "a consumer of the old kind": (
        "$JS.API.CONSUMER.DURABLE.CREATE.TABLES.spy",
        {"stream_name": "TABLES", "config": {"durable_name": "spy", "filter_subject": _SECRET}},
    ),
    "a copy": ("$JS.API.STREAM.CREATE.COPY", {"name": "COPY", "sources": [{"name": "TABLES"}]}),
    "a change of what is public": (
        "$JS.API.STREAM.UPDATE.EVENTS",
        {"name": "EVENTS", "sources": [{"name": "TABLES"}]},
    ),
}

_HARM = {
    "a forged commit": "table.qq.x.public.none",
    "a forged event": "events.table.qq.x",
    "a forged commit in another shard": "tables.1.qq.x.public.none",
    "a deletion": "$JS.API.STREAM.DELETE.TABLES",
    "a purge": "$JS.API.STREAM.PURGE.EVENTS",
    "a lost wake-up": "timer.x",
    "a stream taken over": "claim.x.y",
}


@pytest.fixture(scope="module")
def suite(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalSuite]:
    """A suite that has dealt cards."""
    with suite_up(tmp_path_factory.mktemp("users")) as running:
        assert run_command("demo", *running.data).returncode == 0
        yield running


@asynccontextmanager
async def _as(suite: LocalSuite, user: str, refusals: asyncio.Queue[str]) -> AsyncIterator[Client]:
    async def note(error: Exception) -> None:
        if "permissions violation" in str(error).lower():
            refusals.put_nowait(str(error))

    client = Client()
    await client.connect(suite.broker_url(user), inbox_prefix=f"_INBOX.{user}", error_cb=note)
    try:
        yield client
    finally:
        await client.close()


async def _is_refused(client: Client, refusals: asyncio.Queue[str], subject: str, payload: bytes) -> bool:
    """Whether the broker forbids the request, not merely fails to serve it."""
    request = asyncio.create_task(client.request(subject, payload, timeout=_SECONDS))
    refusal = asyncio.create_task(refusals.get())
    done, _ = await asyncio.wait((request, refusal), return_when=asyncio.FIRST_COMPLETED)
    request.cancel()
    refusal.cancel()
    await asyncio.gather(request, refusal, return_exceptions=True)
    return refusal in done and subject.lower() in refusal.result().lower()


@pytest.mark.parametrize("way", _WAYS_TO_A_SECRET)
@pytest.mark.parametrize("user", _NOT_THE_ENGINE)
async def test_hidden_cards_are_only_for_the_engine(suite: LocalSuite, user: str, way: str) -> None:
    subject, request = _WAYS_TO_A_SECRET[way]
    refusals: asyncio.Queue[str] = asyncio.Queue()
    async with _as(suite, user, refusals) as client:
        assert await _is_refused(client, refusals, subject, json.dumps(request).encode())


@pytest.mark.parametrize(
    "subject",
    ["table.>", "table.*.*.secret", "tables.>", "live.>", "claimed.>", "_INBOX.engine.>", "$JS.API.>", ">"],
)
@pytest.mark.parametrize("user", _NOT_THE_ENGINE)
async def test_nobody_else_listens_where_the_engine_speaks(
    suite: LocalSuite, user: str, subject: str
) -> None:
    refusals: asyncio.Queue[str] = asyncio.Queue()
    async with _as(suite, user, refusals) as client:
        await client.subscribe(subject)
        refusal = await asyncio.wait_for(refusals.get(), _SECONDS)
    assert f'"{subject}"'.lower() in refusal


@pytest.mark.parametrize("harm", _HARM)
@pytest.mark.parametrize("user", _NOT_THE_ENGINE)
async def test_nobody_else_writes_what_the_engine_writes(suite: LocalSuite, user: str, harm: str) -> None:
    refusals: asyncio.Queue[str] = asyncio.Queue()
    async with _as(suite, user, refusals) as client:
        assert await _is_refused(client, refusals, _HARM[harm], b"{}")


async def test_the_engine_itself_reads_a_secret(suite: LocalSuite) -> None:
    """So the refusals above refuse something that is there."""
    async with _as(suite, "engine", asyncio.Queue()) as client:
        request = json.dumps({"seq": 1, "next_by_subj": _SECRET}).encode()
        answer = await client.request("$JS.API.DIRECT.GET.TABLES", request, timeout=_SECONDS)
    assert answer.headers is not None
    assert answer.headers["Nats-Subject"].endswith(".secret")
    assert answer.data


async def test_an_analyst_reads_the_events_and_nothing_makes_them_writable(suite: LocalSuite) -> None:
    async with _as(suite, "analyst", asyncio.Queue()) as client:
        request = json.dumps({"seq": 1, "next_by_subj": "events.table.>"}).encode()
        answer = await client.request("$JS.API.DIRECT.GET.EVENTS", request, timeout=_SECONDS)
    assert answer.headers is not None
    assert answer.headers["Nats-Subject"].startswith("events.table.")


async def test_nobody_comes_in_without_a_password(suite: LocalSuite) -> None:
    for url in (suite.record["nats_url"], suite.events_url.replace(":p", ":wrong")):
        client = Client()
        with pytest.raises(NatsError, match=r"(?i)authorization"):
            await client.connect(url, allow_reconnect=False, max_reconnect_attempts=1)
        await client.close()


def test_the_same_users_everywhere() -> None:
    shipped = (_ROOT / "deploy/nats/users.conf").read_text()
    assert users_file().read_text() == shipped
    assert (_ROOT / "k8s/base/nats/users.conf").read_text() == shipped
    assert all(f"user: {user}" in shipped and password_variable(user) in shipped for user in USERS)
    assert shipped.count("user: ") == len(USERS)


_DIVERTED = (
    "$JS.API.STREAM.PURGE.TABLES",
    "$JS.API.STREAM.PURGE.EVENTS",
    "$JS.API.STREAM.DELETE.SCORES",
    "live.qq.x.none",
    "table.qq.x.public.none",
    "timer.x",
    "_INBOX.engine.x",
)
_ANSWERED = {
    "$JS.API.DIRECT.GET.EVENTS": ({"seq": 99_999_999}, {"last_by_subj": "events.>"}),
    "$JS.API.CONSUMER.MSG.NEXT.EVENTS.none": ({"batch": 1, "no_wait": True},),
}


@pytest.mark.parametrize("subject", _ANSWERED)
async def test_what_an_analyst_is_answered_reaches_nobody_else(suite: LocalSuite, subject: str) -> None:
    """The broker checks where a request goes, not where its answer is to go."""
    async with _as(suite, "operator", asyncio.Queue()) as operator:
        heard: list[str] = []

        async def hear(message: Msg) -> None:
            heard.append(message.subject)

        for target in _DIVERTED:
            await operator.subscribe(target, cb=hear)
        await operator.flush()
        before = await _messages(operator)
        async with _as(suite, "analyst", asyncio.Queue()) as analyst:
            for target in _DIVERTED:
                for request in _ANSWERED[subject]:
                    await analyst.publish(subject, json.dumps(request).encode(), reply=target)
            first = b'{"seq":1,"next_by_subj":"events.>"}'
            answer = await analyst.request("$JS.API.DIRECT.GET.EVENTS", first, timeout=_SECONDS)
        assert answer.data
        assert await _messages(operator) == before
        assert heard == []


async def _messages(operator: Client) -> dict[str, int]:
    """How many messages each stream holds."""
    told = json.loads((await operator.request("$JS.API.STREAM.LIST", b"", timeout=_SECONDS)).data)
    return {stream["config"]["name"]: stream["state"]["messages"] for stream in told["streams"]}
