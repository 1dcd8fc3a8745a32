"""What every test area shares: real parts from the kit, and how many examples a law is tried with."""

from __future__ import annotations

import os
from collections import Counter

import pytest
from hypothesis import HealthCheck, settings

pytest_plugins = ["kit.keys", "kit.logs", "kit.nats", "kit.engines"]

# A loaded machine is no bug, so neither an example's duration nor slow data generation fails a law.
_patient = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])

settings.register_profile("default", _patient, max_examples=60)
settings.register_profile("thorough", _patient, max_examples=2000)
settings.load_profile("default")

# Bots that a test meets in a whole suite do not pause as they do for people.
os.environ.setdefault("SHUANGKOU_THINKING", "0")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """What was not run, and why, in one line before the closing one: a skipped check must not go unseen."""
    reasons: Counter[str] = Counter()
    for report in terminalreporter.stats.get("skipped", ()):
        told = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
        reasons[told.removeprefix("Skipped: ")] += 1
    if reasons:
        told = "; ".join(f"{number} because {reason}" for reason, number in reasons.most_common())
        terminalreporter.write_line(f"NOT RUN: {told}", yellow=True)
