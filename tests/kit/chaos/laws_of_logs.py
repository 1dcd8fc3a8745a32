"""A log is a match: one winner per turn, cards that are held, clocks that never go back, an end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise

from kit.chaos.hands import hands_after
from kit.chaos.history import History, Stored
from shuangkou.v1.events_pb2 import Commit

Broken = tuple[str, str, str]

_CLOCK = "clocks are monotone"
_NEW_DEADLINES = ("seat_hosted", "seat_reclaimed")


def logs_hold(history: History, stored: Stored) -> Iterator[Broken]:
    """All that is broken."""
    for table_id in history.tables:
        commits = stored.commits.get(table_id, ())
        yield from _is_sound(table_id, commits)
        for before, after in pairwise(commits):
            yield from _has_one_winner(before, after)
            yield from _keeps_time(before, after)
        for hands in hands_after(commits, stored.secrets.get(table_id, ())):
            if hands.not_held:
                what = f"version {hands.version} plays {hands.not_held}, which the seat does not hold"
                yield "cards are played once", table_id, what


def _is_sound(table_id: str, commits: Sequence[Commit]) -> Iterator[Broken]:
    versions = [commit.version for commit in commits]
    if versions != list(range(1, len(commits) + 1)):
        yield "versions are 1, 2, 3, …", table_id, f"{versions}"
    keys = Counter((commit.actor, commit.command_id) for commit in commits)
    for (actor, command_id), times in keys.items():
        if times > 1:
            yield "a command is done once", table_id, f"{command_id} of {actor} is stored {times} times"
    kinds = [event.WhichOneof("event") for event in commits[-1].events] if commits else []
    if "match_finished" not in kinds:
        yield "every table is finished", table_id, f"it stopped at version {len(commits)}"


def _has_one_winner(before: Commit, after: Commit) -> Iterator[Broken]:
    """Who plays or passes was asked to by the commit before, so no turn is taken twice."""
    for event in after.events:
        kind = event.WhichOneof("event")
        if kind not in ("cards_played", "passed"):
            continue
        seat = event.cards_played.seat if kind == "cards_played" else event.passed.seat
        if seat not in before.next.seats:
            what = f"version {after.version} is an act of seat {seat}, asked was {list(before.next.seats)}"
            yield "a turn has one winner", after.table_id, what


def _keeps_time(before: Commit, after: Commit) -> Iterator[Broken]:
    table_id, version, deadline_ms = after.table_id, after.version, after.next.deadline_ms
    if after.time_ms < before.time_ms:
        yield _CLOCK, table_id, f"version {version} is older than the last"
    if 0 < deadline_ms < after.time_ms:
        yield _CLOCK, table_id, f"the deadline of version {version} had passed when it was set"
    kinds = [event.WhichOneof("event") for event in after.events]
    if "deadline_passed" in kinds and after.time_ms < before.next.deadline_ms:
        yield (
            _CLOCK,
            table_id,
            f"version {version} took {before.next.deadline_ms - after.time_ms} ms of a turn",
        )
    is_same_turn = before.next.seats == after.next.seats and before.next.kind == after.next.kind
    is_act = any(kind in ("cards_played", "passed", "deal_started") for kind in kinds)
    is_as_before = is_same_turn and not is_act and not set(kinds) & set(_NEW_DEADLINES)
    if is_as_before and 0 < deadline_ms < before.next.deadline_ms:
        yield _CLOCK, table_id, f"version {version} moved the deadline of a turn back"
