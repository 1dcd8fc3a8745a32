"""What an operator reads of a table in the engine's log: where it begins and ends, not every act."""

import logging
from collections.abc import Callable
from typing import Any

from shuangkou.chassis.logs import logger
from shuangkou.v1 import events_pb2

_About = Callable[[events_pb2.Event], dict[str, Any]]

_TOLD: dict[str, tuple[str, _About]] = {
    "table_created": ("table_opened", lambda event: {"deals": event.table_created.deals}),
    "players_invited": (
        "players_invited",
        lambda event: {"players": len(event.players_invited.player_ids)},
    ),
    "deal_started": ("deal_started", lambda event: {"deal": event.deal_started.number}),
    "deal_settled": (
        "deal_settled",
        lambda event: {"deal": event.deal_settled.number, "scores": list(event.deal_settled.scores)},
    ),
    "deal_voided": ("deal_voided", lambda event: {"deal": event.deal_voided.number}),
    "seat_forfeited": ("seat_forfeited", lambda event: {"seat": event.seat_forfeited.seat}),
    "match_finished": ("match_over", lambda event: {"totals": list(event.match_finished.totals)}),
    "seat_hosted": (
        "seat_hosted",
        lambda event: {
            "seat": event.seat_hosted.seat,
            "reason": events_pb2.HostReason.Name(event.seat_hosted.reason),
        },
    ),
    "seat_reclaimed": ("seat_reclaimed", lambda event: {"seat": event.seat_reclaimed.seat}),
}


class Journal:
    """Tells of commits that this engine has stored."""

    def __init__(self) -> None:
        # Asked once: a line that is not written must cost an act next to nothing.
        self._tells_all = logger().is_enabled_for(logging.DEBUG)

    def tell(self, commit: events_pb2.Commit) -> None:
        """One line for each event that is worth one; at debug level one for every commit as well."""
        kinds = [event.WhichOneof("event") for event in commit.events]
        for event, kind in zip(commit.events, kinds, strict=True):
            if kind in _TOLD:
                name, about = _TOLD[kind]
                logger().info(name, **_place(commit), **about(event))
        if self._tells_all:
            logger().debug("committed", **_place(commit), actor=commit.actor, events=kinds)


def _place(commit: events_pb2.Commit) -> dict[str, Any]:
    return {"table_id": commit.table_id, "ruleset_id": commit.ruleset_id, "version": commit.version}
