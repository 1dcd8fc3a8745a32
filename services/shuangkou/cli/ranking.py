"""`shuangkou leaderboard`: who leads, by points or by rating."""

from __future__ import annotations

from dataclasses import dataclass

from rich.text import Text

from shuangkou.cli.clients import Clients, Refused, connect
from shuangkou.cli.columns import rows
from shuangkou.cli.folder import DataFolder
from shuangkou.cli.problem import BAD_INPUT, Problem
from shuangkou.cli.rulebook import known_ruleset
from shuangkou.cli.settlement import minus, points
from shuangkou.cli.terminal import Terminal
from shuangkou.rules.ruleset import load
from shuangkou.v1 import events_pb2, scoring_pb2

_HEAD = ("rank", "player", "points", "deals", "won")
_RATING_HEAD = ("rank", "player", "rating", "sigma", "deals", "won", "连胜", "")
_NUMERIC = frozenset((0, 2, 3, 4))
_RATING_NUMERIC = frozenset((0, 2, 3, 4, 5, 6))

_NO_SEASON = frozenset(("scoring/bad_season", "scoring/no_season"))

# So many above the own row, and so many below.
_BESIDE = 10

Table = list[list[Text | str]]


@dataclass(frozen=True, slots=True)
class BoardOptions:
    """Which ranking is shown. family: all rulesets of that of ``ruleset_id``. season: empty for all time,
    or for the newest of ratings. around: whose rank is shown with those beside it, empty for the best.
    """

    ruleset_id: str
    bots: bool = False
    family: bool = False
    season: str = ""
    ratings: bool = False
    pairs: bool = False
    around: str = ""

    @property
    def is_rated(self) -> bool:
        """By rating, not by points."""
        return self.ratings or self.pairs


async def show_leaderboard(folder: DataFolder, options: BoardOptions, terminal: Terminal) -> int:
    """The best fifty, or who stands beside a player; Problem when there is no such ruleset or rank."""
    rules = known_ruleset(options.ruleset_id)
    async with connect(folder, "leaderboard", lambda: None) as clients:
        try:
            table = await (_ratings(clients, options) if options.is_rated else _points(clients, options))
        except Refused as refused:
            raise _told(refused, options) from None
    if len(table) == 1:
        terminal.say(why_empty(options))
        return 0
    is_of_all = options.family or options.is_rated
    game = (
        f"all games of the {rules.family} family 同类玩法 ({rules.id} is one)"
        if is_of_all
        else f"{rules.name_en} {rules.name_zh} ({rules.id})"
    )
    terminal.remark(Text(f"{game}; --ruleset shows another game", "dim"))
    for line in rows(table, _RATING_NUMERIC if options.is_rated else _NUMERIC):
        terminal.say(line)
    return 0


def _told(refused: Refused, options: BoardOptions) -> Problem:
    if refused.refusal.code == "scoring/not_ranked":
        return Problem(why_no_rank(options), BAD_INPUT)
    if refused.refusal.code in _NO_SEASON:
        return Problem(refused.refusal.explanation, BAD_INPUT)
    return refused


def why_no_rank(options: BoardOptions) -> str:
    """What a player does who is not in the ranking and would be."""
    when = f" in {options.season}" if options.season else ""
    if options.is_rated:
        tables = "at a table with a bot" if options.bots else "among people only"
        other = "leave out --bots" if options.bots else "add --bots"
        what = f"a deal of {_family_words(options)} {tables}"
        hint = f"{other} for the other kind of tables; "
    else:
        what = f"a deal of {_family_words(options) if options.family else options.ruleset_id}"
        hint = ""
    return f"{options.around!r} has not finished {what}{when} yet; {hint}--name says who you are"


def why_empty(options: BoardOptions) -> str:
    """Why the ranking has no row. Ratings are of a family of games, and apart for tables with bots."""
    when = f" in {options.season}" if options.season else ""
    if not options.is_rated:
        whom = "nobody" if options.bots else "no person (bots are shown with --bots)"
        game = _family_words(options) if options.family else options.ruleset_id
        return f"{whom} has finished a deal of {game}{when} yet"
    option = "--pairs" if options.pairs else "--ratings"
    if options.bots:
        tables = "at a table with a bot"
        other = f"{option} without --bots shows those among people only"
    else:
        tables = "among people only"
        other = f"{option} --bots shows those at tables with bots"
    return f"no deal of {_family_words(options)} {tables} has been rated{when} yet; {other}"


def _family_words(options: BoardOptions) -> str:
    """All games that are ranked together with this one."""
    return f"any game of the {load(options.ruleset_id).family} family 同类玩法 ({options.ruleset_id} is one)"


async def _points(clients: Clients, options: BoardOptions) -> Table:
    request = scoring_pb2.GetLeaderboardRequest(
        ruleset_id="" if options.family else options.ruleset_id,
        family=load(options.ruleset_id).family if options.family else "",
        include_bots=options.bots,
        season=options.season,
        from_player_id=options.around,
        page_size=_BESIDE + 1 if options.around else 0,
    )
    answer = await clients.ask(clients.scores.GetLeaderboard, request)
    shown = [*answer.rows]
    if options.around and answer.previous_page_token:
        request.page_size, request.page_token = _BESIDE, answer.previous_page_token
        shown = [*(await clients.ask(clients.scores.GetLeaderboard, request)).rows, *shown]
    table: Table = [[Text(title, "dim") for title in _HEAD]]
    for row in shown:
        figures = [points(row.points), str(row.deals), str(row.deals_won)]
        table.append(_marked([str(row.rank), row.player_id, *figures], row.player_id == options.around))
    return table


async def _ratings(clients: Clients, options: BoardOptions) -> Table:
    request = scoring_pb2.ListRatingsRequest(
        family=load(options.ruleset_id).family,
        season=options.season,
        pool=events_pb2.RATING_POOL_BOTS if options.bots else events_pb2.RATING_POOL_PEOPLE,
        pairs=options.pairs,
        from_player_ids=[options.around] if options.around else [],
        page_size=_BESIDE + 1 if options.around else 0,
    )
    answer = await clients.ask(clients.scores.ListRatings, request)
    shown = [*answer.rows]
    if options.around and answer.previous_page_token:
        request.page_size, request.page_token = _BESIDE, answer.previous_page_token
        shown = [*(await clients.ask(clients.scores.ListRatings, request)).rows, *shown]
    table: Table = [[Text(title, "dim") for title in _RATING_HEAD]]
    for row in shown:
        names = " + ".join(row.rating.player_ids)
        table.append(_marked([str(row.rank), names, *_figures(row.rating)], names == options.around))
    return table


def _marked(cells: list[str], is_own: bool) -> list[Text | str]:
    """A player's own row stands out."""
    return [Text(cell, "bold") for cell in cells] if is_own else [*cells]


def _figures(rating: scoring_pb2.Rating) -> list[str]:
    return [
        minus(f"{rating.value:.1f}"),
        f"{rating.sigma:.1f}",
        str(rating.deals),
        str(rating.deals_won),
        str(rating.streak),
        "new 暂定" if rating.is_provisional else "",
    ]
