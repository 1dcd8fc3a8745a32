"""Log lines for machines and for people."""

from __future__ import annotations

import json
import logging

import pytest
import structlog

from shuangkou.chassis.logs import configure_logs, logger
from shuangkou.chassis.settings import LogFormat, LogLevel
from shuangkou.chassis.trace import enter_trace

pytestmark = pytest.mark.usefixtures("own_logs")


def lines(capsys: pytest.CaptureFixture[str]) -> list[dict[str, object]]:
    return [json.loads(line) for line in capsys.readouterr().err.splitlines()]


def test_a_line_carries_service_trace_and_what_is_bound(capsys: pytest.CaptureFixture[str]) -> None:
    configure_logs("engine", LogLevel.INFO, LogFormat.JSON)
    trace = enter_trace(None)
    with structlog.contextvars.bound_contextvars(table_id="t1"):
        logger().info("act", 牌="双扣")
    (line,) = lines(capsys)
    assert line.pop("ts")
    assert line == {
        "event": "act",
        "level": "info",
        "service": "engine",
        "table_id": "t1",
        "trace_id": trace.trace_id,
        "span_id": trace.span_id,
        "牌": "双扣",
    }


def test_less_severe_lines_are_left_out(capsys: pytest.CaptureFixture[str]) -> None:
    configure_logs("engine", LogLevel.WARNING, LogFormat.JSON)
    logger().info("quiet")
    logger().warning("loud")
    assert [line["event"] for line in lines(capsys)] == ["loud"]


def test_a_library_s_warning_is_a_line_of_ours(capsys: pytest.CaptureFixture[str]) -> None:
    configure_logs("engine", LogLevel.DEBUG, LogFormat.JSON)
    logging.getLogger("some.library").warning("careful with %s", "that")
    logging.getLogger("some.library").info("chatter")
    (line,) = lines(capsys)
    assert (line["event"], line["logger"], line["service"]) == ("careful with that", "some.library", "engine")


def test_an_exception_is_on_its_line(capsys: pytest.CaptureFixture[str]) -> None:
    configure_logs("engine", LogLevel.INFO, LogFormat.JSON)
    try:
        raise RuntimeError("boom")
    except RuntimeError:
        logger().exception("failed")
    (line,) = lines(capsys)
    assert "RuntimeError: boom" in str(line["exception"])


def test_people_read_text(capsys: pytest.CaptureFixture[str]) -> None:
    configure_logs("engine", LogLevel.INFO, LogFormat.TEXT)
    logger().info("act", table_id="t1")
    shown = capsys.readouterr().err
    assert "act" in shown
    assert "table_id=t1" in shown
