"""What processes are asked side by side: they must find these functions by their module."""

import os
import signal


def squared(number: int) -> int:
    return number * number


def nothing() -> None:
    """Nothing has to be made ready."""


def kept_waiting(number: int) -> int:
    """Answers the first question, and never another."""
    while number:
        signal.pause()
    return os.getpid()
