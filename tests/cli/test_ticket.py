"""What the player of a ticket is asked and told."""

from __future__ import annotations

import asyncio

import pytest

from shuangkou.cli.clients import Refused
from shuangkou.cli.interruption import undisturbed
from shuangkou.cli.match_words import as_typed, read_answer
from shuangkou.cli.ticket import why_ended
from shuangkou.v1.errors_pb2 import Refusal
from shuangkou.v1.matchmaking_pb2 import TICKET_STATE_CANCELLED, Ticket


def test_who_was_not_ready_is_told_for_how_long_the_queue_is_closed() -> None:
    ticket = Ticket(state=TICKET_STATE_CANCELLED, refusal="match/not_ready", paused_until_ms=100_000)
    assert "you can queue again in 13 s" in why_ended(ticket, 87.2)
    assert "you can queue again in 0 s" in why_ended(ticket, 101.0)


def test_every_other_end_has_its_reason() -> None:
    assert "did not come" in why_ended(Ticket(refusal="match/lapsed"), 0.0)
    assert why_ended(Ticket(refusal="ruleset/unknown"), 0.0) == "the ticket was taken back ruleset/unknown"
    assert why_ended(Ticket(), 0.0) == "the ticket was taken back"


@pytest.mark.parametrize(
    ("line", "is_ready"),
    [
        *((line, True) for line in ("", " ", "y", "Yes", "是", "ｙ")),
        *((line, False) for line in ("n", "NO", "不", "不要", "否")),
        *((line, None) for line in ("nope", "x", "1", "yes no", "算了吧")),
    ],
)
def test_who_is_asked_sits_down_declines_or_is_asked_again(line: str, is_ready: bool | None) -> None:
    assert read_answer(line) is is_ready


def test_a_refusal_names_the_options_that_were_typed() -> None:
    told = as_typed(Refused(Refusal(code="match/no_bots", explanation="leave bots_after_ms out")))
    assert str(told) == "leave --bots-after out (match/no_bots)"


def test_a_farewell_is_said_to_its_end_however_often_it_is_interrupted() -> None:
    said: list[str] = []

    async def farewell() -> None:
        await asyncio.sleep(0.05)
        said.append("bye")

    async def stay() -> None:
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            said.append(str(await undisturbed(farewell(), 30)))
            raise

    async def interrupted_twice() -> None:
        task = asyncio.ensure_future(stay())
        for _ in range(3):
            await asyncio.sleep(0)
            task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(interrupted_twice())
    assert said == ["bye", "True"]


def test_a_farewell_that_nobody_answers_ends() -> None:
    async def farewell() -> None:
        await asyncio.Event().wait()

    assert asyncio.run(undisturbed(farewell(), 0.01)) is False
