"""Whatever is sent to whatever rpc: no process ends, no answer blames itself, and no table changes for it.

`make hostile` does the same with a million requests; `kit.hostile.record` names the laws.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from kit.effort import rounds
from kit.hostile.run import Plan, run
from kit.keys import Keys
from shuangkou.v1.ai_pb2 import DESCRIPTOR as AI
from shuangkou.v1.matchmaking_pb2 import DESCRIPTOR as MATCHMAKING
from shuangkou.v1.scoring_pb2 import DESCRIPTOR as SCORING
from shuangkou.v1.table_pb2 import DESCRIPTOR as TABLES

_SEED = 7


def _silent(_line: str) -> None:
    """Progress is for people who wait."""


@pytest.mark.timeout(3600)
async def test_nothing_hostile_breaks_a_suite_or_changes_a_table(keys: Keys, tmp_path: Path) -> None:
    requests = rounds(20_000, 1_000_000)
    report = await run(Plan(_SEED, requests), keys, tmp_path, _silent)
    assert not report.findings, "\n".join(report.lines())
    assert sum(report.record.outcomes.values()) == requests
    assert report.record.outcomes["OK"] > requests / 20
    for file in (TABLES, MATCHMAKING, AI, SCORING):
        for service in file.services_by_name.values():
            for method in service.methods:
                assert report.record.by_rpc[f"{service.name}/{method.name}"] > requests / 1000
