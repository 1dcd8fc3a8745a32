"""What was answered is stored, in the order of the answers; what was refused is not, and for a reason."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from heapq import heappop, heappush

from kit.chaos.history import Ack, CommandKey, History, No, Stored
from shuangkou.v1.events_pb2 import Commit
from shuangkou.v1.table_pb2 import ActRequest

Broken = tuple[str, str, str]

_OUT_OF_TURN = ("turn/not_your_turn", "state/stale_version")
_UNTRUE = ("table/unknown", "seat/not_yours")
_CLOCK_SLACK_MS = 50.0


def answers_hold(history: History, stored: Stored) -> Iterator[Broken]:
    """All that is broken."""
    yield from _acked_is_stored(history, stored)
    yield from _acks_keep_their_order(history)
    yield from _refused_is_not_stored(history, stored)
    for no in history.refused:
        yield from _is_deserved(no, stored.commits.get(no.key[0], ()))
    yield from _tickets_hold(history, stored)


def _acked_is_stored(history: History, stored: Stored) -> Iterator[Broken]:
    for ack in history.acks:
        table_id, actor, command_id = ack.key
        commits = stored.commits.get(table_id, ())
        if ack.version > len(commits):
            yield "acked is stored", table_id, f"{command_id} made {ack.version} of {len(commits)}"
            continue
        commit = commits[ack.version - 1]
        if (commit.actor, commit.command_id) != (actor, command_id):
            what = f"version {ack.version} is {commit.command_id} of {commit.actor}, not {command_id}"
            yield "acked is stored", table_id, what
        elif not _does(commit, ack.request):
            yield "acked is stored", table_id, f"{command_id} did something else"


def _does(commit: Commit, request: ActRequest) -> bool:
    if request.WhichOneof("command") != "play_cards":
        return any(event.HasField("passed") and event.passed.seat == request.seat for event in commit.events)
    plays = [event.cards_played for event in commit.events if event.HasField("cards_played")]
    asked = sorted(request.play_cards.cards)
    return any(play.seat == request.seat and sorted(play.cards) == asked for play in plays)


def _acks_keep_their_order(history: History) -> Iterator[Broken]:
    """What was answered before a command was first sent has an older version than that."""
    by_table: dict[str, dict[CommandKey, list[Ack]]] = defaultdict(lambda: defaultdict(list))
    for ack in history.acks:
        by_table[ack.key[0]][ack.key].append(ack)
    for table_id, by_key in by_table.items():
        firsts = sorted((min(ack.sent_at for ack in acks), acks[0]) for acks in by_key.values())
        answered: list[tuple[float, int]] = []
        newest = 0
        for sent_at, ack in firsts:
            while answered and answered[0][0] < sent_at:
                newest = max(newest, heappop(answered)[1])
            if ack.version <= newest:
                what = f"{ack.key[2]} made {ack.version} after {newest} had been answered"
                yield "answers keep their order", table_id, what
            heappush(answered, (min(each.at for each in by_key[ack.key]), ack.version))


def _refused_is_not_stored(history: History, stored: Stored) -> Iterator[Broken]:
    late = set(map(id, late_repeats(history, stored)))
    by_key = _commits_by_key(stored)
    for no in history.refused:
        if no.key in by_key and id(no) not in late:
            yield "refused changes nothing", no.key[0], f"{no.key[2]} was refused: {no.code}"


def late_repeats(history: History, stored: Stored) -> list[No]:
    """Commands that were refused and done all the same: an earlier attempt had been held up on its way.

    Only a command that does not name the version that it is meant for can have such a late success.
    """
    by_key = _commits_by_key(stored)
    return [
        no
        for no in history.refused
        if no.key in by_key
        and not no.request.HasField("expected_version")
        and by_key[no.key].time_ms > no.answered_ms
    ]


def _commits_by_key(stored: Stored) -> dict[CommandKey, Commit]:
    return {
        (commit.table_id, commit.actor, commit.command_id): commit
        for commits in stored.commits.values()
        for commit in commits
    }


def _is_deserved(no: No, commits: Sequence[Commit]) -> Iterator[Broken]:
    """Between what the client knew and the answer there was a version for which the refusal is right."""
    what = f"{no.key[2]} at version {no.known} was refused: {no.code}"
    if no.code in _UNTRUE:
        yield "a refusal is deserved", no.key[0], what
    if no.code not in _OUT_OF_TURN:
        return
    seen = (
        commit
        for commit in commits[max(0, no.known - 1) :]
        if commit.time_ms <= no.answered_ms + _CLOCK_SLACK_MS
    )
    if no.code == "state/stale_version":
        is_right = any(commit.version != no.request.expected_version for commit in seen)
    else:
        is_right = any(no.request.seat not in commit.next.seats for commit in seen)
    if not is_right:
        yield "a refusal is deserved", no.key[0], what


def _tickets_hold(history: History, stored: Stored) -> Iterator[Broken]:
    for ticket in history.tickets:
        first = next(iter(stored.commits.get(ticket.table_id, ())), Commit())
        taken = {each.seat_taken.seat: each.seat_taken.player_id for each in first.events}
        if taken.get(ticket.seat) != ticket.player:
            yield "a ticket is a seat", ticket.table_id, f"{ticket.player} does not sit on {ticket.seat}"
        uses = [
            match.table_id
            for matches in stored.matches.values()
            for match in matches
            if ticket.ticket_id in match.ticket_ids
        ]
        if uses != [ticket.table_id]:
            yield "a ticket is used once", ticket.table_id, f"{ticket.ticket_id} is published for {uses}"
