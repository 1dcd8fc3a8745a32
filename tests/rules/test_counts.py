"""The legal plays of one fixed deal of every ruleset, counted and digested at each ply.

A change of a file needs a reason in its commit message. To write them anew from the root of the
repository: PYTHONPATH=services:tests python tests/rules/test_counts.py
"""

from pathlib import Path

import pytest

from kit.climbing_counts import counts
from shuangkou.rules.ruleset import available, load

COUNTS = Path(__file__).parent / "counts"
SEED = bytes(range(32, 64))


def test_every_ruleset_has_its_counts() -> None:
    assert {path.stem for path in COUNTS.glob("*.txt")} == set(available("climbing"))


@pytest.mark.parametrize("id", available("climbing"))
def test_legal_plays_are_those_that_were_counted(id: str) -> None:
    assert counts(load(id), SEED) == (COUNTS / f"{id}.txt").read_text("utf-8")


if __name__ == "__main__":
    COUNTS.mkdir(exist_ok=True)
    for id in available("climbing"):
        (COUNTS / f"{id}.txt").write_text(counts(load(id), SEED), "utf-8")
