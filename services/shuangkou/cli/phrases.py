"""One public event in a few words, for a line of the event stream."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from shuangkou.cli.faces import card_row
from shuangkou.cli.settlement import points
from shuangkou.cli.words import PLACES, SEATS, combination_words, result_words
from shuangkou.v1 import events_pb2
from shuangkou.wire.cards import cards_from_wire


def commit_phrase(commit: events_pb2.Commit) -> str:
    """Everything that one commit did."""
    return "; ".join(_event_phrase(event) for event in commit.events)


def stored_phrase(stored: events_pb2.SettlementStored) -> str:
    """A settlement that the ledger has."""
    deal = stored.deal
    return f"deal {deal.number} is in the ledger 入账: {_by_player(deal.players, deal.scores)}"


def matched_phrase(matched: events_pb2.TableMatched) -> str:
    """A table that came from the queue."""
    return f"matched 配桌: {', '.join(matched.players)}"


def _event_phrase(event: events_pb2.Event) -> str:
    kind = event.WhichOneof("event")
    return _PHRASES[kind](getattr(event, kind)) if kind else "something new happened"


def _played(event: events_pb2.CardsPlayed) -> str:
    cards = card_row(cards_from_wire(event.cards)).plain
    return f"{SEATS[event.seat]} plays {cards}, {combination_words(event.combination)}"


def _settled(event: events_pb2.DealSettled) -> str:
    result = f"{result_words(event.climbing.result)} × {event.climbing.multiplier}"
    return f"deal {event.number} settled 结算: {result}, {_by_player(event.players, event.scores)}"


def _by_player(players: Iterable[str], scores: Iterable[int]) -> str:
    return ", ".join(f"{player} {points(score)}" for player, score in zip(players, scores, strict=False))


def _seats(totals: Iterable[int]) -> str:
    return ", ".join(f"{SEATS[seat]} {points(total)}" for seat, total in enumerate(totals))


_PHRASES: dict[str, Callable[[Any], str]] = {
    "table_created": lambda event: f"table opened by {event.creator} 开桌",
    "seat_taken": lambda event: f"{SEATS[event.seat]} is {event.player_id or f'bot {event.persona}'}",
    "seat_hosted": lambda event: f"{SEATS[event.seat]} is played by a bot 托管",
    "seat_reclaimed": lambda event: f"{SEATS[event.seat]} is back 取消托管",
    "deadline_passed": lambda event: f"{SEATS[event.seat]} ran out of time 超时",
    "deal_started": lambda event: f"deal {event.number} 第{event.number}局, {SEATS[event.leader]} leads 首出",
    "cards_played": _played,
    "passed": lambda event: f"{SEATS[event.seat]} passes 不要",
    "seat_went_out": lambda event: f"{SEATS[event.seat]} is out {PLACES[event.place - 1]}",
    "trick_ended": lambda event: f"{SEATS[event.winner]} takes the trick",
    "lead_inherited": lambda event: f"{SEATS[event.seat]} inherits the lead 接风",
    "deal_settled": _settled,
    "match_finished": lambda event: f"match over 终局: {_seats(event.totals)}",
}
