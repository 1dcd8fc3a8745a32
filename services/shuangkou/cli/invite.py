"""`shuangkou invite`: more players are let into a private table."""

from __future__ import annotations

from collections.abc import Sequence

from rich.text import Text

from shuangkou.cli.clients import Refused, connect, new_id, sparingly
from shuangkou.cli.folder import DataFolder
from shuangkou.cli.problem import BAD_INPUT, Problem
from shuangkou.cli.terminal import Terminal
from shuangkou.v1 import table_pb2


async def invite(
    folder: DataFolder, player: str, table_id: str, names: Sequence[str], terminal: Terminal
) -> int:
    """Invite the players ``names`` as ``player``; Problem when the suite refuses that."""
    trouble = Text("(the suite does not answer; trying again)", "dim")
    async with connect(folder, player, sparingly(lambda: terminal.remark(trouble))) as clients:
        request = table_pb2.InvitePlayersRequest(table_id=table_id, command_id=new_id(), player_ids=names)
        try:
            await clients.ask(clients.tables.InvitePlayers, request)
        except Refused as refused:
            raise Problem(str(refused), BAD_INPUT) from None
    terminal.say(f"Invited 邀请: {', '.join(names)}. To take an open seat, or to look on:")
    for command in ("play --table", "watch"):
        terminal.whole(f"  {folder.suggest(f'{command} {table_id} --name NAME')}")
    return 0
