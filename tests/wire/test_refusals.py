"""Refusals on the wire: every code has its status, every detail arrives."""

from __future__ import annotations

import ast
from pathlib import Path

import grpc
import pytest

import shuangkou.engine
import shuangkou.wire
from shuangkou.rules.cards import Card
from shuangkou.rules.errors import CODES, IllegalCommand
from shuangkou.rules.seats import SEATS
from shuangkou.v1 import cards_pb2
from shuangkou.wire.refusals import refusal, refusal_of, status_of

FAMILIES = {
    "cards": grpc.StatusCode.FAILED_PRECONDITION,
    "climbing": grpc.StatusCode.FAILED_PRECONDITION,
    "request": grpc.StatusCode.INVALID_ARGUMENT,
    "ruleset": grpc.StatusCode.INVALID_ARGUMENT,
    "seat": grpc.StatusCode.FAILED_PRECONDITION,
    "state": grpc.StatusCode.FAILED_PRECONDITION,
    "stream": grpc.StatusCode.FAILED_PRECONDITION,
    "table": grpc.StatusCode.FAILED_PRECONDITION,
    "tricks": grpc.StatusCode.FAILED_PRECONDITION,
    "turn": grpc.StatusCode.FAILED_PRECONDITION,
}
OTHERS = {
    "state/stale_version": grpc.StatusCode.ABORTED,
    "state/version_ahead": grpc.StatusCode.ABORTED,
    "state/try_again": grpc.StatusCode.UNAVAILABLE,
    "ruleset/unknown": grpc.StatusCode.NOT_FOUND,
    "seat/not_yours": grpc.StatusCode.PERMISSION_DENIED,
    "seat/others": grpc.StatusCode.PERMISSION_DENIED,
    "seat/unknown_persona": grpc.StatusCode.INVALID_ARGUMENT,
    "table/not_yours": grpc.StatusCode.PERMISSION_DENIED,
    "table/private": grpc.StatusCode.PERMISSION_DENIED,
    "table/unknown": grpc.StatusCode.NOT_FOUND,
}


def codes_written_in(*packages: Path) -> set[str]:
    """Every string of the form `family/what` in these packages."""
    files = [file for package in packages for file in package.glob("*.py")]
    strings = {
        node.value
        for file in files
        for node in ast.walk(ast.parse(file.read_text("utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }
    return {
        text
        for text in strings
        if text.partition("/")[0] in FAMILIES and text.replace("_", "").count("/") == 1
    }


ENGINE_CODES = codes_written_in(Path(shuangkou.engine.__path__[0]), Path(shuangkou.wire.__path__[0]))


@pytest.mark.parametrize("code", sorted(CODES | ENGINE_CODES))
def test_every_code_travels_under_the_status_of_its_kind(code: str) -> None:
    assert status_of(code) is OTHERS.get(code, FAMILIES[code.partition("/")[0]])


def test_the_codes_of_the_engine_were_found() -> None:
    assert {"seat/taken", "request/no_command", "state/stale_version"} <= ENGINE_CODES


def test_a_refusal_of_the_rules_names_cards_seat_and_version() -> None:
    error = IllegalCommand("cards/not_held", "no", (Card.S3, Card.BIG_JOKER), SEATS[0])
    message = refusal_of(error, 17)
    assert (message.code, message.explanation) == ("cards/not_held", "no")
    assert list(message.cards) == [cards_pb2.CARD_SPADE_3, cards_pb2.CARD_BIG_JOKER]
    assert (message.HasField("seat"), message.seat) == (True, 0)
    assert (message.HasField("head_version"), message.head_version) == (True, 17)


def test_what_does_not_concern_a_seat_names_none() -> None:
    message = refusal("request/malformed", "no")
    assert not message.HasField("seat")
    assert not message.HasField("head_version")
