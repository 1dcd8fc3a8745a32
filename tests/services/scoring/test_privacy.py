"""What private tables hide from players who do not belong there, and what counts all the same."""

from __future__ import annotations

from collections.abc import Sequence

import grpc
import pytest
from google.protobuf.field_mask_pb2 import FieldMask
from sqlalchemy import delete, select

from kit.keys import Keys
from kit.ledgers import admitted, at_rest, settlements
from kit.service_process import Launcher, refusal_in
from kit.settling import finishing, opening_commit, settling_commit
from kit.waiting import eventually
from shuangkou.chassis.errors import PermissionDenied
from shuangkou.chassis.nats import Bus, NewMessage, append, ensure_streams, read
from shuangkou.scoring.admissions import PUBLIC, Admission, read_admission
from shuangkou.scoring.database import migrate, writing
from shuangkou.scoring.derivation import open_ledger
from shuangkou.scoring.ledger import Ledger
from shuangkou.scoring.older_tables import OlderTables
from shuangkou.scoring.openings import Openings, UnknownOpening
from shuangkou.scoring.privacy import SERVICE, Reader, check_may_read
from shuangkou.scoring.rebuild import compare, empty, fill
from shuangkou.scoring.records import Records, SettlementsQuestion
from shuangkou.scoring.schema import TABLE_GUESTS, TABLE_TERMS
from shuangkou.v1.events_pb2 import Commit, Event, PlayersInvited
from shuangkou.v1.scoring_pb2 import (
    GetLeaderboardRequest,
    GetSheetRequest,
    ListMatchesRequest,
    ListSettlementsRequest,
)
from shuangkou.v1.scoring_pb2_grpc import ScoringServiceStub
from shuangkou.wire.streams import public_streams

ZOE, EVE, ALICE, MAKER = Reader("zoe"), Reader("eve"), Reader("alice"), Reader("creator")
OTHERS = ("alice", "ben", "cleo", "dan")
DENIED = (grpc.StatusCode.PERMISSION_DENIED, "table/private")


def inviting(table_id: str, version: int, *names: str) -> Commit:
    """A commit that invites more players."""
    invited = Event(players_invited=PlayersInvited(player_ids=names))
    return Commit(
        table_id=table_id, ruleset_id="qq", version=version, time_ms=1, actor="alice", events=[invited]
    )


def a_past() -> list[Commit]:
    """Turn by turn a deal at an open and at a private table, to which eve comes late; both matches end."""
    past = [opening_commit("open"), opening_commit("secret", invited=["ivy"])]
    for number in range(1, 4):
        for place, players in (("open", ("alice", "bob", "carol", "dave")), ("secret", OTHERS)):
            deal = settling_commit(place, number, players, time_ms=10 * number + (place == "secret"))
            past.append(finishing(deal, winner=0) if number == 3 else deal)
    past.append(inviting("secret", 301, "too_late"))
    past.insert(3, inviting("secret", 99, "eve"))
    return past


async def told(ledger: Ledger, reader: Reader, player_id: str = "", size: int = 1) -> list[tuple[str, int]]:
    """Table and number of all deals, page by page."""
    records, bookmark, seen = Records(ledger.database), None, list[tuple[str, int]]()
    while not seen or bookmark:
        page = await records.settlements(SettlementsQuestion("", player_id, reader), bookmark, size)
        seen += [(stored.table_id, stored.deal.number) for stored in page.settlements]
        bookmark = page.bookmark
    return seen


async def matches(ledger: Ledger, reader: Reader) -> list[str]:
    """Tables of alice's matches, page by page."""
    records, bookmark, seen = Records(ledger.database), None, list[str]()
    while not seen or bookmark:
        page = await records.matches("alice", bookmark, 1, reader)
        seen += [match.table_id for match in page.matches]
        bookmark = page.bookmark
    return seen


async def may_read(ledger: Ledger, table_id: str, reader: Reader) -> bool:
    """Whether the table is shown to the reader."""
    try:
        await check_may_read(ledger.database, table_id, reader)
    except PermissionDenied:
        return False
    return True


