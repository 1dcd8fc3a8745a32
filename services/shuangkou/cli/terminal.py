"""Where commands print: colours on a terminal, lines that fit it, nothing that commands it."""

from __future__ import annotations

import io
import sys
import unicodedata
from typing import NoReturn

from rich.console import Console
from rich.text import Text

from shuangkou.cli.folding import folded
from shuangkou.cli.problem import Problem


class OutputLost(Problem):
    """What was to be printed cannot be written, as on a full disk."""


class _Output(Console):
    """Leaves a broken pipe to its user: rich would end the process from wherever it prints."""

    def on_broken_pipe(self) -> NoReturn:
        raise BrokenPipeError


class Terminal:
    """Standard output for the answer, standard error for what is said about it.

    Every printing may raise BrokenPipeError or OutputLost.
    """

    def __init__(self) -> None:
        for stream in (sys.stdout, sys.stderr):
            if isinstance(stream, io.TextIOWrapper):
                # A terminal without our suit symbols shows question marks, it does not end the command.
                stream.reconfigure(errors="replace")
        self.out = _Output(soft_wrap=True, highlight=False, markup=False, emoji=False)
        self.err = _Output(soft_wrap=True, highlight=False, markup=False, emoji=False, stderr=True)
        self._prompts = sys.stdin.isatty() and sys.stdout.isatty()
        self._at_prompt = False

    def say(self, line: Text | str = "") -> None:
        """Some of the answer for a person, in lines that fit."""
        self._leave_prompt()
        _print(self.out, line, fits=True)

    def record(self, line: Text | str) -> None:
        """One line of the answer that a program may read: it fits on a terminal, and is whole in a pipe."""
        self._leave_prompt()
        _print(self.out, line, fits=self.out.is_terminal)

    def whole(self, line: Text | str) -> None:
        """A line to be copied: never broken."""
        self._leave_prompt()
        _print(self.out, line, fits=False)

    def remark(self, line: Text | str) -> None:
        """One line about the answer."""
        self._leave_prompt()
        _print(self.err, line, fits=self.err.is_terminal)

    def prompt(self) -> None:
        """Ask a person for a line; what is said next starts on a line of its own."""
        if self._prompts and not self._at_prompt:
            _print(self.out, "> ", fits=False, end="")
            self._at_prompt = True

    def typed(self, line: str) -> None:
        """A line has been typed: a terminal shows it by itself, in a pipe it is shown here."""
        self._at_prompt = False
        if not self._prompts:
            _print(self.out, f"> {line}", fits=False)

    def _leave_prompt(self) -> None:
        if self._at_prompt:
            self._at_prompt = False
            _print(self.out, "", fits=False)


def _print(console: Console, line: Text | str, *, fits: bool, end: str = "\n") -> None:
    text = _visible(line)
    try:
        console.print(Text("\n").join(folded(text, console.width)) if fits else text, end=end)
    except BrokenPipeError:
        raise
    except OSError as error:
        raise OutputLost(f"cannot print: {error.strerror}") from None


def _visible(line: Text | str) -> Text:
    """The line without characters that a terminal obeys instead of showing them."""
    text = line.copy() if isinstance(line, Text) else Text(line)
    text.plain = "".join(_visible_character(character) for character in text.plain)
    return text


def _visible_character(character: str) -> str:
    obeyed = unicodedata.category(character) in ("Cc", "Cf") and character != "\n"
    return "\N{REPLACEMENT CHARACTER}" if obeyed else character
