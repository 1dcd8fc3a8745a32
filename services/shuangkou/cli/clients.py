"""Calls to a running suite on behalf of one caller: found, authenticated, with deadlines, safely repeated."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from typing import Final, TypeVar
from uuid import uuid4

import grpc
from google.protobuf.message import Message
from google.rpc.error_details_pb2 import RetryInfo
from grpc_status import rpc_status

from shuangkou.chassis.auth import CallerKind, mint, read_private_key
from shuangkou.chassis.channels import CHANNEL_OPTIONS, attempts, target_of
from shuangkou.chassis.dev_keys import create_dev_keys
from shuangkou.cli.folder import DataFolder
from shuangkou.cli.problem import Problem
from shuangkou.cli.tls import channel_to
from shuangkou.v1 import (
    ai_pb2_grpc,
    errors_pb2,
    matchmaking_pb2_grpc,
    rooms_pb2_grpc,
    scoring_pb2_grpc,
    table_pb2_grpc,
)

Q = TypeVar("Q", bound=Message)
A = TypeVar("A", bound=Message)

STALE: Final = "state/stale_version"
_PATIENCE_SECONDS: Final = 30.0
_SILENCE_SECONDS: Final = 10.0
_TOKEN_SECONDS: Final = 30 * 86_400
_PASSING = frozenset(
    (
        grpc.StatusCode.UNAVAILABLE,
        grpc.StatusCode.DEADLINE_EXCEEDED,
        grpc.StatusCode.ABORTED,
        # What a server makes of a call that comes in the very moment in which it stops.
        grpc.StatusCode.CANCELLED,
    )
)


class Refused(Problem):
    """The suite answered *no*; ``refusal`` says why."""

    def __init__(self, refusal: errors_pb2.Refusal) -> None:
        super().__init__(refusal.explanation + (f" ({refusal.code})" if refusal.code else ""))
        self.refusal = refusal


class Clients:
    """Stubs for every service of a suite, and the way to call them."""

    def __init__(
        self,
        channels: Sequence[grpc.aio.Channel],
        token: str,
        on_trouble: Callable[[], None],
        on_answer: Callable[[], None] = lambda: None,
    ) -> None:
        """``channels``: engine, matchmaking, ai_player, scoring. ``on_trouble`` comes before a retry.

        ``on_answer`` comes with every answer.
        """
        engine, matchmaking, ai_player, scoring = channels
        self.tables = table_pb2_grpc.TableServiceStub(engine)
        self.tickets = matchmaking_pb2_grpc.MatchmakingServiceStub(matchmaking)
        self.rooms = rooms_pb2_grpc.RoomServiceStub(matchmaking)
        self.advisor = ai_pb2_grpc.AdvisorServiceStub(ai_player)
        self.scores = scoring_pb2_grpc.ScoringServiceStub(scoring)
        self.metadata = (("authorization", f"Bearer {token}"),)
        self.on_trouble = on_trouble
        self.on_answer = on_answer

    async def ask(self, method: grpc.aio.UnaryUnaryMultiCallable[Q, A], request: Q) -> A:
        """The answer. Every request of ours reads or carries an id, so it is repeated until it is answered.

        Refused when the answer is no, Problem when there is none for half a minute.
        """
        give_up = time.monotonic() + _PATIENCE_SECONDS
        for attempt in attempts():
            try:
                answer = await method(request, timeout=attempt.seconds, metadata=self.metadata)
                self.on_answer()
                return answer
            except grpc.aio.AioRpcError as error:
                if not may_pass(error):
                    raise refused(error) from None
                if time.monotonic() > give_up:
                    raise Problem(f"the suite does not answer: {error.details()}") from None
                told_to_wait = retry_seconds(error)
            if not told_to_wait:
                self.on_trouble()
            await asyncio.sleep(max(told_to_wait, attempt.pause))
        raise AssertionError("there is always another attempt")


@asynccontextmanager
async def connect(
    folder: DataFolder,
    caller: str,
    on_trouble: Callable[[], None],
    on_answer: Callable[[], None] = lambda: None,
    kind: CallerKind = CallerKind.PLAYER,
) -> AsyncIterator[Clients]:
    """Clients of the suite that runs in ``folder``, calling as ``caller``, a player unless it is another."""
    record = folder.running()
    targets = (target_of(record.engines), record.matchmaking, record.ai_player, record.scoring)
    channels = [channel_to(target, CHANNEL_OPTIONS) for target in targets]
    try:
        yield Clients(channels, dev_token(folder, caller, kind, _TOKEN_SECONDS), on_trouble, on_answer)
    finally:
        await asyncio.gather(*(channel.close() for channel in channels))


def player_token(folder: DataFolder, player: str) -> str:
    """A token from the development keys of the folder."""
    return dev_token(folder, player, CallerKind.PLAYER, _TOKEN_SECONDS)


def dev_token(folder: DataFolder, subject: str, kind: CallerKind, ttl_seconds: float) -> str:
    """A token from the development keys of the folder; Problem when it holds none."""
    if not folder.keys.is_dir():
        raise Problem(f"there are no development keys in {folder.path}; made by: {folder.suggest('up')}")
    key = read_private_key(create_dev_keys(folder.keys).private_key_file)
    return mint(key, subject, kind, ttl_seconds)


def sparingly(say: Callable[[], None]) -> Callable[[], None]:
    """The same, but silent for a while after each time: an outage is one piece of news."""
    silent_until = 0.0

    def say_sometimes() -> None:
        nonlocal silent_until
        now = time.monotonic()
        if now >= silent_until:
            silent_until = now + _SILENCE_SECONDS
            say()

    return say_sometimes


def new_id() -> str:
    """An id for one command, good for all its repetitions."""
    return uuid4().hex


def may_pass(error: grpc.aio.AioRpcError) -> bool:
    """Whether the same call can succeed later or elsewhere."""
    if retry_seconds(error):
        return True
    return error.code() in _PASSING and refused(error).refusal.code != STALE


def retry_seconds(error: grpc.aio.AioRpcError) -> float:
    """How long to wait before the same call, which was one too many; 0 where the suite does not say so."""
    info = RetryInfo()
    status = rpc_status.from_call(error)
    for detail in status.details if status else ():
        if detail.Unpack(info):
            return float(info.retry_delay.ToTimedelta().total_seconds())
    return 0.0


def refused(error: grpc.aio.AioRpcError) -> Refused:
    """What the error says, with the refusal in its details where it carries one."""
    refusal = errors_pb2.Refusal()
    status = rpc_status.from_call(error)
    for detail in status.details if status else ():
        if detail.Unpack(refusal):
            return Refused(refusal)
    return Refused(errors_pb2.Refusal(explanation=f"{error.code().name}: {error.details()}"))
