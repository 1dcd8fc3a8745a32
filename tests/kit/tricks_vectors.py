"""Recorded questions to the trick-taking rules with their answers."""

import json
from pathlib import Path
from typing import Any

_FILE = Path(__file__).parents[1] / "vectors" / "tricks_vectors.jsonl"


def tricks_vectors(*kinds: str) -> list[dict[str, Any]]:
    """Those of these kinds, all of them where none is named."""
    every = map(json.loads, _FILE.read_text("utf-8").splitlines())
    return [vector for vector in every if not kinds or vector["kind"] in kinds]