async def test_who_belongs_to_a_private_table_is_told_of_it(ledger: Ledger) -> None:
    await ledger.store(admitted(a_past()))
    everything = [(place, number) for number in (3, 2, 1) for place in ("secret", "open")]
    for reader in (SERVICE, ALICE, Reader("ben"), MAKER, Reader("ivy"), EVE):
        assert await told(ledger, reader) == await told(ledger, reader, "alice", 4) == everything
        assert await matches(ledger, reader) == ["secret", "open"]
        assert await may_read(ledger, "secret", reader)


async def test_strangers_are_told_of_open_tables_only(ledger: Ledger) -> None:
    await ledger.store(admitted(a_past()))
    for reader in (ZOE, Reader("bob"), Reader(""), Reader("too_late")):
        for size in (1, 2, 500):
            assert await told(ledger, reader, size=size) == [("open", number) for number in (3, 2, 1)]
            assert await told(ledger, reader, "alice", size) == [("open", number) for number in (3, 2, 1)]
        assert await matches(ledger, reader) == ["open"]
        assert await may_read(ledger, "open", reader)
        assert not await may_read(ledger, "secret", reader)
        asked = SettlementsQuestion("secret", "", reader)
        assert not (await Records(ledger.database).settlements(asked, None, 9)).settlements


async def test_what_is_not_known_is_told_to_players_only(ledger: Ledger) -> None:
    await ledger.store(settlements([settling_commit("open"), settling_commit("other", players=OTHERS)]))
    assert [await may_read(ledger, "open", reader) for reader in (Reader("bob"), ZOE, SERVICE)] == [
        True,
        False,
        True,
    ]
    assert await told(ledger, Reader("bob")) == [("open", 1)]


async def test_a_filled_ledger_goes_back_and_forth(
    ledger: Ledger, database_url: str, bus: Bus, event_stream: None
) -> None:
    """The ledger before forgets who is let in; nobody is told more until it is learned again."""
    await ledger.store(admitted(a_past()))
    before = await at_rest(ledger)
    await migrate(ledger.database, "0002")
    async with open_ledger(database_url) as anew:
        forgotten = await at_rest(anew)
        differing = {name for name, digest in forgotten.items() if digest != before[name]}
        assert differing == {"table_terms", "table_guests"}
        assert not await may_read(anew, "open", ZOE)
        assert await may_read(anew, "secret", ALICE)
        assert await OlderTables(anew, Openings(bus)).learn() == 2
        assert await at_rest(anew) == before
        assert await OlderTables(anew, Openings(bus)).learn() == 0


@pytest.fixture
async def event_stream(bus: Bus) -> None:
    """EVENTS tells of the past."""
    await ensure_streams(bus, public_streams(1))
    await say(bus, a_past())


async def say(bus: Bus, commits: Sequence[Commit]) -> None:
    """As engines do; returns once readers of EVENTS see all."""
    for commit in commits:
        is_end = any(event.HasField("deal_settled") for event in commit.events)
        subject = f"table.qq.{commit.table_id}.public.{'score' if is_end else 'none'}"
        await append(bus, NewMessage(subject, commit.SerializeToString()))

    async def copied() -> bool:
        return len([each async for each in read(bus, "EVENTS", "events.table.>")]) == len(commits)

    await eventually(copied)


@pytest.mark.usefixtures("event_stream")
async def test_the_stream_tells_whom_a_table_lets_in_at_each_version(bus: Bus) -> None:
    openings = Openings(bus)
    assert await read_admission(openings, "qq", "open", 300) == PUBLIC
    for version, names in ((1, ()), (100, ("eve",)), (300, ("eve",)), (301, ("eve", "too_late"))):
        expected = Admission(is_private=True, guests=tuple(sorted(("creator", "ivy", *names))))
        assert await read_admission(openings, "qq", "secret", version) == expected
    for table_id, version in (("secret", 302), ("nowhere", 1)):
        with pytest.raises(UnknownOpening):
            await read_admission(openings, "qq", table_id, version)


