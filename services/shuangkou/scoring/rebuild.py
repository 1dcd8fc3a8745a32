"""``python -m shuangkou.scoring.rebuild [--check]``: the ledger made again from the event stream alone.

With ``--check`` it is made in a file beside, and every table of the ledger in use is compared with it, byte
by byte; nothing is changed, and a ledger that would have to be brought up to date before is not compared.
Without, the ledger is emptied and filled; the service may go on meanwhile: no deal is entered twice.
"""

from __future__ import annotations

import asyncio
import sys
from argparse import SUPPRESS, ArgumentParser
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from tempfile import TemporaryDirectory

from alembic.util.exc import CommandError
from prometheus_client import CollectorRegistry
from sqlalchemy import delete, func, select
from sqlalchemy.exc import DBAPIError

from shuangkou.chassis.ledger_address import shown
from shuangkou.chassis.logs import configure_logs, logger
from shuangkou.chassis.nats import Bus, NatsFailure, Server, connect, read
from shuangkou.chassis.settings import read_settings
from shuangkou.rules.ruleset import AnyRuleSet
from shuangkou.scoring.acts import Following
from shuangkou.scoring.admissions import GuestList
from shuangkou.scoring.database import OUT_OF_REACH, NoLedger, writing
from shuangkou.scoring.derivation import digests, ledger_as_it_is, open_ledger
from shuangkou.scoring.ledger import DealMissing, Ledger
from shuangkou.scoring.openings import ruleset_of
from shuangkou.scoring.rater import Rater
from shuangkou.scoring.schema import DERIVED, FACTS, TODO, UNRATED
from shuangkou.scoring.settings import ScoringSettings
from shuangkou.scoring.settlement import MatchEnd, NotASettlement, Settlement, fact_of
from shuangkou.scoring.teller import Teller
from shuangkou.v1.events_pb2 import Commit
from shuangkou.wire.families import codec_for, contradiction, needs_acts
from shuangkou.wire.refusals import MalformedMessage
from shuangkou.wire.streams import EVENTS

_PROGRAM = "python -m shuangkou.scoring.rebuild"
_BATCH = 500
_REST_SECONDS = 10.0
_LOOK_SECONDS = 0.2
DIFFERS, NOT_DONE = 1, 3
_CODES = (
    f"exit codes: 0 done, or nothing differs; {DIFFERS} the ledger differs; 2 a bad setting; "
    f"{NOT_DONE} there is no ledger of this version, or it or NATS cannot be reached"
)


class NotAtRest(Exception):
    """Deals are being rated: there is nothing to compare with yet."""


@dataclass(slots=True)
class Retelling:
    """The facts of the event stream in its order, as the recorder takes them."""

    bus: Bus
    rulesets: dict[str, AnyRuleSet | None] = field(default_factory=dict)
    running: dict[str, Following] = field(default_factory=dict)
    guests: dict[str, GuestList] = field(default_factory=dict)

    async def facts(self) -> AsyncIterator[Settlement | MatchEnd]:
        """Every deal and every match that ended between two deals."""
        async for message in read(self.bus, EVENTS, "events.table.>"):
            commit = Commit.FromString(message.payload)
            self._follow(commit)
            if any(_ends_something(event.WhichOneof("event")) for event in commit.events):
                fact = self._fact(commit)
                if isinstance(fact, Settlement):
                    yield replace(fact, admission=self.guests[commit.table_id].admission)
                elif fact is not None:
                    yield fact
            if any(event.HasField("match_finished") for event in commit.events):
                self.running.pop(commit.table_id, None)
                self.guests.pop(commit.table_id, None)

    def _follow(self, commit: Commit) -> None:
        """Keep ruleset and guests of the table, and the acts of its deal where a settlement needs them."""
        self.guests.setdefault(commit.table_id, GuestList()).add(commit)
        for event in commit.events:
            if event.HasField("table_created"):
                ruleset = ruleset_of(commit.ruleset_id, event.table_created)
                self.rulesets[commit.table_id] = ruleset
                if ruleset is not None and codec_for(ruleset).counts_acts(ruleset):
                    self.running[commit.table_id] = Following()
        if commit.table_id in self.running:
            self.running[commit.table_id].add(commit)

    def _fact(self, commit: Commit) -> Settlement | MatchEnd | None:
        try:
            fact = fact_of(commit)
            ruleset = self.rulesets.get(commit.table_id)
            if isinstance(fact, MatchEnd) or ruleset is None:
                return fact
            acts = self.running.get(commit.table_id, Following()).events_until(commit.version)
            if acts is None and needs_acts(ruleset, fact.stored):
                return fact
            why = contradiction(ruleset, fact.stored, acts or [])
        except (NotASettlement, MalformedMessage) as reason:
            why = str(reason)
        if not why:
            return fact
        logger().warning("settlement_contested", table_id=commit.table_id, reason=why)
        return None


