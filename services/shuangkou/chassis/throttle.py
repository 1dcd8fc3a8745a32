"""How often one player may call: a bucket for each player and class of calls. Services are not held back."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from prometheus_client import Counter

from shuangkou.chassis.auth import CallerKind, Identity
from shuangkou.chassis.errors import TooFast

MOST_BUCKETS = 20_000
"""Buckets kept at most: beyond that the one unused for longest is taken for full."""
_READING = ("Get", "List")
_ROUNDING_SECONDS = 1e-6


class RpcClass(StrEnum):
    """What sort of call it is, by its form and name."""

    READ = "read"
    WRITE = "write"
    STREAM = "stream"


def class_of(method: str, is_stream: bool) -> RpcClass:
    """Streams; calls named Get… or List…; all others."""
    if is_stream:
        return RpcClass.STREAM
    return RpcClass.READ if method.startswith(_READING) else RpcClass.WRITE


@dataclass(frozen=True, slots=True)
class Rate:
    """So many calls a second in the long run, and at once those of ``burst_seconds``. 0: as many as come."""

    per_second: float
    burst_seconds: float


class Throttle:
    """The buckets of one process.

    A bucket is the moment at which it will be full again; one that is full need not be kept.
    """

    def __init__(
        self,
        rates: Mapping[RpcClass, Rate],
        refused: Counter,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """``refused`` counts by ``rpc_class``."""
        self._rates = {kind: rate for kind, rate in rates.items() if rate.per_second > 0}
        self._refused = {kind: refused.labels(kind) for kind in RpcClass}
        self._clock = clock
        self._full_at: OrderedDict[tuple[str, RpcClass], float] = OrderedDict()

    def __len__(self) -> int:
        return len(self._full_at)

    def admit(self, identity: Identity, kind: RpcClass) -> None:
        """Take one call out of the caller's bucket; TooFast, and nothing taken, where it is empty."""
        rate = self._rates.get(kind)
        if rate is None or identity.kind is CallerKind.SERVICE:
            return
        now, key = self._clock(), (identity.subject, kind)
        costs = 1 / rate.per_second
        full_at = max(self._full_at.get(key, now), now) + costs
        wait = full_at - now - max(rate.burst_seconds, costs)
        if wait > _ROUNDING_SECONDS:
            self._refused[kind].inc()
            raise TooFast("request/too_many", f"too many calls; try again in {wait:.2f} s", wait)
        self._full_at[key] = full_at
        self._full_at.move_to_end(key)
        self._forget(now)

    def _forget(self, now: float) -> None:
        for _ in range(2):
            oldest = next(iter(self._full_at))
            if self._full_at[oldest] > now and len(self._full_at) <= MOST_BUCKETS:
                return
            del self._full_at[oldest]
            if not self._full_at:
                return
