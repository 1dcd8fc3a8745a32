"""What a player reads of the clock, at the prompt and as it is told."""

from __future__ import annotations

import pytest

from shuangkou.cli.clock_words import clock_words, seconds
from shuangkou.cli.narrator import Narrator
from shuangkou.cli.phrases import commit_phrase
from shuangkou.v1.events_pb2 import Commit, Event, Next, TimeBankUsed, TimeCredited

NOW = 1_700_000_000_000
USED = Event(time_bank_used=TimeBankUsed(seat=0, used_ms=3_400, left_ms=11_600))
CREDITED = Event(time_credited=TimeCredited(credited_ms=61_000))


def told(turn_ms: int, deadline_ms: int) -> str:
    clock = Next(turn_ms=NOW + turn_ms, deadline_ms=NOW + deadline_ms)
    return clock_words(clock, NOW).replace("\N{NO-BREAK SPACE}", " ")


@pytest.mark.parametrize(
    ("turn_ms", "deadline_ms", "words"),
    [
        (20_000, 35_000, "20 s + 15 s time bank 加时"),
        (19_001, 34_001, "20 s + 15 s time bank 加时"),
        (-1_000, 14_000, "14 s left of the time bank 加时"),
        (20_000, 20_000, "20 s"),
        (20_000, 5_000, "5 s"),
        (-20_000, -5_000, "0 s"),
    ],
)
def test_the_prompt_tells_of_the_turn_and_the_bank_after_it(
    turn_ms: int, deadline_ms: int, words: str
) -> None:
    assert told(turn_ms, deadline_ms) == words


def test_an_engine_that_knows_no_time_bank_has_one_deadline() -> None:
    assert clock_words(Next(deadline_ms=NOW + 20_000), NOW) == seconds(20_000)


def test_nothing_is_said_where_time_does_not_count() -> None:
    assert clock_words(Next(), NOW) == ""


@pytest.mark.parametrize(("event", "words"), [(USED, ("4", "12", "加时")), (CREDITED, ("61", "补时"))])
def test_overtime_and_credits_are_told_to_players_and_analysts(event: Event, words: tuple[str, ...]) -> None:
    commit = Commit(events=[event])
    lines = "\n".join(str(line) for line in Narrator({}, viewer=0).tell(commit))
    for text in (lines, commit_phrase(commit)):
        assert all(word in text for word in words), text
