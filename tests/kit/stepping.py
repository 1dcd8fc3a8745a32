"""Coroutines that are moved on one step at a time, in any order, and left off anywhere as by a crash."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Generator
from dataclasses import dataclass, field
from types import coroutine
from typing import Any


@coroutine
def turn() -> Generator[None, None, None]:
    """Let others go first."""
    yield


@dataclass(eq=False, slots=True)
class Stepper:
    """One coroutine; ``owner`` is the replica that it dies with."""

    owner: int
    work: Coroutine[Any, Any, object]
    on_end: Callable[[object], None]
    expected: tuple[type[Exception], ...]
    is_over: bool = field(default=False)

    def step(self) -> None:
        """Go on to the next turn; tell the result, or the expected exception, at the end."""
        try:
            self.work.send(None)
        except StopIteration as end:
            self.is_over = True
            self.on_end(end.value)
        except self.expected as error:
            self.is_over = True
            self.on_end(error)

    def crash(self) -> None:
        """Never go on."""
        self.is_over = True
        self.work.close()