def _ends_something(event: str | None) -> bool:
    return event in ("deal_settled", "deal_voided", "match_finished")


async def fill(ledger: Ledger, bus: Bus) -> int:
    """Enter everything that the event stream tells, and rate it; of how many deals."""
    batch: list[Settlement] = []
    deals = 0
    async for fact in Retelling(bus).facts():
        if isinstance(fact, Settlement):
            batch.append(fact)
        if len(batch) == _BATCH or (batch and isinstance(fact, MatchEnd)):
            deals += len(await ledger.store(batch))
            batch = []
        if isinstance(fact, MatchEnd):
            await _store_match(ledger, fact)
    deals += len(await ledger.store(batch))
    await Rater(ledger.database).rate_all()
    return deals


async def _tell(ledger: Ledger, bus: Bus) -> None:
    """Publish what SCORES does not say already, so that a ledger which no service looks after is at rest."""
    teller = Teller(bus, ledger.database)
    while await teller.tell():
        pass


async def _store_match(ledger: Ledger, end: MatchEnd) -> None:
    try:
        await ledger.store_match(end)
    except DealMissing as reason:
        logger().warning("match_without_deal", table_id=end.table_id, reason=str(reason))


async def empty(ledger: Ledger) -> None:
    """Forget everything."""
    async with writing(ledger.database) as connection:
        for table in (*FACTS, *DERIVED, *TODO):
            await connection.execute(delete(table))


async def compare(ledger: Ledger, bus: Bus, folder: Path) -> Mapping[str, bool]:
    """By table, whether the ledger holds what the event stream tells. NotAtRest while deals are rated."""
    async with open_ledger(f"sqlite:///{folder}/rebuilt.db") as rebuilt:
        await fill(rebuilt, bus)
        async with rebuilt.database.connect() as connection:
            theirs = await digests(connection)
    ours = await _digests_at_rest(ledger)
    return {table: ours[table] == digest for table, digest in theirs.items()}


async def _digests_at_rest(ledger: Ledger) -> dict[str, str]:
    loop = asyncio.get_running_loop()
    give_up = loop.time() + _REST_SECONDS
    while True:
        async with ledger.database.connect() as connection:
            if not await connection.scalar(select(func.count()).select_from(UNRATED)):
                return await digests(connection)
        if loop.time() > give_up:
            raise NotAtRest("deals are being rated; try again")
        await asyncio.sleep(_LOOK_SECONDS)


async def rebuild(settings: ScoringSettings, check: bool) -> int:
    """Rebuild or compare; the exit code."""
    server = Server(
        settings.nats_url, settings.nats_user, settings.nats_password, settings.nats_patience_seconds
    )
    bus = await connect(server, "scoring", CollectorRegistry())
    try:
        if check:
            async with ledger_as_it_is(settings.database_url) as ledger:
                with TemporaryDirectory() as folder:
                    return _report(await compare(ledger, bus, Path(folder)))
        async with open_ledger(settings.database_url) as ledger:
            await empty(ledger)
            deals = await fill(ledger, bus)
            await _tell(ledger, bus)
            sys.stdout.write(f"entered {deals} deals\n")
            return 0
    finally:
        await bus.close()


def _report(same: Mapping[str, bool]) -> int:
    for table, is_same in same.items():
        sys.stdout.write(f"{table}: {'equal' if is_same else 'DIFFERS'}\n")
    return 0 if all(same.values()) else DIFFERS


def main() -> None:
    """Be the command."""
    about = "Make the ledger again from the event stream."
    parser = ArgumentParser(prog=_PROGRAM, description=about, epilog=_CODES)
    parser.add_argument("--check", action="store_true", help="only compare, and change nothing")
    # What the person typed, where another command runs this one.
    parser.add_argument("--called", default=_PROGRAM, help=SUPPRESS)
    arguments = parser.parse_args()
    settings = read_settings(ScoringSettings, arguments.called, [])
    configure_logs("scoring", settings.log_level, settings.log_format)
    try:
        sys.exit(asyncio.run(rebuild(settings, arguments.check)))
    except (NotAtRest, NatsFailure, NoLedger) as failure:
        why = str(failure)
    except OUT_OF_REACH:
        why = (
            f"the ledger at {shown(settings.database_url)} cannot be reached: is the address right, is it up?"
        )
    except (DBAPIError, CommandError):
        why = f"the database at {shown(settings.database_url)} holds no ledger that this program can use"
    sys.stderr.write(f"{arguments.called}: {why}\n")
    sys.exit(NOT_DONE)


if __name__ == "__main__":
    main()
