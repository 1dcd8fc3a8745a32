"""`shuangkou leaderboard`: who leads."""

from __future__ import annotations

from rich.text import Text

from shuangkou.cli.clients import connect
from shuangkou.cli.columns import rows
from shuangkou.cli.folder import DataFolder
from shuangkou.cli.rulebook import known_ruleset
from shuangkou.cli.settlement import points
from shuangkou.cli.terminal import Terminal
from shuangkou.v1 import scoring_pb2

_HEAD = ("rank", "player", "points", "deals", "won")
_NUMERIC = frozenset((0, 2, 3, 4))


async def show_leaderboard(folder: DataFolder, ruleset_id: str, bots: bool, terminal: Terminal) -> int:
    """The best fifty of a ruleset by points; Problem when there is no such ruleset."""
    rules = known_ruleset(ruleset_id)
    request = scoring_pb2.GetLeaderboardRequest(ruleset_id=ruleset_id, include_bots=bots)
    async with connect(folder, "leaderboard", lambda: None) as clients:
        answer = await clients.ask(clients.scores.GetLeaderboard, request)
    if not answer.rows:
        whom = "nobody" if bots else "no person (bots are shown with --bots)"
        terminal.say(f"{whom} has finished a deal of {ruleset_id} yet")
        return 0
    game = f"{rules.name_en} {rules.name_zh}"
    terminal.remark(Text(f"{game} ({ruleset_id}); --ruleset shows another game", "dim"))
    table: list[list[Text | str]] = [[Text(title, "dim") for title in _HEAD]]
    table += [
        [str(row.rank), row.player_id, points(row.points), str(row.deals), str(row.deals_won)]
        for row in answer.rows
    ]
    for line in rows(table, _NUMERIC):
        terminal.say(line)
    return 0
