"""The event stream alone makes the same ledger again, byte by byte."""

from __future__ import annotations

import asyncio
import os
import random
import sys
from pathlib import Path

import pytest
from sqlalchemy import func, inspect, select, text
from sqlalchemy.exc import DBAPIError

from kit.keys import Keys
from kit.ledgers import admitted, at_rest
from kit.nats import NatsServer
from kit.pure_table import opened
from kit.settling import a_season, opening_commit, settling_commit
from kit.waiting import eventually
from shuangkou.chassis.nats import Bus, NewMessage, append, ensure_streams, read
from shuangkou.rules.ruleset import load
from shuangkou.scoring.database import NoLedger, connect, migrate, open_database, writing
from shuangkou.scoring.derivation import ledger_as_it_is, open_ledger
from shuangkou.scoring.ledger import Ledger
from shuangkou.scoring.rebuild import NOT_DONE, compare, empty, fill
from shuangkou.scoring.schema import FACTS, STATE, TODO
from shuangkou.scoring.settlement import MatchEnd
from shuangkou.scoring.upserts import put
from shuangkou.v1.events_pb2 import Commit, Event, MatchFinished
from shuangkou.wire.streams import public_streams


@pytest.fixture
async def commits(bus: Bus) -> list[Commit]:
    """What the event stream tells: deals, and a match that ended between two."""
    await ensure_streams(bus, public_streams(1))
    openings = [opening_commit("t1"), opening_commit("t2", invited=["eve"])]
    told = [*openings, *a_season(seed=2, deals=50), settling_commit("last")]
    for commit in told:
        await say(bus, commit)
    ended = Event(match_finished=MatchFinished(totals=(2, -2, 2, -2)))
    await say(bus, Commit(table_id="last", ruleset_id="qq", version=101, time_ms=2000, events=[ended]))

    async def copied() -> bool:
        return len([message async for message in read(bus, "EVENTS", "events.>")]) == len(told) + 1

    await eventually(copied)
    return told


async def say(bus: Bus, commit: Commit) -> None:
    """As an engine does."""
    subject = f"table.{commit.ruleset_id}.{commit.table_id}.public.score"
    await append(bus, NewMessage(subject, commit.SerializeToString()))


async def enter(ledger: Ledger, commits: list[Commit]) -> dict[str, str]:
    """As the service did, in an order of its own."""
    deals = admitted(commits)
    for deal in random.Random(9).sample(deals, len(deals)):
        await ledger.store([deal])
    await ledger.store_match(MatchEnd("last", "qq", 2000, MatchFinished(totals=(2, -2, 2, -2)), decided=None))
    return await at_rest(ledger)


async def test_an_empty_ledger_is_filled_with_the_same(
    bus: Bus, ledger: Ledger, commits: list[Commit], tmp_path: Path
) -> None:
    before = await enter(ledger, commits)
    assert all((await compare(ledger, bus, tmp_path)).values())
    await empty(ledger)
    assert await fill(ledger, bus) == len(admitted(commits))
    assert await at_rest(ledger) == before
    assert await fill(ledger, bus) == 0


async def test_points_for_acts_are_made_anew_of_the_stream(bus: Bus, ledger: Ledger, tmp_path: Path) -> None:
    """What the rules make else of the acts that the stream tells is not filled in."""
    await ensure_streams(bus, public_streams(1))
    log = really_played("classic54", 2, deals=2)
    forged = Commit()
    forged.CopyFrom(log[-1])
    for event in forged.events:
        if event.HasField("deal_settled"):
            event.deal_settled.number += 1
            event.deal_settled.scores[1] += 2
            event.deal_settled.climbing.breakdown[1].base += 2
    for commit in (*log, forged):
        await say(bus, commit)

    async def copied() -> bool:
        return len([message async for message in read(bus, "EVENTS", "events.>")]) == len(log) + 1

    await eventually(copied)
    deals = [commit for commit in log if any(map(ends_deal, commit.events))]
    for deal in reversed(admitted(log)):
        await ledger.store([deal])
    await at_rest(ledger)
    assert all((await compare(ledger, bus, tmp_path)).values())
    await empty(ledger)
    assert await fill(ledger, bus) == len(deals)


def really_played(ruleset_id: str, seed: int, deals: int) -> list[Commit]:
    """All commits of a table that goes on after so many deals with a result."""
    chance, table = random.Random(seed), opened(deals=deals + 1, ruleset=load(ruleset_id))
    while deals:
        table.go_on(chance)
        deals -= any(event.HasField("deal_settled") for event in table.log[-1].commit.events)
    return [stored.commit for stored in table.log]


def ends_deal(event: Event) -> bool:
    """With a result or without."""
    return event.HasField("deal_settled") or event.HasField("deal_voided")


