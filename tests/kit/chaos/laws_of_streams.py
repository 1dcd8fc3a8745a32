"""Every watcher is told the log from its beginning to its end; so are analysts, and the engines' own feed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from kit.chaos.history import History, Part, Stored, Watcher
from shuangkou.v1.events_pb2 import Commit

Broken = tuple[str, str, str]

_GAP = "a stream has no gap and no repeat"
_UNSTORED = "nobody sees what is not stored"


def streams_hold(history: History, stored: Stored) -> Iterator[Broken]:
    """All that is broken."""
    for watcher, parts in history.told.items():
        commits = stored.commits.get(watcher[1], ())
        for part in parts:
            yield from _is_part_of(watcher, part, commits)
        if parts[-1].version < len(commits):
            what = f"{watcher[0]} was told {parts[-1].version} of {len(commits)}"
            yield "a stream comes to the end", watcher[1], what
    for watcher, view in history.views:
        commits = stored.commits.get(watcher[1], ())
        if view.version > len(commits) or commits[view.version - 1].next != view.next:
            yield _UNSTORED, watcher[1], f"{watcher[0]} was shown another version {view.version}"
    yield from _events_are_the_log(history, stored)
    yield from _feed_is_of_the_log(history, stored)


def _is_part_of(watcher: Watcher, part: Part, commits: Sequence[Commit]) -> Iterator[Broken]:
    name, table_id = watcher
    versions = [part.after, *(update.commit.version for update in part.updates)]
    for before, after in pairwise(versions):
        if after != before + 1:
            yield _GAP, table_id, f"{name} was told {before}, then {after}"
    for update in part.updates:
        version = update.commit.version
        if version > len(commits):
            yield _UNSTORED, table_id, f"{name} was told version {version} of {len(commits)}"
        elif _public(commits[version - 1]) != _public(update.commit):
            yield _UNSTORED, table_id, f"{name} was told another version {version}"


def _events_are_the_log(history: History, stored: Stored) -> Iterator[Broken]:
    for table_id in history.tables:
        log = [commit.version for commit in stored.commits.get(table_id, ())]
        events = [commit.version for commit in stored.events.get(table_id, ())]
        if log != events:
            yield "analysts get the log", table_id, f"{len(log)} commits, but they got {events}"
        elif list(stored.commits.get(table_id, ())) != list(stored.events.get(table_id, ())):
            yield "analysts get the log", table_id, "they got other commits"


def _feed_is_of_the_log(history: History, stored: Stored) -> Iterator[Broken]:
    for subject, payload in history.heard:
        commit = Commit.FromString(payload)
        commits = stored.commits.get(commit.table_id, ())
        if commit.version > len(commits) or commits[commit.version - 1] != commit:
            yield _UNSTORED, commit.table_id, f"{subject} told another version {commit.version}"


def _public(commit: Commit) -> bytes:
    """What readers are to rely on; engines keep their bookkeeping to themselves."""
    copy = Commit.FromString(commit.SerializeToString())
    copy.ClearField("bookkeeping")
    return copy.SerializeToString(deterministic=True)
