"""A refusal in the words of the screen."""

from __future__ import annotations

import re

import pytest

from shuangkou.cli.advice import SENTENCES, advise
from shuangkou.rules.errors import CODES
from shuangkou.rules.notation import parse_cards
from shuangkou.v1 import errors_pb2, table_pb2
from shuangkou.wire.cards import cards_to_wire

ENGINES_WORDS = "seat 0 cannot play 7h on 5d 6s of seat 1: single 1x1 7 does not beat the top play"
VIEW = table_pb2.SeatView(
    climbing=table_pb2.ClimbingView(
        trick=[
            table_pb2.Play(seat=0, cards=cards_to_wire(parse_cards("4s"))),
            table_pb2.Play(seat=1, cards=cards_to_wire(parse_cards("Kd"))),
            table_pb2.Play(seat=2),
        ]
    )
)


def refusal(code: str, cards: str = "7h") -> errors_pb2.Refusal:
    return errors_pb2.Refusal(
        code=code, explanation=ENGINES_WORDS, cards=cards_to_wire(parse_cards(cards)), seat=0
    )


def test_what_does_not_beat_is_said_in_faces_and_seat_names() -> None:
    assert advise(refusal("climbing/does_not_beat"), VIEW) == (
        "♥7 does not beat ♦K of South 南; type legal to see what does, or pass · 压不过南的♦K"
    )


@pytest.mark.parametrize("code", sorted(SENTENCES))
@pytest.mark.parametrize("view", [VIEW, table_pb2.SeatView()])
def test_a_known_refusal_is_one_line_in_both_languages(code: str, view: table_pb2.SeatView) -> None:
    said = advise(refusal(code, "Th 3c LJ"), view)
    english, _, chinese = said.rpartition(" · ")
    assert re.search(r"[a-z]{2}", english)
    assert re.search(r"[\u4e00-\u9fff]", chinese)
    for foreign in ("\n", "{", "seat 0", "seat 1", "7h", "Th", "1x1"):
        assert foreign not in said


@pytest.mark.parametrize("code", ["climbing/new_in_a_later_engine", ""])
def test_an_unknown_refusal_is_explained_by_the_engine(code: str) -> None:
    assert advise(refusal(code), VIEW) == ENGINES_WORDS


def test_every_refusal_that_a_player_can_provoke_has_a_sentence() -> None:
    of_the_engine_alone = {
        "state/bad_seed",
        "state/deal_in_progress",
        "seat/no_such_seat",
        "tricks/no_time_limit",
    }
    assert CODES - SENTENCES.keys() == of_the_engine_alone
