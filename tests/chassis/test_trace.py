"""W3C trace context."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shuangkou.chassis.trace import Trace, current_trace, enter_trace, parse_traceparent


def hex_of(digits: int) -> st.SearchStrategy[str]:
    return st.integers(1, 16**digits - 1).map(lambda number: f"{number:0{digits}x}")


@given(trace=st.builds(Trace, hex_of(32), hex_of(16), hex_of(2)))
def test_a_traceparent_reads_back(trace: Trace) -> None:
    assert parse_traceparent(trace.traceparent) == trace


@given(trace=st.builds(Trace, hex_of(32), hex_of(16)))
def test_a_span_is_a_child_in_the_same_trace(trace: Trace) -> None:
    child = enter_trace(trace.traceparent)
    assert current_trace() is child
    assert child.trace_id == trace.trace_id
    assert child.span_id != trace.span_id


@pytest.mark.parametrize(
    "text",
    [
        "",
        "00",
        "00-" + "0" * 32 + "-" + "b" * 16 + "-01",
        "00-" + "a" * 32 + "-" + "0" * 16 + "-01",
        "00-" + "A" * 32 + "-" + "b" * 16 + "-01",
        "ff-" + "a" * 32 + "-" + "b" * 16 + "-01",
    ],
)
def test_what_is_no_traceparent_begins_a_new_trace(text: str) -> None:
    assert parse_traceparent(text) is None
    assert parse_traceparent(enter_trace(text).traceparent) is not None


@given(text=st.text(max_size=80))
def test_any_text_begins_or_continues_a_trace(text: str) -> None:
    assert parse_traceparent(enter_trace(text).traceparent) == current_trace()
