"""Every recorded question to the trick-taking rules."""

import pytest

from kit.tricks_vectors import tricks_vectors
from shuangkou.rules.ruleset import available
from shuangkou.rules.tricks.vectors import ANSWERS
from shuangkou.rules.vectors import Outcome, Verdict, run_vector


@pytest.mark.parametrize("vector", [pytest.param(vector, id=vector["id"]) for vector in tricks_vectors()])
def test_recorded_vectors(vector: dict[str, object]) -> None:
    assert run_vector(vector) == Outcome(Verdict.OK)


def test_vectors_ask_everything_of_every_game() -> None:
    assert {vector["variant"] for vector in tricks_vectors()} == set(available("tricks"))
    assert {vector["kind"] for vector in tricks_vectors()} == set(ANSWERS)


@pytest.mark.parametrize(
    ("changes", "verdict", "detail"),
    [
        ({"expect": {"mult": 3, "add": 15}}, Verdict.MISMATCH, "expected"),
        ({"expect": {"mult": 1, "sum": 15}}, Verdict.UNSUPPORTED, "no answer for sum"),
        ({"winning_play": ["SA", "HA"]}, Verdict.MISMATCH, "one suit"),
        ({"kitty": ["S1"]}, Verdict.MISMATCH, "S1"),
        ({"trump": "X"}, Verdict.MISMATCH, "X"),
        ({"kind": "classify"}, Verdict.UNSUPPORTED, "classify"),
        ({"variant": "qq"}, Verdict.UNSUPPORTED, "kitty"),
    ],
)
def test_a_vector_that_fails_says_why(changes: dict[str, object], verdict: Verdict, detail: str) -> None:
    vector = next(vector for vector in tricks_vectors("kitty") if vector["variant"] == "fanzhu")
    outcome = run_vector({**vector, **changes})
    assert outcome.verdict is verdict
    assert detail in outcome.detail


def test_a_vector_without_its_fields_says_which() -> None:
    outcome = run_vector({"variant": "multi2", "kind": "levels", "expect": {}})
    assert outcome == Outcome(Verdict.MISMATCH, "cannot be read: a levels vector needs 'points'")
