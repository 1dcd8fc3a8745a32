"""The legal acts of one fixed deal of every ruleset, counted and digested one after another.

A change of a file needs a reason in its commit message. To write them anew from the root of the
repository: PYTHONPATH=services:tests python tests/rules/tricks/test_counts.py
"""

from pathlib import Path

import pytest

from kit.tricks_counts import counts
from shuangkou.rules.ruleset import available, load

COUNTS = Path(__file__).parent / "counts"
SEED = bytes(range(64, 96))


def test_every_ruleset_has_its_counts() -> None:
    assert {path.stem for path in COUNTS.glob("*.txt")} == set(available("tricks"))


@pytest.mark.parametrize("id", available("tricks"))
def test_legal_acts_are_those_that_were_counted(id: str) -> None:
    assert counts(load(id), SEED) == (COUNTS / f"{id}.txt").read_text("utf-8")


if __name__ == "__main__":
    COUNTS.mkdir(exist_ok=True)
    for id in available("tricks"):
        (COUNTS / f"{id}.txt").write_text(counts(load(id), SEED), "utf-8")
