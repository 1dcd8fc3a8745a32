"""How hard a bot thinks."""

from enum import StrEnum


class Tier(StrEnum):
    """From the weakest to the strongest. BEGINNER: the rule policy with a player's slips. INSTANT: the rule
    policy. STRONG: guarded search over it, within a budget of time."""

    BEGINNER = "beginner"
    INSTANT = "instant"
    STRONG = "strong"


class BadBudget(ValueError):
    """A search cannot have this budget."""


MOST_BUDGET_MS = 10_000.0


def check_budget(budget_ms: float) -> float:
    """The same number of milliseconds; BadBudget unless it is above zero and at most MOST_BUDGET_MS."""
    if not 0 < budget_ms <= MOST_BUDGET_MS:
        raise BadBudget(f"a budget is above 0 and at most {MOST_BUDGET_MS:g} ms, not {budget_ms:g}")
    return budget_ms
