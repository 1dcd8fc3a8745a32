"""Logs that earlier engines wrote: the bytes in `logs/` are never written again.

Each is a match under way, with seats hosted, taken back and forfeited, deadlines that passed, time banks that
were used and time that was given back: `…_without_time_banks` by engines before these, the others by those of
their day. Beside each log stands what its engine made of it, one line for each commit. Where a format is to
change, a log of the format before is added first; no line is ever changed.
"""

from __future__ import annotations

import json
from base64 import b64decode
from pathlib import Path
from random import Random

import pytest

from kit.pure_table import PureTable, Stored, folded
from shuangkou.engine.events import TimeBankUsed
from shuangkou.engine.fold import apply_entry, entry_from_log, warm_from_first
from shuangkou.engine.table import Holder, Phase, Table
from shuangkou.rules.decider import decider_for
from shuangkou.rules.notation import format_cards

FOLDER = Path(__file__).parent / "logs"
_OF_THE_HOST = {
    *("table_created", "players_invited", "seat_taken", "seat_hosted", "seat_reclaimed", "seat_forfeited"),
    *("deal_started", "deal_settled", "deal_voided", "deadline_passed", "time_bank_used", "time_credited"),
}
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


def line_of(table: Table) -> str:
    """A table in one line: what the next act is decided by."""
    match, decider = table.match, decider_for(table.ruleset)
    hands = [decider.observe(match, seat).hand for seat in table.seats] if match.deal else []
    parts = (
        f"v{table.version} {table.phase.value}",
        f"actors {''.join(map(str, map(int, table.actors))) or '-'} until {table.deadline_ms}",
        "banks " + ",".join(map(str, table.clocks.banks_ms)),
        "seats " + ",".join(_holder(holder) for holder in table.holders),
        f"points {','.join(map(str, match.standing.totals))}",
        "hands " + " | ".join(format_cards(hand) for hand in hands),
    )
    return "; ".join(parts)


def _holder(holder: Holder) -> str:
    return f"{holder.name}{'+hosted' * holder.hosted}{'+forfeited' * holder.forfeited}/{holder.timeouts}"


@pytest.mark.parametrize("name", LOGS)
def test_every_commit_means_what_it_meant_to_the_engine_that_wrote_it(name: str) -> None:
    log = read_log(name)
    warm = warm_from_first(log[0].commit)
    for stored, line in zip(log, (FOLDER / f"{name}.txt").read_text().splitlines(), strict=True):
        apply_entry(warm, entry_from_log(warm, stored.commit, stored.secret_commit), stored.sequence)
        assert line_of(warm.table) == line


@pytest.mark.parametrize("name", LOGS)
def test_an_engine_that_begins_with_the_last_deal_knows_as_much(name: str) -> None:
    log = read_log(name)
    starts = [place for place, stored in enumerate(log) if _starts_a_deal(stored)]
    assert folded(log[starts[-1] :]).table == folded(log).table


def _starts_a_deal(stored: Stored) -> bool:
    return any(event.HasField("deal_started") for event in stored.commit.events)


def test_the_logs_hold_every_sort_of_event_that_a_host_writes() -> None:
    events = {
        event.WhichOneof("event")
        for name in LOGS
        for stored in read_log(name)
        for event in stored.commit.events
    }
    assert events >= _OF_THE_HOST
    assert {stored.secret_commit is None for name in LOGS for stored in read_log(name)} == {True, False}


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
