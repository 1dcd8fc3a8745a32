"""What every test area shares: real parts from the kit, and how many examples a law is tried with."""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

pytest_plugins = ["kit.keys", "kit.logs", "kit.nats", "kit.engines"]

# A loaded machine is no bug, so neither an example's duration nor slow data generation fails a law.
_patient = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])

settings.register_profile("default", _patient, max_examples=60)
settings.register_profile("thorough", _patient, max_examples=2000)
settings.load_profile("default")

# Bots that a test meets in a whole suite do not pause as they do for people.
os.environ.setdefault("SHUANGKOU_THINKING", "0")
