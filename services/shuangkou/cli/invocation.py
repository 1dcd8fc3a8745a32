"""How this command was started, so that what it suggests can be typed as it stands."""

from __future__ import annotations

import os
import shlex
import shutil
import sys
from pathlib import Path
from typing import Final

PROGRAM: Final = "shuangkou"


def suggestion(command: str, folder: Path | None = None) -> str:
    """A command line for the person at the terminal; ``folder`` is that of the suite, None the usual one."""
    where = "" if folder is None else f" --data {shlex.quote(str(folder))}"
    return f"{_program()} {command}{where}"


def _program() -> str:
    words, started = sys.orig_argv, Path(sys.argv[0])
    if "-m" in words and words[words.index("-m") + 1].startswith(PROGRAM):
        return shlex.join([_short(Path(words[0])), *words[1 : words.index("-m") + 2]])
    on_path = shutil.which(PROGRAM)
    is_on_path = on_path is not None and started.exists() and os.path.samefile(on_path, started)
    return PROGRAM if is_on_path or started.name != PROGRAM else shlex.quote(_short(started))


def _short(program: Path) -> str:
    """From here where it lies under here, else as it was given."""
    if program.is_absolute() and program.is_relative_to(Path.cwd()):
        return str(program.relative_to(Path.cwd()))
    return str(program)
