"""In which order a commit is told."""

from __future__ import annotations

from shuangkou.v1 import events_pb2


def as_told(commit: events_pb2.Commit) -> list[events_pb2.Event]:
    """The events of a commit in the order in which a person likes to hear of them: a missed deadline first,
    then what was played because of it.
    """
    return sorted(commit.events, key=lambda event: not event.HasField("deadline_passed"))
