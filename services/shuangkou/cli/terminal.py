"""Where commands print: colours on a terminal, plain lines in a pipe, never a line broken in two."""

from __future__ import annotations

import io
import sys

from rich.console import Console
from rich.text import Text


class Terminal:
    """Standard output for the answer, standard error for what is said about it."""

    def __init__(self) -> None:
        for stream in (sys.stdout, sys.stderr):
            if isinstance(stream, io.TextIOWrapper):
                # A terminal without our suit symbols shows question marks, it does not end the command.
                stream.reconfigure(errors="replace")
        self.out = Console(soft_wrap=True, highlight=False, markup=False, emoji=False)
        self.err = Console(soft_wrap=True, highlight=False, markup=False, emoji=False, stderr=True)
        self._prompts = sys.stdin.isatty() and sys.stdout.isatty()
        self._at_prompt = False

    def say(self, line: Text | str = "") -> None:
        """One line of the answer."""
        self._leave_prompt()
        self.out.print(line)

    def remark(self, line: Text | str) -> None:
        """One line about the answer."""
        self._leave_prompt()
        self.err.print(line)

    def prompt(self) -> None:
        """Ask a person for a line; what is said next starts on a line of its own."""
        if self._prompts and not self._at_prompt:
            self.out.print("> ", end="")
            self._at_prompt = True

    def typed(self, line: str) -> None:
        """A line has been typed: a terminal shows it by itself, in a pipe it is shown here."""
        self._at_prompt = False
        if not self._prompts:
            self.out.print(f"> {line}")

    def _leave_prompt(self) -> None:
        if self._at_prompt:
            self._at_prompt = False
            self.out.print()
