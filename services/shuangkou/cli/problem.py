"""What goes wrong for the person at the terminal: one line that says what to do."""

from __future__ import annotations

from typing import Final

FAILED: Final = 1
BAD_INPUT: Final = 2
INTERRUPTED: Final = 130


def first_of(failures: BaseExceptionGroup[BaseException]) -> BaseException:
    """The failure that came first of several that happened together."""
    first = failures.exceptions[0]
    return first_of(first) if isinstance(first, BaseExceptionGroup) else first


class Problem(Exception):
    """A command cannot go on; the message is what its user reads."""

    def __init__(self, message: str, exit_code: int = FAILED) -> None:
        super().__init__(message)
        self.exit_code = exit_code
