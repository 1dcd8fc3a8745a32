"""Chance inside of kernels: the same numbers for the same seed on every machine (splitmix64)."""

import hashlib
from typing import Any

import numpy as np
import numpy.typing as npt

from shuangkou.fastplay.kernel import kernel

Stream = npt.NDArray[np.uint64]
"""One word: where the stream is."""

_STEP = np.uint64(0x9E3779B97F4A7C15)
_FIRST = np.uint64(0xBF58476D1CE4E5B9)
_SECOND = np.uint64(0x94D049BB133111EB)
_HIGH = np.uint64(32)


def stream_of(seed: bytes) -> Stream:
    """A stream that follows from these bytes."""
    digest = hashlib.sha256(seed).digest()
    return np.array([int.from_bytes(digest[:8], "little")], dtype=np.uint64)


@kernel
def below(stream: Any, n: int) -> int:
    """A number from 0 to n - 1, n less than 2**32."""
    stream[0] += _STEP
    word = stream[0]
    word = (word ^ (word >> np.uint64(30))) * _FIRST
    word = (word ^ (word >> np.uint64(27))) * _SECOND
    word = word ^ (word >> np.uint64(31))
    number: Any = np.int64(((word >> _HIGH) * np.uint64(n)) >> _HIGH)
    return number


@kernel
def uniform(stream: Any) -> float:
    """A number from 0 to 1."""
    return below(stream, 1 << 30) / (1 << 30)
