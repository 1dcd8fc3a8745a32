"""Safeguards that a service can be made to go without, to show that the checker sees it."""

from __future__ import annotations

from typing import Final

MODULE: Final = "kit.chaos.mutant"

MUTATED: Final = {
    "unchecked": "engine",
    "early": "engine",
    "credulous": "engine",
    "forgetful": "engine",
    "deaf": "engine",
    "indiscreet": "engine",
    "double": "scoring",
}
"""By its name, the service that goes without it. MODULE says what each of them does."""
