"""`shuangkou vectors`: recorded questions to the rules, put again."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from rich.text import Text

from shuangkou.cli.columns import rows
from shuangkou.cli.problem import BAD_INPUT, FAILED, Problem
from shuangkou.cli.terminal import Terminal
from shuangkou.rules.vectors import Verdict, run_vector

UNSUPPORTED: Final = 3


def run_files(files: Sequence[Path], terminal: Terminal) -> int:
    """Run every vector, print each mismatch and what is not supported; the exit code says which there were.

    Problem for a file or a line that cannot be read, before any vector is run.
    """
    vectors = [vector for file in files for vector in _read(file)]
    verdicts: Counter[Verdict] = Counter()
    unsupported: Counter[tuple[str, str]] = Counter()
    for vector in vectors:
        outcome = run_vector(vector)
        verdicts[outcome.verdict] += 1
        if outcome.verdict is Verdict.MISMATCH:
            terminal.record(Text(f"{vector.get('id', '(no id)')}: {outcome.detail}", "red"))
        elif outcome.verdict is Verdict.UNSUPPORTED:
            unsupported[str(vector.get("variant")), str(vector.get("kind"))] += 1
    _say_unsupported(unsupported, terminal)
    counts = ", ".join(f"{verdicts[verdict]} {_WORDS[verdict]}" for verdict in Verdict)
    terminal.say(Text(f"{len(vectors)} vectors: {counts}", "bold"))
    if verdicts[Verdict.MISMATCH]:
        return FAILED
    return UNSUPPORTED if unsupported else 0


_WORDS = {Verdict.OK: "ok", Verdict.MISMATCH: "mismatched", Verdict.UNSUPPORTED: "not supported"}


def _say_unsupported(unsupported: Counter[tuple[str, str]], terminal: Terminal) -> None:
    if not unsupported:
        return
    terminal.say("not supported:")
    table = [[variant, kind, str(count)] for (variant, kind), count in sorted(unsupported.items())]
    for line in rows(table, numeric=frozenset((2,))):
        terminal.say(line)


def _read(file: Path) -> Iterator[dict[str, Any]]:
    try:
        text = file.read_text("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise Problem(f"cannot read {file}: {getattr(error, 'strerror', None) or error}", BAD_INPUT) from None
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            yield _vector(line, f"{file}, line {number}")


def _vector(line: str, place: str) -> dict[str, Any]:
    try:
        vector = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise Problem(f"{place}: not JSON: {error}", BAD_INPUT) from None
    if not isinstance(vector, dict):
        raise Problem(f"{place}: expected a JSON object, got {type(vector).__name__}", BAD_INPUT)
    return vector
