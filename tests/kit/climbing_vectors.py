"""Recorded questions to the climbing rules with their answers."""

import json
from pathlib import Path
from typing import Any

_FILE = Path(__file__).parents[1] / "vectors" / "climbing_vectors.jsonl"


def climbing_vectors(variant: str) -> list[dict[str, Any]]:
    """Those of one game."""
    every = map(json.loads, _FILE.read_text("utf-8").splitlines())
    return [vector for vector in every if vector["variant"] == variant]