@pytest.mark.usefixtures("event_stream")
async def test_a_rebuilt_ledger_hides_the_same(
    ledger: Ledger, bus: Bus, tmp_path_factory: pytest.TempPathFactory
) -> None:
    await ledger.store(admitted(a_past()))
    before = await at_rest(ledger)
    await empty(ledger)
    await fill(ledger, bus)
    assert await at_rest(ledger) == before
    async with writing(ledger.database) as connection:
        await connection.execute(delete(TABLE_GUESTS))
    same = await compare(ledger, bus, tmp_path_factory.mktemp("rebuilt"))
    assert [name for name, is_same in same.items() if not is_same] == ["table_guests"]


class Caller:
    """Asks a scoring process with a token."""

    def __init__(self, channel: grpc.aio.Channel, token: str) -> None:
        self.stub = ScoringServiceStub(channel)
        self.metadata = (("authorization", f"Bearer {token}"),)

    async def by_table(self, table_id: str) -> set[tuple[grpc.StatusCode, str]]:
        """How all questions about one table are refused."""
        masked = ListSettlementsRequest(table_id=table_id, read_mask=FieldMask(paths=["deal.seed"]))
        answers = set()
        for call, request in (
            ("GetSheet", GetSheetRequest(table_id=table_id)),
            ("ListSettlements", ListSettlementsRequest(table_id=table_id)),
            ("ListSettlements", ListSettlementsRequest(table_id=table_id, player_id="alice")),
            ("ListSettlements", masked),
        ):
            try:
                await getattr(self.stub, call)(request, metadata=self.metadata, timeout=10)
                answers.add((grpc.StatusCode.OK, ""))
            except grpc.aio.AioRpcError as error:
                answers.add(refusal_in(error))
        return answers

    async def tables(self) -> tuple[set[str], set[str]]:
        """Tables of all deals and of alice's matches."""
        deals = await self.stub.ListSettlements(ListSettlementsRequest(), metadata=self.metadata, timeout=10)
        request = ListMatchesRequest(player_id="alice")
        played = await self.stub.ListMatches(request, metadata=self.metadata, timeout=10)
        return {stored.table_id for stored in deals.settlements}, {match.table_id for match in played.matches}

    async def points(self) -> dict[str, int]:
        """The ranking."""
        request = GetLeaderboardRequest(ruleset_id="qq")
        board = await self.stub.GetLeaderboard(request, metadata=self.metadata, timeout=10)
        return {row.player_id: row.points for row in board.rows}


@pytest.mark.usefixtures("event_stream")
async def test_the_service_hides_a_private_table_and_counts_its_points(
    launcher: Launcher, keys: Keys, ledger: Ledger, database_url: str
) -> None:
    scoring = await launcher.start("scoring", DATABASE_URL=database_url)
    async with grpc.aio.insecure_channel(scoring.target) as channel:
        zoe, engine = Caller(channel, keys.player("zoe")), Caller(channel, keys.service("engine"))

        async def entered() -> bool:
            return (await zoe.points()).get("alice") == 12

        await eventually(entered)
        assert await zoe.by_table("secret") == {DENIED}
        assert await zoe.by_table("open") == {(grpc.StatusCode.OK, "")}
        assert await zoe.tables() == ({"open"}, {"open"})
        nameless = Caller(channel, keys.player("bot:plain"))
        assert await nameless.by_table("secret") == {DENIED}
        for token in (keys.player("alice"), keys.player("eve"), keys.player("creator")):
            assert await Caller(channel, token).by_table("secret") == {(grpc.StatusCode.OK, "")}
        assert await engine.by_table("secret") == {(grpc.StatusCode.OK, "")}
        assert await engine.tables() == ({"open", "secret"}, {"open", "secret"})
        assert await zoe.points() == await engine.points()
    async with ledger.database.connect() as connection:
        terms = {row.table_id: row.is_private for row in await connection.execute(select(TABLE_TERMS))}
        assert terms == {"open": False, "secret": True}
