"""Page tokens continue the question they were made for, and nothing else."""

from __future__ import annotations

from base64 import urlsafe_b64encode

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shuangkou.scoring.bookmark import (
    BadBookmark,
    LeaderboardBookmark,
    SettlementsBookmark,
    page_token,
    read_page_token,
)

INT64 = st.integers(-(2**63), 2**63 - 1)
TEXT = st.text(max_size=40)
PLAYERS = st.text(st.characters(exclude_characters="\0", codec="utf-8"), min_size=1, max_size=40)


@given(TEXT, INT64, INT64, PLAYERS)
def test_a_token_brings_its_bookmark_back(question: str, points: int, since: int, player_id: str) -> None:
    bookmark = LeaderboardBookmark(question=question, points=points, achieved_ms=since, player_id=player_id)
    assert read_page_token(LeaderboardBookmark, page_token(bookmark), question) == bookmark


@given(TEXT, TEXT)
def test_a_token_of_another_question_is_refused(question: str, other: str) -> None:
    token = page_token(SettlementsBookmark(question=question, settled_ms=1, deal_id=2))
    if other != question:
        with pytest.raises(BadBookmark):
            read_page_token(SettlementsBookmark, token, other)


@given(
    st.text(min_size=1, max_size=80) | st.binary(min_size=1).map(lambda raw: urlsafe_b64encode(raw).decode())
)
def test_garbage_is_refused(token: str) -> None:
    with pytest.raises(BadBookmark):
        read_page_token(SettlementsBookmark, token, "")


@pytest.mark.parametrize(
    "forged",
    [
        '{"question":"q","settled_ms":9223372036854775808,"deal_id":1}',
        '{"question":"q","settled_ms":1.5,"deal_id":1}',
        '{"question":"q","settled_ms":"1","deal_id":1}',
        '{"question":"q","settled_ms":true,"deal_id":1}',
        '{"question":"q","settled_ms":1}',
        '{"question":"q","settled_ms":1,"deal_id":1,"more":1}',
        '{"question":"q","settled_ms":1,"deal_id":1}' + " " * 5000,
    ],
)
def test_what_no_database_could_hold_is_refused(forged: str) -> None:
    with pytest.raises(BadBookmark):
        read_page_token(SettlementsBookmark, urlsafe_b64encode(forged.encode()).decode(), "q")


def test_an_empty_token_asks_for_the_first_page() -> None:
    assert read_page_token(SettlementsBookmark, "", "anything") is None
