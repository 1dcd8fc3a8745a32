"""What a player is told of a suite that does not answer, and of its return."""

from __future__ import annotations

from rich.text import Text

from shuangkou.cli.clients import sparingly
from shuangkou.cli.terminal import Terminal


class Outage:
    """Tells of trouble now and then, and once that it is over."""

    def __init__(self, terminal: Terminal) -> None:
        self._terminal = terminal
        self._is_told = False
        self._tell = sparingly(self._say_trouble)

    def trouble(self) -> None:
        """A call was not answered."""
        self._tell()

    def over(self) -> None:
        """A call was answered."""
        if self._is_told:
            self._is_told = False
            self._terminal.remark(Text("(the suite answers again 已恢复)", "dim"))

    def _say_trouble(self) -> None:
        self._is_told = True
        self._terminal.remark(Text("(the suite does not answer; trying again)", "dim"))
