"""Page tokens continue the question they were made for, and nothing else."""

from __future__ import annotations

from base64 import urlsafe_b64encode

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shuangkou.scoring.bookmark import (
    BadBookmark,
    BoardBookmark,
    SettlementsBookmark,
    page_token,
    read_page_token,
)

INT64 = st.integers(-(2**63), 2**63 - 1)
TEXT = st.text(max_size=40)
PLAYERS = st.text(st.characters(exclude_characters="\0", codec="utf-8"), min_size=1, max_size=40)


@given(TEXT, INT64, INT64, PLAYERS)
def test_a_token_brings_its_bookmark_back(question: str, points: int, since: int, player_id: str) -> None:
    bookmark = BoardBookmark(
        question=question, score=points, since_ms=since, name=player_id, place=3, rank=2, backwards=since < 0
    )
    assert read_page_token(BoardBookmark, page_token(bookmark), question) == bookmark


@given(TEXT, TEXT)
def test_a_token_of_another_question_is_refused(question: str, other: str) -> None:
    token = page_token(SettlementsBookmark(question=question, settled_ms=1, table_id="t1", number=2))
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
        '{"question":"q","settled_ms":9223372036854775808,"table_id":"t1","number":1}',
        '{"question":"q","settled_ms":1.5,"table_id":"t1","number":1}',
        '{"question":"q","settled_ms":"1","table_id":"t1","number":1}',
        '{"question":"q","settled_ms":true,"table_id":"t1","number":1}',
        '{"question":"q","settled_ms":1}',
        '{"question":"q","settled_ms":1,"table_id":"nul\\u0000","number":1}',
        '{"question":"q","settled_ms":1,"table_id":"t1","number":1,"more":1}',
        '{"question":"q","settled_ms":1,"table_id":"t1","number":1}' + " " * 5000,
    ],
)
def test_what_no_database_could_hold_is_refused(forged: str) -> None:
    with pytest.raises(BadBookmark):
        read_page_token(SettlementsBookmark, urlsafe_b64encode(forged.encode()).decode(), "q")


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_a_rating_comes_back_as_it_was(value: float) -> None:
    bookmark = BoardBookmark(question="q", score=value, since_ms=1, name="p", place=1, rank=1)
    back = read_page_token(BoardBookmark, page_token(bookmark), "q")
    assert back is not None
    assert back.score == value


def test_an_empty_token_asks_for_the_first_page() -> None:
    assert read_page_token(SettlementsBookmark, "", "anything") is None
