"""Structured log lines on stderr: JSON for machines, text for people.

Bind what every later line of a task should carry with ``structlog.contextvars.bind_contextvars(table_id=…)``.
"""

from __future__ import annotations

import logging
import sys
from typing import Any

import structlog
from structlog.typing import EventDict, Processor

from shuangkou.chassis.settings import LogFormat, LogLevel
from shuangkou.chassis.trace import current_trace


def configure_logs(service: str, level: LogLevel, log_format: LogFormat) -> None:
    """Send this process's log lines, and those of libraries at WARNING and above, to stderr."""
    threshold = logging.getLevelNamesMapping()[level.upper()]
    shared: list[Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.processors.add_log_level,
        _ServiceName(service),
        _add_trace,
        structlog.processors.TimeStamper(fmt="iso", key="ts"),
        structlog.processors.format_exc_info,
    ]
    renderer: Processor = (
        structlog.processors.JSONRenderer(ensure_ascii=False)
        if log_format is LogFormat.JSON
        else structlog.dev.ConsoleRenderer(colors=sys.stderr.isatty(), timestamp_key="ts")
    )
    structlog.configure(
        processors=[*shared, renderer],
        wrapper_class=structlog.make_filtering_bound_logger(threshold),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
        cache_logger_on_first_use=False,
    )
    _capture_libraries(shared, renderer, max(threshold, logging.WARNING))


def logger() -> structlog.typing.FilteringBoundLogger:
    """The process's logger; ask for it where it is used, so that configuration made later counts."""
    made: structlog.typing.FilteringBoundLogger = structlog.get_logger()
    return made


def _capture_libraries(shared: list[Processor], renderer: Processor, threshold: int) -> None:
    formatter = structlog.stdlib.ProcessorFormatter(
        foreign_pre_chain=[structlog.stdlib.add_logger_name, *shared],
        processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, renderer],
    )
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(formatter)
    root = logging.getLogger()
    root.handlers = [handler]
    root.setLevel(threshold)


class _ServiceName:
    def __init__(self, service: str) -> None:
        self._service = service

    def __call__(self, _logger: Any, _method: str, line: EventDict) -> EventDict:
        line["service"] = self._service
        return line


def _add_trace(_logger: Any, _method: str, line: EventDict) -> EventDict:
    trace = current_trace()
    if trace is not None:
        line["trace_id"] = trace.trace_id
        line["span_id"] = trace.span_id
    return line
