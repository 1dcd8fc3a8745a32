"""`shuangkou player` and `shuangkou sheet`: what the ledger holds of a player and of a table."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Final

from rich.text import Text

from shuangkou.cli.clients import Clients, Refused, connect
from shuangkou.cli.columns import rows
from shuangkou.cli.folder import DataFolder
from shuangkou.cli.problem import BAD_INPUT, Problem
from shuangkou.cli.settlement import minus, points
from shuangkou.cli.terminal import Terminal
from shuangkou.v1 import events_pb2, scoring_pb2, table_pb2

FORMATS: Final = {
    "json": scoring_pb2.SHEET_FORMAT_JSON,
    "csv": scoring_pb2.SHEET_FORMAT_CSV,
    "html": scoring_pb2.SHEET_FORMAT_HTML,
}
STRANGER: Final = "player"
"""Who asks where no name is given: a stranger to every private table."""
_FEW: Final = 5
_BOT: Final = "bot:"
_RESULTS_HEAD: Final = ("game", "deals", "won", "points", "places", "bombs", "levels", "matches", "逃跑")
_NUMERIC: Final = frozenset((1, 2, 3, 5, 6, 8))
_RARE: Final = frozenset((5, 6, 7, 8))
_POOLS: Final = {events_pb2.RATING_POOL_PEOPLE: "people 真人", events_pb2.RATING_POOL_BOTS: "with bots 人机"}
_UNKNOWN: Final = frozenset(("scoring/unknown_player", "scoring/unknown_table", "scoring/missing_field"))


async def show_player(folder: DataFolder, name: str, viewer: str, terminal: Terminal) -> int:
    """Results, ratings, company and the last matches of a player; Problem for an unknown one.

    ``viewer``: who asks, and is told of the private tables that are open to it.
    """
    async with connect(folder, viewer, lambda: None) as clients:
        try:
            player, companions, matches = await _ask(clients, name)
        except Refused as refused:
            raise _told(refused) from None
        # Who only sat at void deals has no rank.
        ranked = [row for row in player.results if row.deals]
        ranks = await asyncio.gather(*(_rank(clients, name, row.ruleset_id) for row in ranked))
    for line in (
        *results_lines(player.results),
        *rank_lines(ranked, ranks),
        *_ratings(player),
        *company_lines(player, companions),
        *_matches(matches, folder),
        *(hidden_lines(player, len(matches.matches)) if viewer != name else ()),
    ):
        terminal.say(line)
    return 0


async def show_head_to_head(folder: DataFolder, names: tuple[str, str], terminal: Terminal) -> int:
    """What two players did with and against each other; Problem for an unknown one, or one and the same."""
    if names[0] == names[1]:
        raise Problem(f"{names[0]} and {names[1]} are one player; compare two", BAD_INPUT)
    request = scoring_pb2.GetHeadToHeadRequest(player_id=names[0], other_id=names[1])
    async with connect(folder, STRANGER, lambda: None) as clients:
        try:
            answer = await clients.ask(clients.scores.GetHeadToHead, request)
        except Refused as refused:
            raise _told(refused) from None
    for line in head_to_head_lines(names, answer.rulesets):
        terminal.say(line)
    return 0


def head_to_head_lines(names: tuple[str, str], rulesets: Sequence[scoring_pb2.HeadToHead]) -> list[Text]:
    """By game: deals as partners and how many of them were won; deals as opponents and who won them."""
    one, other = names
    if not rulesets:
        return [Text(f"{one} and {other} have not met at a table yet 尚未交手")]
    head = ("game", "with 同方", "won", "against 对阵", f"{one} won", f"{other} won")
    table: list[list[Text | str]] = [[Text(title, "dim") for title in head]]
    for row in rulesets:
        with_them = [str(row.deals_with), str(row.won_with)]
        against = [str(row.deals_against), str(row.won_against), str(row.lost_against)]
        table.append([row.ruleset_id, *with_them, *against])
    left = Text("against each other a deal is also won when the other one left it 逃跑", "dim")
    return [*rows(table, frozenset(range(1, len(head)))), left]


async def show_sheet(folder: DataFolder, table_id: str, kind: str, viewer: str, terminal: Terminal) -> int:
    """The score sheet of a table as a document; Problem for one without a settled deal.

    ``viewer``: who asks; Refused where the table is private and not open to it.
    """
    request = scoring_pb2.GetSheetRequest(table_id=table_id, format=FORMATS[kind])
    async with connect(folder, viewer, lambda: None) as clients:
        try:
            answer = await clients.ask(clients.scores.GetSheet, request)
        except Refused as refused:
            if refused.refusal.code == "scoring/unknown_table":
                await _check_unbegun(clients, table_id)
            raise _told(refused) from None
    for line in answer.document.splitlines():
        terminal.whole(line)
    return 0


async def _check_unbegun(clients: Clients, table_id: str) -> None:
    """Problem where the table is there, and no deal of it is over; Refused where it hides that."""
    try:
        await clients.ask(clients.tables.GetTable, table_pb2.GetTableRequest(table_id=table_id))
    except Refused as refused:
        if refused.refusal.code == "table/private":
            raise
        return
    why = f"no deal of table {table_id} is over yet 尚无一局打完; its sheet begins with the first"
    raise Problem(why, BAD_INPUT)


async def _ask(
    clients: Clients, name: str
) -> tuple[
    scoring_pb2.GetPlayerResponse, scoring_pb2.ListCompanionsResponse, scoring_pb2.ListMatchesResponse
]:
    return await asyncio.gather(
        clients.ask(clients.scores.GetPlayer, scoring_pb2.GetPlayerRequest(player_id=name)),
        clients.ask(
            clients.scores.ListCompanions,
            scoring_pb2.ListCompanionsRequest(player_id=name, page_size=_FEW),
        ),
        clients.ask(
            clients.scores.ListMatches, scoring_pb2.ListMatchesRequest(player_id=name, page_size=_FEW)
        ),
    )


async def _rank(clients: Clients, name: str, ruleset_id: str) -> int:
    """By points among people, or among all for a bot."""
    request = scoring_pb2.GetLeaderboardRequest(
        ruleset_id=ruleset_id, from_player_id=name, page_size=1, include_bots=name.startswith(_BOT)
    )
    answer = await clients.ask(clients.scores.GetLeaderboard, request)
    return answer.rows[0].rank


def rank_lines(results: Sequence[scoring_pb2.PlayerResults], ranks: Sequence[int]) -> list[Text]:
    """The place in each game by points; nothing without one."""
    if not ranks:
        return []
    told = ", ".join(f"{row.ruleset_id} {rank}" for row, rank in zip(results, ranks, strict=True))
    return [Text(f"Rank by points 名次: {told}")]


def _told(refused: Refused) -> Problem:
    if refused.refusal.code in _UNKNOWN:
        return Problem(refused.refusal.explanation, BAD_INPUT)
    return refused


def results_lines(results: Sequence[scoring_pb2.PlayerResults]) -> list[Text]:
    """A table, without columns of which no game has anything, and how much of all deals was won by what."""
    figures = [_figures(row) for row in results]
    shown = [
        column
        for column in range(len(_RESULTS_HEAD))
        if column not in _RARE or any(row[column] not in ("", "0") for row in figures)
    ]
    table: list[list[Text | str]] = [[Text(_RESULTS_HEAD[column], "dim") for column in shown]]
    table += [[row[column] for column in shown] for row in figures]
    numeric = frozenset(place for place, column in enumerate(shown) if column in _NUMERIC)
    return [*rows(table, numeric), *filter(None, map(_rates, results))]


def _figures(row: scoring_pb2.PlayerResults) -> list[str]:
    places = "/".join(map(str, row.places))
    matches = f"{row.matches_won}/{row.matches}" if row.matches else ""
    gained = [points(row.points), places, str(row.bombs), points(row.levels)]
    return [row.ruleset_id, str(row.deals), str(row.deals_won), *gained, matches, str(row.forfeits)]


def _rates(row: scoring_pb2.PlayerResults) -> Text | None:
    results = ((row.doubles, "double 双扣"), (row.singles, "single 单扣"), (row.draws, "draw 平扣"))
    if not any(counts.won for counts, _ in results):
        return None
    rates = " · ".join(f"{name} {counts.rate:.0%}" for counts, name in results if counts.won or counts.lost)
    return Text(f"  {row.ruleset_id}, won of all deals 胜局占比: {rates}", "dim")


def _ratings(player: scoring_pb2.GetPlayerResponse) -> list[Text]:
    lines = []
    for rating in player.ratings:
        line = Text("Rating 等级分 ", "bold").append(minus(f"{rating.value:.1f}"), "bold green")
        doubt = ", provisional 暂定" if rating.is_provisional else ""
        line.append(f" {rating.family}, {_POOLS.get(rating.pool, '')}, {rating.season}{doubt}", "not bold")
        line.append(f"; streak 连胜 {rating.streak}, longest 最长 {rating.longest_streak}", "not bold")
        lines.append(line)
    return lines


def company_lines(
    player: scoring_pb2.GetPlayerResponse, companions: scoring_pb2.ListCompanionsResponse
) -> list[Text]:
    """On how many days, and with how many others."""
    days = f"Played on {_count(player.days_played, 'day')}: "
    days += f"{_count(player.daily_points, 'daily point')} 每日登录分"
    met = f"Met {_count(player.partners, 'partner')} 对家 and {_count(player.opponents, 'opponent')} 对手"
    most = ", ".join(
        f"{each.player_id} (won {each.won_with} of {each.deals_with} with, "
        f"{each.won_against} of {each.deals_against} against)"
        for each in companions.companions
    )
    return [Text(days), Text(f"{met}, most often {most}" if most else met)]


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'s'[: number != 1]}"


def hidden_lines(player: scoring_pb2.GetPlayerResponse, shown: int) -> list[Text]:
    """That there are more matches than a stranger is told of; ``shown``: how many it is."""
    hidden = min(_FEW, sum(row.matches for row in player.results)) - shown
    if hidden <= 0:
        return []
    why = "Matches at private tables 私密桌 are hidden from you; --name says who you are"
    return [Text(why, "dim")]


def _matches(answer: scoring_pb2.ListMatchesResponse, folder: DataFolder) -> list[Text]:
    if not answer.matches:
        return []
    table: list[list[Text | str]] = [[Text(title, "dim") for title in ("match", "game", "winners", "table")]]
    for match in answer.matches:
        ended = datetime.fromtimestamp(match.ended_ms / 1000, UTC).strftime("%Y-%m-%d %H:%M")
        winners = " + ".join(match.players[seat] for seat in match.winners) or "draw 平"
        table.append([ended, match.ruleset_id, winners, match.table_id])
    replay = folder.suggest("watch TABLE --from-start")
    return [*rows(table), Text(f"See one again 回放: {replay}", "dim")]
