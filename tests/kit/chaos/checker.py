"""Compares everything that clients were told with the log. Each law has a name; a finding cites it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from kit.chaos.history import CommandKey, History, Stored
from shuangkou.v1.events_pb2 import Commit
from shuangkou.v1.table_pb2 import ActRequest

ENGINE = "engine"


@dataclass(frozen=True, slots=True)
class Finding:
    """A law that does not hold, at a table, and how."""

    law: str
    table_id: str
    what: str


def check(history: History, stored: Stored) -> list[Finding]:
    """All findings, in no particular order; none is what is hoped for."""
    return [
        *(Finding("a table is answered for", table_id, what) for table_id, what in history.absurd),
        *_acked_is_stored(history, stored),
        *_refused_is_not_stored(history, stored),
        *_watchers_saw_a_prefix(history, stored),
        *(found for table_id in history.tables for found in _log_is_sound(table_id, stored)),
        *(found for table_id in history.tables for found in _deals_settled_once(table_id, stored)),
    ]


def _acked_is_stored(history: History, stored: Stored) -> Iterator[Finding]:
    for ack in history.acks:
        table_id, actor, command_id = ack.key
        commits = stored.commits[table_id]
        if ack.version > len(commits):
            yield Finding("acked is stored", table_id, f"{command_id} made {ack.version} of {len(commits)}")
            continue
        commit = commits[ack.version - 1]
        if (commit.actor, commit.command_id) != (actor, command_id):
            what = f"version {ack.version} is {commit.command_id} of {commit.actor}, not {command_id}"
            yield Finding("acked is stored", table_id, what)
        elif not _does(commit, ack.request):
            yield Finding("acked is stored", table_id, f"{command_id} did something else")


def _does(commit: Commit, request: ActRequest) -> bool:
    if request.WhichOneof("command") != "play_cards":
        return True
    plays = [event.cards_played for event in commit.events if event.WhichOneof("event") == "cards_played"]
    asked = sorted(request.play_cards.cards)
    return any(play.seat == request.seat and sorted(play.cards) == asked for play in plays)


def _refused_is_not_stored(history: History, stored: Stored) -> Iterator[Finding]:
    keys = {_key(commit) for commits in stored.commits.values() for commit in commits}
    for key, code in history.refused.items():
        if key in keys:
            yield Finding("refused changes nothing", key[0], f"{key[2]} was refused: {code}")


def _watchers_saw_a_prefix(history: History, stored: Stored) -> Iterator[Finding]:
    parts = ((watcher, part) for watcher, told in history.told.items() for part in told)
    for watcher, told in parts:
        for before, after in pairwise(told):
            if after.version != before.version + 1:
                what = f"{watcher} was told {before.version}, then {after.version}"
                yield Finding("a stream has no gap and no repeat", after.table_id, what)
        for commit in told:
            commits = stored.commits[commit.table_id]
            if commit.version > len(commits):
                what = f"{watcher} was told version {commit.version} of {len(commits)}"
                yield Finding("nobody sees what is not stored", commit.table_id, what)
            elif _public(commits[commit.version - 1]) != _public(commit):
                what = f"{watcher} was told another version {commit.version}"
                yield Finding("nobody sees what is not stored", commit.table_id, what)


def _log_is_sound(table_id: str, stored: Stored) -> Iterator[Finding]:
    commits = stored.commits[table_id]
    versions = [commit.version for commit in commits]
    if versions != list(range(1, len(commits) + 1)):
        yield Finding("versions are 1, 2, 3, …", table_id, f"{versions}")
    for key, times in Counter(_key(commit) for commit in commits).items():
        if times > 1:
            yield Finding("a command is done once", table_id, f"{key[2]} of {key[1]} is stored {times} times")
    for before, after in pairwise(commits):
        if after.time_ms < before.time_ms:
            yield Finding("clocks are monotone", table_id, f"version {after.version} is older than the last")
        yield from _has_one_winner(before, after)
    if not commits or commits[-1].events[-1].WhichOneof("event") != "match_finished":
        yield Finding("every table is finished", table_id, f"it stopped at version {len(commits)}")


def _has_one_winner(before: Commit, after: Commit) -> Iterator[Finding]:
    """Who plays or passes was asked to by the commit before, so no turn is taken twice."""
    for event in after.events:
        kind = event.WhichOneof("event")
        if kind not in ("cards_played", "passed"):
            continue
        seat = event.cards_played.seat if kind == "cards_played" else event.passed.seat
        if seat not in before.next.seats:
            what = f"version {after.version} is an act of seat {seat}, asked was {list(before.next.seats)}"
            yield Finding("a turn has one winner", after.table_id, what)


def _deals_settled_once(table_id: str, stored: Stored) -> Iterator[Finding]:
    ended = [
        commit.version
        for commit in stored.commits[table_id]
        if any(event.WhichOneof("event") in ("deal_settled", "deal_voided") for event in commit.events)
    ]
    settled = sorted(settlement.version for settlement in stored.settlements.get(table_id, ()))
    if ended != settled:
        yield Finding("a deal is settled once", table_id, f"ended in versions {ended}, settled {settled}")


def _key(commit: Commit) -> CommandKey:
    return commit.table_id, commit.actor, commit.command_id


def _public(commit: Commit) -> bytes:
    """What readers are to rely on; engines keep their bookkeeping to themselves."""
    copy = Commit.FromString(commit.SerializeToString())
    copy.ClearField("bookkeeping")
    return copy.SerializeToString(deterministic=True)