async def left_to_do(ledger: Ledger) -> int:
    """Rows that wait to be rated or told."""
    async with ledger.database.connect() as connection:
        counts = [await connection.scalar(select(func.count()).select_from(table)) for table in TODO]
        return sum(filter(None, counts))


@pytest.mark.parametrize("table", [table.name for table in FACTS] + ["seat_entries", "ratings", "faced"])
async def test_a_row_that_is_missing_is_found(
    bus: Bus, ledger: Ledger, commits: list[Commit], tmp_path: Path, table: str
) -> None:
    await enter(ledger, commits)
    async with writing(ledger.database) as connection:
        await connection.execute(text(f"DELETE FROM {table}"))
    same = await compare(ledger, bus, tmp_path)
    assert {name for name, is_same in same.items() if not is_same} == {table}


async def command(
    nats_server: NatsServer, keys: Keys, database_url: str, *arguments: str
) -> tuple[int | None, str, str]:
    """Exit code, output and complaints of the command."""
    settings = {
        "NATS_URL": nats_server.url,
        "DATABASE_URL": database_url,
        "AUTH_KEYS_FILE": str(keys.key_set_file),
    }
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "shuangkou.scoring.rebuild",
        *arguments,
        env=os.environ
        | {f"SHUANGKOU_{name}": value for name, value in settings.items()}
        | {"PYTHONPATH": os.pathsep.join(sys.path)},
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    output, complaints = await process.communicate()
    return process.returncode, output.decode(), complaints.decode()


def is_file(database_url: str) -> bool:
    """Whether the database has been made, if it is one file."""
    return Path(database_url.removeprefix("sqlite:///")).exists()


async def tables_of(database_url: str) -> list[str]:
    """Their names."""
    async with connect(database_url) as database, database.connect() as connection:
        return await connection.run_sync(lambda each: sorted(inspect(each).get_table_names()))


async def test_a_check_makes_no_ledger_and_brings_none_up_to_date(database_url: str) -> None:
    with pytest.raises(NoLedger, match="there is no ledger at"):
        async with ledger_as_it_is(database_url):
            pass
    assert not is_file(database_url)
    assert await tables_of(database_url) == []
    async with connect(database_url) as database:
        await migrate(database, "0003")
    before = await tables_of(database_url)
    with pytest.raises(NoLedger, match="has tables of version 0003, not of 0004"):
        async with ledger_as_it_is(database_url):
            pass
    assert await tables_of(database_url) == before
    async with open_database(database_url) as database, writing(database) as connection:
        await put(connection, STATE, [{"name": "derivation", "value": "0"}])
    with pytest.raises(NoLedger, match="derived by the rules of another version"):
        async with ledger_as_it_is(database_url):
            pass
    async with open_ledger(database_url):
        pass
    async with ledger_as_it_is(database_url) as ledger:
        with pytest.raises(DBAPIError):
            async with writing(ledger.database) as connection:
                await connection.execute(text("CREATE TABLE another (x INTEGER)"))


@pytest.mark.usefixtures("bus")
async def test_a_check_that_could_not_be_done_is_told_from_a_difference(
    nats_server: NatsServer, keys: Keys, tmp_path: Path
) -> None:
    garbage = tmp_path / "garbage"
    garbage.write_text("no database, and longer than the header of one: " + "x" * 200)
    for address, why in (
        (f"sqlite:///{tmp_path}/none.db", f"there is no ledger at sqlite:///{tmp_path}/none.db"),
        ("postgresql://a:secret@127.0.0.1:1/x", "at postgresql://a:***@127.0.0.1:1/x cannot be reached"),
        (f"sqlite:///{garbage}", "holds no ledger that this program can use"),
    ):
        called = ("--check", "--called", "what was typed")
        code, said, complaint = await command(nats_server, keys, address, *called)
        [line] = complaint.splitlines()
        assert (code, said, line.startswith("what was typed: ")) == (NOT_DONE, "", True), complaint
        assert why in line
        assert "sqlalche.me" not in line


async def test_the_command_says_which_tables_differ(
    bus: Bus,
    nats_server: NatsServer,
    keys: Keys,
    ledger: Ledger,
    database_url: str,
    commits: list[Commit],
) -> None:
    async def run(*arguments: str) -> tuple[int | None, str]:
        code, said, _ = await command(nats_server, keys, database_url, *arguments)
        return code, said

    code, said = await run("--check")
    assert code == 1
    assert "settlements: DIFFERS" in said
    said_of_ratings = set()
    for _ in range(2):
        assert await run() == (0, f"entered {len(admitted(commits))} deals\n")
        # What is told once is not told again, and nothing waits for a service to be told.
        said_of_ratings.add(len([message async for message in read(bus, "SCORES", "rating.>")]))
        assert await left_to_do(ledger) == 0
    assert len(said_of_ratings) == 1
    assert said_of_ratings != {0}
    code, said = await run("--check")
    assert (code, "DIFFERS" in said) == (0, False)
