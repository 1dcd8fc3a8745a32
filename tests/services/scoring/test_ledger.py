"""The ledger holds every deal once and adds up, on SQLite and on PostgreSQL."""

from __future__ import annotations

import asyncio
import random
import sqlite3
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

import pytest
from sqlalchemy import func, select
from sqlalchemy.exc import OperationalError

from kit.ledgers import settlements
from kit.settling import a_season, finishing, settling_commit, voiding_commit
from kit.waiting import eventually
from shuangkou.scoring.boards import BoardPage, Boards, PointsQuestion
from shuangkou.scoring.database import open_database
from shuangkou.scoring.derivation import open_ledger
from shuangkou.scoring.ledger import Ledger
from shuangkou.scoring.page_key import page_key
from shuangkou.scoring.records import Records, SettlementsQuestion
from shuangkou.scoring.schema import ENTRIES
from shuangkou.scoring.seasons import season_of
from shuangkou.scoring.settlement import Settlement, settlement_of
from shuangkou.v1.events_pb2 import SettlementStored

EVERYBODY = PointsQuestion("qq", "", include_bots=True)
PEOPLE_ONLY = PointsQuestion("qq", "", include_bots=False)
ALL_DEALS = SettlementsQuestion("", "")

Ranking = list[tuple[int, str, int, int, int]]
"""Rank, player, points, deals, deals won."""


def by_hand(season: Sequence[Settlement], include_bots: bool) -> Ranking:
    """The ranking of a season as a person would work it out."""
    points: dict[str, int] = defaultdict(int)
    since: dict[str, int] = defaultdict(int)
    deals: dict[str, int] = defaultdict(int)
    won: dict[str, int] = defaultdict(int)
    for deal in sorted(season, key=lambda deal: deal.settled_ms):
        ending = deal.ending
        for player in {name for name in ending.players if include_bots or not name.startswith("bot:")}:
            seats = [seat for seat, name in enumerate(ending.players) if name == player]
            gained = sum(ending.scores[seat] for seat in seats)
            points[player] += gained
            since[player] = deal.settled_ms if gained else since[player]
            has_left = any(seat in ending.forfeited for seat in seats)
            deals[player] += has_left or not deal.is_void
            won[player] += not has_left and all(seat in deal.stored.deal.winners for seat in seats)
    order = sorted(points, key=lambda player: (-points[player], since[player], player))
    return [
        (
            1 + sum(points[other] > points[player] for other in order),
            player,
            points[player],
            deals[player],
            won[player],
        )
        for player in order
    ]


def told(page: BoardPage) -> Ranking:
    """The rows of a page."""
    return [
        (ranked.rank, ranked.row.player_id, ranked.row.points, ranked.row.deals, ranked.row.deals_won)
        for ranked in page.rows
    ]


async def ranking(ledger: Ledger, question: PointsQuestion, size: int) -> Ranking:
    """The whole ranking, read page by page; and back again, which must give the same pages."""
    boards = Boards(ledger.database)
    pages = [await boards.points(question, None, size)]
    while pages[-1].following is not None:
        pages.append(await boards.points(question, pages[-1].following, size))
        assert len(pages[-1].rows) <= size
    back = [pages[-1]]
    while back[-1].previous is not None:
        back.append(await boards.points(question, back[-1].previous, size))
    assert [told(page) for page in reversed(back)] == [told(page) for page in pages]
    return [row for page in pages for row in told(page)]


async def stores(ledger: Ledger, settlement: Settlement) -> bool:
    """Whether the deal is new to the ledger."""
    return bool(await ledger.store([settlement]))


async def test_a_deal_is_entered_once(ledger: Ledger) -> None:
    settlement = settlement_of(settling_commit())
    assert await stores(ledger, settlement)
    assert not await stores(ledger, settlement)
    assert await ranking(ledger, EVERYBODY, 10) == [
        (1, "alice", 2, 1, 1),
        (1, "carol", 2, 1, 1),
        (3, "bob", -2, 1, 0),
        (3, "dave", -2, 1, 0),
    ]


async def test_replicas_that_race_for_the_same_deals_enter_each_once(
    ledger: Ledger, database_url: str
) -> None:
    season = settlements(a_season(seed=3, deals=40))
    async with open_ledger(database_url) as other:
        tries = [stores(replica, deal) for deal in season for replica in (ledger, other)]
        random.Random(5).shuffle(tries)
        entered = await asyncio.gather(*tries)
    assert sum(entered) == len(season)
    async with ledger.database.connect() as connection:
        assert await connection.scalar(select(func.count()).select_from(ENTRIES)) == 4 * len(season)
    assert await ranking(ledger, EVERYBODY, 4) == by_hand(season, include_bots=True)


