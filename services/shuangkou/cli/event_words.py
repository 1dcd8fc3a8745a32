"""Events around a game (赛事) in English and 中文."""

from __future__ import annotations

import time
from typing import Final

from shuangkou.cli.words import Words, side_words
from shuangkou.rules.match_events import available_events, load_event
from shuangkou.v1 import events_pb2, table_pb2

_REASONS: Final = {
    events_pb2.EVENT_REASON_DEAL: Words("by the last deal", "末局定胜负"),
    events_pb2.EVENT_REASON_TOTALS: Words("by points", "总分领先"),
    events_pb2.EVENT_REASON_THINKING: Words("at the bell, for the others thought longer", "对方超时判负"),
    events_pb2.EVENT_REASON_LOT: Words("by lot", "抽签"),
}


def event_words(terms: events_pb2.EventTerms) -> str:
    """The name of an event and what was chosen of it."""
    event_id, name = terms.event_id, terms.event_id
    if event_id in available_events():
        event = load_event(event_id)
        name = f"{event.name_en} {event.name_zh}"
    return name + "".join(f" · {key} = {value}" for key, value in sorted(terms.options.items()))


def outcome_words(outcome: events_pb2.EventOutcome) -> str:
    """Who won a match in an event, and by what."""
    why = _REASONS.get(outcome.reason, Words("as the event says", "按赛事规程"))
    return f"{side_words(outcome.winner)} win 胜出, {why}"


def event_lines(view: table_pb2.SeatView) -> list[str]:
    """The event of a table, and how long it is until the bell or who won; none without an event."""
    if not view.HasField("event"):
        return []
    told = [f"Event 赛事: {event_words(view.event.terms)}"]
    if view.event.HasField("outcome"):
        told.append(outcome_words(view.event.outcome))
    elif view.next.bell_ms:
        minutes, seconds = divmod(max(0, round(view.next.bell_ms / 1000 - time.time())), 60)
        told.append(f"Bell in 距到时 {minutes}:{seconds:02}")
    return told
