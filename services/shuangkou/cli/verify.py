"""`shuangkou verify`: a table's public record against the rules."""

from __future__ import annotations

import re
from contextlib import aclosing
from typing import Final

from google.protobuf.message import DecodeError
from rich.text import Text

from shuangkou.cli.broker import analysts_broker
from shuangkou.cli.folder import DataFolder
from shuangkou.cli.problem import BAD_INPUT, FAILED, Problem
from shuangkou.cli.stream import Reading, read_events
from shuangkou.cli.terminal import Terminal
from shuangkou.cli.verification import CheckedDeal, Verdict, verify_commits
from shuangkou.v1 import events_pb2

_TABLE_ID: Final = re.compile(r"[A-Za-z0-9_-]+")


async def verify(folder: DataFolder, table_id: str, terminal: Terminal) -> int:
    """Check everything that the event stream has of a table, and say what was found.

    The exit code says whether all agrees. Problem when the stream has no such table.
    """
    missing = Problem(f"the stream has no event of a table {table_id!r}", BAD_INPUT)
    if not _TABLE_ID.fullmatch(table_id):
        raise missing
    reading = Reading(f"events.table.*.{table_id}", from_start=True, follow=False, missing=missing)
    commits = []
    async with aclosing(read_events(analysts_broker(folder), reading, lambda: None)) as messages:
        async for message in messages:
            try:
                commits.append(events_pb2.Commit.FromString(message.payload))
            except DecodeError:
                raise Problem(f"{message.subject}: a message that cannot be read", FAILED) from None
    verdict = verify_commits(commits)
    for line in verdict_lines(table_id, verdict):
        terminal.say(line)
    return 0 if verdict.agrees else FAILED


def verdict_lines(table_id: str, verdict: Verdict) -> list[Text]:
    """What was found, deal by deal, and whether all agrees."""
    rules = verdict.ruleset
    game = "" if rules is None else f" · {rules.name_en} {rules.name_zh}"
    lines = [Text(f"Table {table_id}{game}", "bold")]
    for deal in verdict.deals:
        lines += _deal_lines(deal)
    lines += [_fault(fault) for fault in verdict.faults]
    if verdict.is_open:
        lines.append(Text("  the last deal is still played: its seed is not known yet 未结束，不核验", "dim"))
    if verdict.agrees and not verdict.deals:
        return [*lines, Text("Nothing to verify yet 尚无可核验: no deal of this table is over", "bold")]
    acts, deals = sum(deal.acts for deal in verdict.deals), len(verdict.deals)
    counted = f"{deals} deal{'s'[: deals != 1]} {deals}局, {acts} acts {acts}着"
    if verdict.agrees:
        return [*lines, Text(f"Verified 核验: {counted}; all agrees 全部相符", "bold green")]
    return [*lines, Text(f"Verified 核验: {counted}; the record does NOT agree 不符", "bold red")]


def _deal_lines(deal: CheckedDeal) -> list[Text]:
    told = Text(f"  deal {deal.number} 第{deal.number}局: {deal.acts} acts")
    if not deal.faults and not deal.untold:
        told.append("; seed, hands, acts and result agree 相符")
    lines = [told]
    if deal.untold:
        why = f"    from {deal.untold} on not decided again, the record does not tell them 记录未载"
        lines.append(Text(why, "yellow"))
    return [*lines, *map(_fault, deal.faults)]


def _fault(fault: str) -> Text:
    return Text(f"    ✗ {fault}", "red")
