"""Logs that earlier engines wrote: the bytes in `logs/` are never written again.

Each is a match under way, with a seat hosted and taken back, and deadlines that passed.
"""

from __future__ import annotations

import json
from base64 import b64decode
from pathlib import Path
from random import Random

import pytest

from kit.pure_table import PureTable, Stored, folded
from shuangkou.engine.events import TimeBankUsed
from shuangkou.engine.table import Phase

FOLDER = Path(__file__).parent / "logs"
LOGS = sorted(path.stem for path in FOLDER.glob("*.jsonl"))


def read_log(name: str) -> list[Stored]:
    lines = [json.loads(line) for line in (FOLDER / f"{name}.jsonl").read_text().splitlines()]
    return [
        Stored(
            b64decode(line["secret"]) if "secret" in line else None,
            b64decode(line["public"]),
            "",
            line["sequence"],
        )
        for line in lines
    ]


def going_on(name: str) -> PureTable:
    """The table where the log leaves it."""
    log = read_log(name)
    return PureTable(folded(log), now_ms=log[-1].commit.time_ms, log=log)


def test_there_are_logs_of_both_families() -> None:
    assert {name.split("_")[0] for name in LOGS} == {"climbing", "tricks"}


@pytest.mark.parametrize("name", LOGS)
def test_an_old_log_folds_to_what_its_last_commit_says(name: str) -> None:
    pure = going_on(name)
    told = pure.log[-1].commit
    assert (pure.table.version, pure.table.deadline_ms) == (told.version, told.next.deadline_ms)
    assert list(pure.table.actors) == list(told.next.seats)


@pytest.mark.parametrize("name", [name for name in LOGS if name.endswith("without_time_banks")])
def test_a_turn_that_began_without_a_time_bank_ends_without_one(name: str) -> None:
    pure = going_on(name)
    bank = 1000 * pure.table.ruleset.options.time_bank_seconds
    assert pure.table.clocks.turn_ms == pure.table.deadline_ms
    assert pure.table.clocks.banks_ms == (bank,) * 4
    seat = pure.table.actors[0]
    pure.act_default()
    assert pure.table.clocks.banks_ms[seat] == bank
    assert not any(isinstance(event, TimeBankUsed) for event in pure.act_default())


@pytest.mark.parametrize("name", LOGS)
def test_an_old_match_goes_on_to_its_end(name: str) -> None:
    pure, rng = going_on(name), Random(3)
    while pure.table.phase is not Phase.FINISHED:
        pure.go_on(rng)
    assert folded(pure.log).table == pure.table
