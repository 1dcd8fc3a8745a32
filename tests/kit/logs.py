"""Log configuration that ends with the test."""

from __future__ import annotations

import logging
from collections.abc import Iterator

import pytest
import structlog


@pytest.fixture
def own_logs(capsys: pytest.CaptureFixture[str]) -> Iterator[None]:
    """Forget, after the test, how it configured logs: they would go to the stderr captured for it."""
    root = logging.getLogger()
    handlers, level = list(root.handlers), root.level
    yield
    structlog.reset_defaults()
    root.handlers = handlers
    root.setLevel(level)