async def test_many_processes_may_open_an_empty_database_at_once(database_url: str) -> None:
    async def use() -> bool:
        async with open_ledger(database_url) as ledger:
            return await stores(ledger, settlement_of(settling_commit()))

    assert sum(await asyncio.gather(*(use() for _ in range(6)))) == 1


async def test_replicas_draw_one_key_for_their_page_tokens(ledger: Ledger, database_url: str) -> None:
    async with open_ledger(database_url) as other:
        databases = [replica.database for replica in (ledger, other)] * 3
        [key] = set(await asyncio.gather(*map(page_key, databases)))
    assert len(key) == 32
    assert await page_key(ledger.database) == key


async def test_an_empty_database_that_another_process_writes_to_is_waited_for(tmp_path: Path) -> None:
    """SQLite refuses the switch to its write-ahead log at once, whatever patience was asked for."""
    file = tmp_path / "new.db"
    other = sqlite3.connect(file, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")

    async def open_it() -> None:
        async with open_ledger(f"sqlite:///{file}") as ledger:
            await ledger.store([settlement_of(settling_commit())])

    opening = asyncio.create_task(open_it())
    loop = asyncio.get_running_loop()
    began = loop.time()
    await eventually(lambda: opening.done() or loop.time() - began > 0.5)
    other.execute("ROLLBACK")
    await opening
    assert other.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    other.close()


async def test_a_database_that_may_not_be_written_to_is_not_waited_for(tmp_path: Path) -> None:
    file = tmp_path / "sealed.db"
    file.touch()
    with pytest.raises(OperationalError, match="readonly"):
        async with open_database(f"sqlite:///file:{file}?mode=ro&uri=true"):
            pass


async def test_the_ranking_is_the_same_in_whatever_order_deals_arrive(ledger: Ledger) -> None:
    season = settlements(a_season(seed=11, deals=60))
    for deal in random.Random(1).sample(season, len(season)):
        await ledger.store([deal])
    for size in (1, 3, 50):
        assert await ranking(ledger, EVERYBODY, size) == by_hand(season, include_bots=True)
        assert await ranking(ledger, PEOPLE_ONLY, size) == by_hand(season, include_bots=False)


async def test_a_page_can_begin_with_any_player(ledger: Ledger) -> None:
    """With the rank that a walk from the top gives it; the pages beside it are those of the walk."""
    season = settlements(a_season(seed=13, deals=60))
    await ledger.store(season)
    boards = Boards(ledger.database)
    for question in (EVERYBODY, PEOPLE_ONLY):
        everybody = by_hand(season, question.include_bots)
        for place, (_, name, *_) in enumerate(everybody):
            for size in (1, 2, 3, 50):
                page = await boards.points_from(question, name, size)
                assert told(page) == everybody[place : place + size]
                rest = (
                    [] if page.following is None else told(await boards.points(question, page.following, 50))
                )
                assert rest == everybody[place + size :]
                before = (
                    [] if page.previous is None else told(await boards.points(question, page.previous, 50))
                )
                assert before == everybody[:place]
    assert not (await boards.points_from(PEOPLE_ONLY, "bot:plain", 5)).rows
    assert not (await boards.points_from(EVERYBODY, "nobody", 5)).rows


async def test_there_is_a_ranking_of_each_family_and_of_each_season(ledger: Ledger) -> None:
    season = settlements(a_season(seed=12, deals=60))
    await ledger.store(season)
    await ledger.store(
        [settlement_of(settling_commit("other", ruleset_id="jj", time_ms=season[0].settled_ms))]
    )
    names = sorted({season_of(deal.settled_ms) for deal in season})
    assert len(names) == 2
    for name in names:
        mine = [deal for deal in season if season_of(deal.settled_ms) == name]
        assert await ranking(ledger, PointsQuestion("qq", name, True), 4) == by_hand(mine, True)
    family = await ranking(ledger, PointsQuestion(season[0].family, "", True), 4)
    assert {row[1] for row in family} > {"alice", "p0"}


async def test_the_fines_of_a_void_deal_count_but_it_is_a_deal_only_of_who_left_it(ledger: Ledger) -> None:
    await ledger.store([settlement_of(settling_commit(scores=(2, -2, 2, -2)))])
    void = settlement_of(voiding_commit(number=2, scores=(-6, 2, -6, 10)))
    assert await stores(ledger, void)
    assert not await stores(ledger, void)
    assert await ranking(ledger, EVERYBODY, 4) == [
        (1, "dave", 8, 1, 0),
        (2, "bob", 0, 1, 0),
        (3, "alice", -4, 2, 1),
        (3, "carol", -4, 2, 1),
    ]
    page = await Records(ledger.database).settlements(ALL_DEALS, None, 10)
    assert [stored.HasField("voided") for stored in page.settlements] == [True, False]


async def test_a_deal_is_won_by_its_winners_whatever_the_points_are(ledger: Ledger) -> None:
    await ledger.store([settlement_of(settling_commit(number=1, scores=(40, 60, 40, 60), winners=(1, 3)))])
    await ledger.store([settlement_of(settling_commit(number=2, scores=(-5, -9, -5, -9), winners=(0, 2)))])
    await ledger.store([settlement_of(settling_commit(number=3, scores=(1, 0, 1, 0), winners=()))])
    assert await ranking(ledger, EVERYBODY, 4) == [
        (1, "bob", 51, 3, 1),
        (1, "dave", 51, 3, 1),
        (3, "alice", 36, 3, 1),
        (3, "carol", 36, 3, 1),
    ]


async def test_rulesets_are_ranked_apart(ledger: Ledger) -> None:
    await ledger.store([settlement_of(settling_commit("t1", ruleset_id="qq"))])
    await ledger.store([settlement_of(settling_commit("t2", ruleset_id="other", scores=(-4, 4, -4, 4)))])
    assert [row[1] for row in await ranking(ledger, EVERYBODY, 1)] == ["alice", "carol", "bob", "dave"]
    results = await Records(ledger.database).tallies("bob")
    assert [(row.ruleset_id, row.points, row.first) for row in results] == [("other", 4, 1), ("qq", -2, 0)]
    assert not await Records(ledger.database).tallies("nobody")


async def test_settlements_come_newest_first_without_gap_or_repeat(ledger: Ledger) -> None:
    season = settlements(a_season(seed=7, deals=30))
    await ledger.store(season)
    seen: list[SettlementStored] = []
    page = await Records(ledger.database).settlements(ALL_DEALS, None, 4)
    seen += page.settlements
    while page.bookmark is not None:
        page = await Records(ledger.database).settlements(ALL_DEALS, page.bookmark, 4)
        seen += page.settlements
    expected = [deal.stored for deal in sorted(season, key=lambda deal: deal.key, reverse=True)]
    assert seen == expected


async def test_settlements_are_found_by_table_and_by_player(ledger: Ledger) -> None:
    season = settlements(a_season(seed=9, deals=30))
    await ledger.store(season)
    for table_id, player_id in (("t3", ""), ("", "p4"), ("t1", "bot:plain"), ("t1", "nobody")):
        page = await Records(ledger.database).settlements(SettlementsQuestion(table_id, player_id), None, 500)
        wanted = {
            (deal.stored.table_id, deal.number)
            for deal in season
            if table_id in ("", deal.stored.table_id) and (not player_id or player_id in deal.ending.players)
        }
        assert len(page.settlements) == len(wanted)
        found = {(deal.table_id, deal.deal.number or deal.voided.number) for deal in page.settlements}
        assert found == wanted


async def test_matches_in_events_are_counted_once_for_both_sides(ledger: Ledger) -> None:
    """By the deal that ends them, be it void; a match that goes on counts for nothing yet."""
    for deal in (
        settling_commit("t1", 1),
        finishing(settling_commit("t1", 2), 0),
        finishing(voiding_commit("t2", 1), 1),
        finishing(settling_commit("t3", 1, ruleset_id="zsy"), 0),
        finishing(settling_commit("t4", 1), 0, "ev_swiss"),
    ):
        assert await ledger.store([settlement_of(deal)])
        assert not await ledger.store([settlement_of(deal)])

    async def results(player_id: str) -> list[tuple[str, str, int, int]]:
        rows = await Records(ledger.database).event_results(player_id)
        return [(row.event_id, row.ruleset_id, row.matches, row.matches_won) for row in rows]

    for player_id, won in (("alice", 1), ("carol", 1), ("bob", 1), ("dave", 1)):
        on_even_side = player_id in ("alice", "carol")
        assert await results(player_id) == [
            ("ev_elder", "qq", 2, won),
            ("ev_elder", "zsy", 1, int(on_even_side)),
            ("ev_swiss", "qq", 1, int(on_even_side)),
        ]
    assert await results("nobody") == []
