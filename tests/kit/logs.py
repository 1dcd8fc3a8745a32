"""Log configuration that ends with the test."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
import structlog


@pytest.fixture
def own_logs(capsys: pytest.CaptureFixture[str]) -> Iterator[None]:
    """Forget, after the test, how it configured logs: they would go to the stderr captured for it."""
    with logs_of_before():
        yield


@contextmanager
def logs_of_before() -> Iterator[None]:
    """However logs are configured in the block, they are afterwards as they were."""
    root = logging.getLogger()
    handlers, level = list(root.handlers), root.level
    try:
        yield
    finally:
        structlog.reset_defaults()
        root.handlers = handlers
        root.setLevel(level)


@contextmanager
def without_late_completions() -> Iterator[None]:
    """Not logged in the block: that a call of an earlier event loop ended after that loop.

    gRPC has one completion queue for all loops of a process. Only tests have several, one for each command
    that they run in their own process: the last completion of one may be handed out in the loop of the next.
    """
    log = logging.getLogger("asyncio")
    log.addFilter(_is_no_late_completion)
    try:
        yield
    finally:
        log.removeFilter(_is_no_late_completion)


def _is_no_late_completion(record: logging.LogRecord) -> bool:
    error = record.exc_info[1] if record.exc_info else None
    return not (
        isinstance(error, RuntimeError)
        and str(error) == "Event loop is closed"
        and "PollerCompletionQueue._handle_events" in record.getMessage()
    )
