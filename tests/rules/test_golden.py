"""One deal as everybody saw it: docs/rules/climbing.md from the deal to the settlement, byte for byte.

A change of the file needs a reason in its commit message. To write it anew from the root of the
repository: PYTHONPATH=services:tests python tests/rules/test_golden.py
"""

from pathlib import Path

import pytest

from kit.climbing_transcript import transcript
from shuangkou.rules.ruleset import available, load

GOLDEN = Path(__file__).parent / "golden"
SEEDS = {"qq": (2381).to_bytes(32, "big")}
"""Chosen for its story: bombs, a lead inherited by 接风, and a multiplied result."""


def test_every_ruleset_has_a_golden_deal() -> None:
    assert set(SEEDS) == set(available())


@pytest.mark.parametrize("id", sorted(SEEDS))
def test_a_deal_is_told_as_recorded(id: str) -> None:
    recorded = (GOLDEN / f"{id}.txt").read_bytes()
    assert transcript(load(id), SEEDS[id]).encode() == recorded
    assert recorded.count(b"\n") <= 150
    for word in ("接风", "炸弹", "扣"):
        assert word.encode() in recorded


if __name__ == "__main__":
    for id, seed in SEEDS.items():
        (GOLDEN / f"{id}.txt").write_text(transcript(load(id), seed), "utf-8")
