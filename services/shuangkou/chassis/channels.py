"""How a client reaches several replicas so that the death of one costs it next to nothing.

Every request of ours reads, or carries an id under which a repeat gets the first answer, so each may be sent
again. docs/clients.md says the same to those who write clients in other languages.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from random import uniform
from typing import Final

_SERVICE_CONFIG: Final = {
    "loadBalancingConfig": [{"round_robin": {}}],
    "methodConfig": [
        {
            "name": [{}],
            "retryPolicy": {
                "maxAttempts": 5,
                "initialBackoff": "0.01s",
                "maxBackoff": "0.3s",
                "backoffMultiplier": 3,
                "retryableStatusCodes": ["UNAVAILABLE"],
            },
        }
    ],
}

CHANNEL_OPTIONS: Final = (
    # Spreads calls over all addresses, leaves out dead ones, and repeats on another what one left unanswered.
    ("grpc.service_config", json.dumps(_SERVICE_CONFIG)),
    # A replica that was killed is back in a second or two; the default waits up to two minutes.
    ("grpc.initial_reconnect_backoff_ms", 50),
    ("grpc.min_reconnect_backoff_ms", 1_000),
    ("grpc.max_reconnect_backoff_ms", 1_000),
    # Finds a machine that went silent; more often would be against the servers' limit.
    ("grpc.keepalive_time_ms", 30_000),
    ("grpc.keepalive_timeout_ms", 5_000),
    ("grpc.enable_http_proxy", 0),
)
"""Options of a channel to one replica or to many."""

_FIRST_ATTEMPT: Final = 2.0
_LONGEST_ATTEMPT: Final = 8.0
_FIRST_PAUSE: Final = 0.02
_LONGEST_PAUSE: Final = 0.5


@dataclass(frozen=True, slots=True)
class Attempt:
    """How long a replica gets to answer, for one that froze takes no leave, and the pause after a failure.

    Both in seconds.
    """

    seconds: float
    pause: float


def target_of(addresses: Iterable[str]) -> str:
    """The gRPC target of these addresses, HOST:PORT with numeric hosts."""
    return f"ipv4:{','.join(addresses)}"


def attempts() -> Iterator[Attempt]:
    """One after the other, without end: the second at once, later ones after longer pauses."""
    seconds, pause = _FIRST_ATTEMPT, _FIRST_PAUSE
    yield Attempt(seconds, 0.0)
    while True:
        seconds, pause = min(seconds * 2, _LONGEST_ATTEMPT), min(pause * 2, _LONGEST_PAUSE)
        yield Attempt(seconds, uniform(pause / 2, pause))
