"""One wildcard subscription that carries the answers of every request of a connection."""

from __future__ import annotations

import asyncio
from itertools import count
from typing import Self

from nats.aio.client import Client
from nats.aio.msg import Msg

from shuangkou.chassis.nats.errors import Unanswered

Answer = asyncio.Future[Msg]
Answers = asyncio.Queue[Msg | None]
"""Answers in their order; None once the connection broke, after which no more come."""


class Inbox:
    """Hands each arriving answer to whoever waits for its subject; late answers are dropped."""

    def __init__(self, prefix: str) -> None:
        self._prefix = prefix
        self._number = count(1)
        self._single: dict[str, Answer] = {}
        self._series: dict[str, Answers] = {}
        self._loop = asyncio.get_running_loop()

    @classmethod
    async def open(cls, client: Client) -> Self:
        """An inbox on this connection; the subscription survives reconnects."""
        inbox = cls(client.new_inbox())
        await client.subscribe(f"{inbox._prefix}.*", cb=inbox._arrived)
        return inbox

    def expect_one(self, within: float) -> tuple[str, Answer]:
        """A fresh reply subject and the answer to come; Unanswered after ``within`` seconds."""
        subject = f"{self._prefix}.{next(self._number)}"
        answer: Answer = self._loop.create_future()
        self._single[subject] = answer
        clock = self._loop.call_later(within, self._give_up, subject, f"no answer within {within:g} s")
        answer.add_done_callback(lambda _: clock.cancel())
        return subject, answer

    def expect_many(self) -> tuple[str, Answers]:
        """A fresh reply subject and its answers to come; ``forget`` the subject when done."""
        subject = f"{self._prefix}.{next(self._number)}"
        answers: Answers = asyncio.Queue()
        self._series[subject] = answers
        return subject, answers

    def forget(self, subject: str) -> None:
        """Drop whatever still comes for ``subject``."""
        self._series.pop(subject, None)
        answer = self._single.pop(subject, None)
        if answer is not None:
            answer.cancel()

    def connection_lost(self) -> None:
        """Tell everyone who waits that no answer will come."""
        for subject in list(self._single):
            self._give_up(subject, "the connection broke while waiting")
        for answers in self._series.values():
            answers.put_nowait(None)

    def _give_up(self, subject: str, reason: str) -> None:
        answer = self._single.pop(subject, None)
        if answer is not None and not answer.done():
            answer.set_exception(Unanswered(reason))

    async def _arrived(self, msg: Msg) -> None:
        answer = self._single.pop(msg.subject, None)
        if answer is not None:
            if not answer.done():
                answer.set_result(msg)
            return
        answers = self._series.get(msg.subject)
        if answers is not None:
            answers.put_nowait(msg)
