"""One public event in a few words, for a line of the event stream."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from shuangkou.cli.clock_words import seconds
from shuangkou.cli.event_words import event_words, outcome_words
from shuangkou.cli.faces import card_row
from shuangkou.cli.opening_words import marks_words, seat_words
from shuangkou.cli.settlement import points
from shuangkou.cli.telling import as_told
from shuangkou.cli.tricks_words import decided_words, fixed_words, turned_words
from shuangkou.cli.words import (
    DISCARDED,
    FORCED,
    PLACES,
    SEATS,
    first_phase_words,
    options_of,
    phase_words,
    play_words,
    result_words,
    side_words,
    stars_of,
    tricks_options_of,
    void_words,
)
from shuangkou.v1 import events_pb2
from shuangkou.wire.cards import cards_from_wire


def commit_phrase(commit: events_pb2.Commit) -> str:
    """Everything that one commit did."""
    return "; ".join(_event_phrase(event, commit.ruleset_id) for event in as_told(commit))


def ratings_phrase(changed: events_pb2.RatingsChanged) -> str:
    """Whose rating went where by a deal, players before pairs."""
    moves = ", ".join(
        f"{' + '.join(change.player_ids)} {change.mu_before:.1f} to {change.mu:.1f}"
        for change in changed.changes
    )
    return f"deal {changed.deal_number} changes ratings 等级分: {moves}" if moves else "no rating changed"


def stored_phrase(stored: events_pb2.SettlementStored) -> str:
    """A settlement that the ledger has."""
    is_void = stored.HasField("voided")
    deal = stored.voided if is_void else stored.deal
    what = "void deal 流局" if is_void else "deal"
    outcome = f"; {outcome_words(stored.match.event)}" if stored.match.HasField("event") else ""
    return f"{what} {deal.number} is in the ledger 入账: {_by_player(deal.players, deal.scores)}{outcome}"


def matched_phrase(matched: events_pb2.TableMatched) -> str:
    """A table that came from the queue."""
    occasion = f" for {event_words(matched.event)}" if matched.HasField("event") else ""
    return f"matched 配桌: {', '.join(matched.players)}{occasion}"


def _event_phrase(event: events_pb2.Event, ruleset_id: str) -> str:
    kind = event.WhichOneof("event") or ""
    told = getattr(event, kind) if kind else None
    does = seat_words(kind, told, tricks_options_of(ruleset_id))
    if does is not None and told is not None:
        return f"{SEATS[told.seat]} {does}"
    if kind == "passed" and (options := options_of(ruleset_id)) and options.discards:
        return f"{SEATS[event.passed.seat]} keeps the last card 报桌"
    if kind == "deal_started":
        return _started(event.deal_started, ruleset_id)
    if kind == "cards_played":
        return _played(event.cards_played, ruleset_id)
    return _PHRASES[kind](getattr(event, kind)) if kind in _PHRASES else "something new happened"


def _started(event: events_pb2.DealStarted, ruleset_id: str) -> str:
    if event.HasField("tricks"):
        return f"deal {event.number} 第{event.number}局, {SEATS[event.dealt_from]} draws first 先摸"
    first = first_phase_words(ruleset_id)
    begins = "leads 首出" if first is None else f"begins 先行: {first}"
    return f"deal {event.number} 第{event.number}局, {SEATS[event.leader]} {begins}"


def _played(event: events_pb2.CardsPlayed, ruleset_id: str) -> str:
    suited = tricks_options_of(ruleset_id) is not None
    cards = card_row(cards_from_wire(event.cards), suited).plain
    forced = FORCED if event.is_forced else ""
    beside = DISCARDED if event.is_discard else ""
    what = play_words(event, stars_of(ruleset_id))
    return f"{SEATS[event.seat]} plays {cards}{', ' if what else ''}{what}{forced}{beside}"


def _began(event: events_pb2.PhaseBegan) -> str:
    who = f" with {SEATS[event.turn]}" if event.HasField("turn") else ""
    return f"{phase_words(event.phase)} begins{who}"


def _shown(event: events_pb2.FaceCardShown) -> str:
    card = card_row(cards_from_wire((event.card,))).plain
    return f"face-up card 明牌 {card} for {SEATS[event.first]} and {SEATS[event.second]}"


def _voided(event: events_pb2.DealVoided) -> str:
    scores = _by_player(event.players, event.scores)
    return f"deal {event.number} is void 流局 ({void_words(event)}): {scores}"


def _settled(event: events_pb2.DealSettled) -> str:
    result = f"{result_words(event.climbing.result)} × {event.climbing.multiplier}"
    if event.HasField("tricks"):
        result = f"{event.tricks.score} points 分 for {side_words(event.tricks.attackers)}"
    return f"deal {event.number} settled 结算: {result}, {_by_player(event.players, event.scores)}"


def _by_player(players: Iterable[str], scores: Iterable[int]) -> str:
    return ", ".join(f"{player} {points(score)}" for player, score in zip(players, scores, strict=False))


def _seats(totals: Iterable[int]) -> str:
    return ", ".join(f"{SEATS[seat]} {points(total)}" for seat, total in enumerate(totals))


def _created(event: events_pb2.TableCreated) -> str:
    occasion = f" for {event_words(event.event)}" if event.HasField("event") else ""
    return f"table opened by {event.creator} 开桌{occasion}"


def _finished(event: events_pb2.MatchFinished) -> str:
    outcome = f", {outcome_words(event.event)}" if event.HasField("event") else ""
    return f"match over 终局: {_seats(event.totals)}{outcome}"


_PHRASES: dict[str, Callable[[Any], str]] = {
    "table_created": _created,
    "players_invited": lambda event: f"{', '.join(event.player_ids)} may come 邀请",
    "seat_taken": lambda event: f"{SEATS[event.seat]} is {event.player_id or f'bot {event.persona}'}",
    "seat_hosted": lambda event: f"{SEATS[event.seat]} is played by a bot 托管",
    "seat_reclaimed": lambda event: f"{SEATS[event.seat]} is back 取消托管",
    "deadline_passed": lambda event: f"{SEATS[event.seat]} ran out of time 超时",
    "time_bank_used": lambda event: (
        f"{SEATS[event.seat]} used {seconds(event.used_ms)} of its time bank 加时,"
        f" {seconds(event.left_ms)} left"
    ),
    "time_credited": lambda event: f"the clocks go back by {seconds(event.credited_ms)} after an outage 补时",
    "phase_began": _began,
    "cards_drawn": lambda event: f"every seat draws {event.count} 摸牌",
    "trump_turned": turned_words,
    "trump_fixed": fixed_words,
    "match_decided": decided_words,
    "face_card_shown": _shown,
    "seats_swapped": lambda event: (
        f"{' and '.join(str(SEATS[seat]) for seat in event.seats)} change places 换位"
    ),
    "passed": lambda event: f"{SEATS[event.seat]} passes 不要",
    "seat_went_out": lambda event: f"{SEATS[event.seat]} is out {PLACES[event.place - 1]}",
    "trick_ended": lambda event: f"{SEATS[event.winner]} takes the trick",
    "lead_inherited": lambda event: f"{SEATS[event.seat]} inherits the lead 接风",
    "group_rated": lambda event: (
        f"{event.bombs} separate bombs 不相连 of {SEATS[event.seat]} count {event.stars}"
    ),
    "contribution_booked": lambda event: f"contributions 贡献分 {_seats(event.amounts)}",
    "seat_forfeited": lambda event: f"{SEATS[event.seat]} leaves for good 逃跑",
    "surrender_offered": lambda event: f"{SEATS[event.seat]} would surrender 投降",
    "side_surrendered": lambda event: f"{side_words(event.side)} surrender 投降",
    "redeal_voted": lambda event: f"{SEATS[event.seat]} wants a new deal 重发",
    "deal_settled": _settled,
    "deal_voided": _voided,
    "marks_shown": marks_words,
    "match_finished": _finished,
}
