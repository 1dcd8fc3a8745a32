"""Page tokens continue the question they were made for, and nothing else."""

from __future__ import annotations

from base64 import urlsafe_b64decode, urlsafe_b64encode

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shuangkou.scoring.bookmark import (
    BadBookmark,
    BoardBookmark,
    PageTokens,
    SettlementsBookmark,
)

INT64 = st.integers(-(2**63), 2**63 - 1)
TEXT = st.text(max_size=40).map(repr)
PLAYERS = st.text(st.characters(exclude_characters="\0", codec="utf-8"), min_size=1, max_size=40)
OURS = PageTokens(bytes(32))
MARK = SettlementsBookmark(settled_ms=1, table_id="t1", number=2)


@given(TEXT, INT64, INT64, PLAYERS)
def test_a_token_brings_its_bookmark_back(question: str, points: int, since: int, player_id: str) -> None:
    bookmark = BoardBookmark(
        score=points, since_ms=since, name=player_id, place=3, rank=2, backwards=since < 0
    )
    assert OURS.bookmark(BoardBookmark, OURS.token(bookmark, question), question) == bookmark


@given(TEXT, TEXT)
def test_a_token_of_another_question_is_refused(question: str, other: str) -> None:
    if other != question:
        with pytest.raises(BadBookmark):
            OURS.bookmark(SettlementsBookmark, OURS.token(MARK, question), other)


@given(st.integers(0, 10_000), st.characters(codec="ascii"))
def test_a_token_of_which_any_character_was_changed_is_refused(place: int, character: str) -> None:
    token = OURS.token(MARK, "q")
    place %= len(token)
    damaged = token[:place] + character + token[place + 1 :]
    if damaged != token:
        with pytest.raises(BadBookmark):
            OURS.bookmark(SettlementsBookmark, damaged, "q")


def test_a_token_that_was_cut_or_grew_is_refused() -> None:
    token = OURS.token(MARK, "q")
    for damaged in (*(token[:end] for end in range(1, len(token))), token + "A", token + "=", token + "\n"):
        with pytest.raises(BadBookmark):
            OURS.bookmark(SettlementsBookmark, damaged, "q")


def test_a_token_of_another_ledger_is_refused() -> None:
    forged = PageTokens(bytes(31) + b"1").token(MARK, "q")
    with pytest.raises(BadBookmark):
        OURS.bookmark(SettlementsBookmark, forged, "q")


@given(
    st.text(min_size=1, max_size=80) | st.binary(min_size=1).map(lambda raw: urlsafe_b64encode(raw).decode())
)
def test_garbage_is_refused(token: str) -> None:
    with pytest.raises(BadBookmark):
        OURS.bookmark(SettlementsBookmark, token, "")


@pytest.mark.parametrize(
    "forged",
    [
        '{"settled_ms":9223372036854775808,"table_id":"t1","number":1}',
        '{"settled_ms":1.5,"table_id":"t1","number":1}',
        '{"settled_ms":"1","table_id":"t1","number":1}',
        '{"settled_ms":true,"table_id":"t1","number":1}',
        '{"settled_ms":1}',
        '{"settled_ms":1,"table_id":"nul\\u0000","number":1}',
        '{"settled_ms":1,"table_id":"t1","number":1,"more":1}',
    ],
)
def test_what_no_database_could_hold_is_no_bookmark(forged: str) -> None:
    with pytest.raises(ValueError, match="validation error"):
        SettlementsBookmark.model_validate_json(forged)


def test_a_token_that_is_endless_is_refused() -> None:
    with pytest.raises(BadBookmark):
        OURS.bookmark(SettlementsBookmark, OURS.token(MARK, "q") + "A" * 5000, "q")


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_a_rating_comes_back_as_it_was(value: float) -> None:
    bookmark = BoardBookmark(score=value, since_ms=1, name="p", place=1, rank=1)
    back = OURS.bookmark(BoardBookmark, OURS.token(bookmark, "q"), "q")
    assert back is not None
    assert back.score == value


def test_a_token_tells_nothing_of_the_place_that_it_holds() -> None:
    """Nor does it change: the same page asked for again has the same token."""
    token = OURS.token(BoardBookmark(score=7, since_ms=1, name="alice", place=1, rank=1), "q")
    told = urlsafe_b64decode(token + "=" * (-len(token) % 4))
    assert not any(word in told for word in (b"alice", b"score", b"since_ms"))
    assert token == OURS.token(BoardBookmark(score=7, since_ms=1, name="alice", place=1, rank=1), "q")


def test_an_empty_token_asks_for_the_first_page() -> None:
    assert OURS.bookmark(SettlementsBookmark, "", "anything") is None
    assert OURS.token(None, "anything") == ""
