"""What a player sees of the table: the turn, the trick, the score."""

from __future__ import annotations

import time
from collections.abc import Callable

from rich.text import Text

from shuangkou.cli.before_play import question
from shuangkou.cli.clock_words import clock_words
from shuangkou.cli.columns import rows
from shuangkou.cli.deal_notes import aside_lines, note_lines
from shuangkou.cli.duty import duty_text
from shuangkou.cli.event_words import event_lines
from shuangkou.cli.faces import card_row
from shuangkou.cli.settlement import SIDE_STYLES, points
from shuangkou.cli.tricks_table import points_line
from shuangkou.cli.tricks_view import acts_in, hand_row, is_drawing, order_in
from shuangkou.cli.tricks_words import level_words
from shuangkou.cli.views import part_of, partner_hand_of, suits_matter
from shuangkou.cli.words import SEATS, has_partners, options_of, play_words, side_words, stars_of
from shuangkou.v1 import table_pb2
from shuangkou.wire.cards import cards_from_wire
from shuangkou.wire.tricks.legal_acts import duty_to_wire


def turn_lines(view: table_pb2.SeatView, seat: int) -> list[Text]:
    """What a player needs to decide: others' hand sizes, the own hand, what there is to beat."""
    asked = question(view)
    wanted = Text(asked, "bold green") if asked else _what_to_play(view)
    return [
        Text(),
        _sizes(view, seat),
        *hand_lines(view),
        *aside_lines(view),
        *([] if asked else _duty_lines(view)),
        Text("  ").append_text(wanted).append(_clock(view), "dim"),
    ]


def _duty_lines(view: table_pb2.SeatView) -> list[Text]:
    """What has to be followed with, where a game says more than that it must be beaten."""
    acts = acts_in(view)
    duty = None if acts is None else duty_to_wire(acts)
    if duty is None:
        return []
    return [Text("  Owed 须跟: ", "dim").append_text(duty_text(duty, cards_from_wire(view.hand)))]


def _what_to_play(view: table_pb2.SeatView) -> Text:
    top = top_play(view)
    if top is None:
        return Text("You lead 你首出", "bold green")
    if view.HasField("tricks"):
        led = card_row(cards_from_wire(top.cards), suited=True)
        wanted = Text("Follow 跟 ", "bold green").append_text(led)
        return wanted.append(f" of {SEATS[top.seat]}", "not bold")
    wanted = Text("Beat 要压 ", "bold green").append_text(card_row(cards_from_wire(top.cards)))
    what = play_words(top, stars_of(view.ruleset_id))
    wanted.append(f" {what} by {SEATS[top.seat]}", "not bold")
    options = options_of(view.ruleset_id, view.options)
    if options is None or not options.discards:
        return wanted.append(", or pass 不要", "not bold")
    wanted.append(", or lay a card beside it 贴牌", "not bold")
    return wanted.append(", or pass 报桌", "not bold") if len(view.hand) == 1 else wanted


def hand_lines(view: table_pb2.SeatView) -> list[Text]:
    """The own hand, suit by suit where suits matter, and the partner's where it is open (双明)."""
    hand, partner_hand = cards_from_wire(view.hand), cards_from_wire(partner_hand_of(view))
    row = hand_row(hand, order_in(view)) if suits_matter(view) else card_row(hand)
    lines = [Text(f"  Your hand 手牌 {len(hand)}: ", "bold").append_text(row)]
    if partner_hand:
        label = Text(f"  Partner's 对家 {len(partner_hand)}: ", "dim")
        lines.append(label.append_text(card_row(partner_hand)))
    return lines


def table_lines(view: table_pb2.SeatView) -> list[Text]:
    """The trick so far, whose turn it is, how many cards are left."""
    return [
        Text("  Trick 本圈: ").append_text(_trick(view)),
        _turn(view),
        _sizes(view, view.seat if view.HasField("seat") else None),
        *aside_lines(view),
        *note_lines(view),
    ]


def _trick(view: table_pb2.SeatView) -> Text:
    acts = [
        Text(f"{SEATS[act.seat]} ", SIDE_STYLES[act.seat % 2]).append_text(_act(act, suits_matter(view)))
        for act in part_of(view).trick
    ]
    trick = Text(" · ").join(acts) if acts else Text("nothing yet 还没有牌")
    if view.tricks.HasField("best") and acts:
        trick.append(f"; {SEATS[view.tricks.best]} wins it so far 目前最大", "dim")
    return trick


def _turn(view: table_pb2.SeatView) -> Text:
    if is_drawing(view):
        left = view.tricks.undrawn
        return Text(f"  Cards are drawn 摸牌: {left} more to each seat; any seat may declare 可随时亮主")
    turn = ", ".join(str(SEATS[seat]) for seat in view.next.seats) or "nobody 无人"
    return Text(f"  To act 轮到: {turn}").append(_clock(view), "dim")


def score_lines(view: table_pb2.SeatView, name: Callable[[table_pb2.Occupant], str]) -> list[Text]:
    """Points over the match so far; ``name`` is what an occupant of a seat is called."""
    table: list[list[Text | str]] = [
        [
            Text(str(SEATS[state.seat]), SIDE_STYLES[state.seat % 2]),
            name(state.occupant) + _played_by(state),
            points(state.total),
        ]
        for state in view.seats
    ]
    options = options_of(view.ruleset_id, view.options)
    target = 0 if options is None else options.target_score
    voided = view.climbing.handover.deals_voided or view.tricks.handover.deals_voided
    number = view.deal_number - voided
    of_all = f" of {view.deals}" if view.deals else ""
    title = Text(f"  Deal {number}" + (f", to a total of {target} 打到{target}分" if target else of_all))
    title.append(f", and {voided} void 流局" if voided else "").append(_levels(view), "dim")
    event = [Text(f"  {line}") for line in event_lines(view)]
    return [title, *event, *points_line(view), *rows(table, frozenset((2,)))]


def _levels(view: table_pb2.SeatView) -> str:
    levels = enumerate(view.tricks.handover.tricks.levels)
    return "".join(f" · {side_words(side)} {level_words(level)}" for side, level in levels if level)


def _played_by(state: table_pb2.SeatState) -> str:
    if state.forfeited:
        return ", left for good 逃跑"
    return ", hosted 托管" if state.hosted else ""


def top_play(view: table_pb2.SeatView) -> table_pb2.Play | None:
    """The play to beat, or in trick-taking games to follow; None when the seat to act leads."""
    if view.HasField("tricks"):
        return view.tricks.trick[0] if view.tricks.trick else None
    plays = [act for act in view.climbing.trick if act.cards and not act.is_discard]
    return plays[-1] if plays else None


def _act(act: table_pb2.Play, suited: bool) -> Text:
    return card_row(cards_from_wire(act.cards), suited) if act.cards else Text("pass", "dim")


def _sizes(view: table_pb2.SeatView, seat: int | None) -> Text:
    line = Text("  Cards left 余牌: ", "dim")
    others = [state for state in view.seats if state.seat != seat]
    for place, state in enumerate(others):
        is_partner = seat is not None and state.seat % 2 == seat % 2 and has_partners(view.ruleset_id)
        role = " (partner 对家)" if is_partner else ""
        line.append(" · " if place else "", "dim")
        line.append(f"{SEATS[state.seat]}{role} {state.hand_size}", SIDE_STYLES[state.seat % 2])
    return line


def _clock(view: table_pb2.SeatView) -> str:
    told = clock_words(view.next, time.time_ns() // 1_000_000)
    return f"   {told}" if told else ""
