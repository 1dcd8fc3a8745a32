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
