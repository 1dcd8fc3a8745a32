"""What a player sees of the table: the turn, the trick, the score."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Final

from rich.text import Text

from shuangkou.cli.calls import PHASE_QUESTIONS
from shuangkou.cli.columns import rows
from shuangkou.cli.faces import LEGEND, card_row
from shuangkou.cli.settlement import SIDE_STYLES, points
from shuangkou.cli.tricks_words import level_words, trump_words
from shuangkou.cli.views import part_of, partner_hand_of
from shuangkou.cli.words import SEATS, has_partners, play_words, side_words, stars_of
from shuangkou.rules.cards import Card
from shuangkou.v1 import table_pb2
from shuangkou.wire.cards import cards_from_wire

HELP: Final = Text(
    f"""\
  7 7          play cards by rank; suits are chosen for you
               (also 77, 7*2, 7h 7s, ♥7)
  3 4 5 6 7    ranks are 3 4 5 6 7 8 9 10 J Q K A 2 LJ BJ
               {LEGEND}
  pass         decline to play 不要
  legal        list what you may do, lowest first; #2 does the second
  hint         have a bot suggest an act 提示; go plays it
  hand         your cards 手牌
  table        the trick, whose turn it is, how many cards are left
  score        points over the match
  bid 2        bid for the landlord 叫分; also call 叫地主, grab 抢地主
  bury 3 5     lay cards face down 扣底; also declare, exchange, mark,
               take (take all, take none)
  declare 5h   show cards for trump 亮主, 反主; declare 7h 7h back 3c 4d
               gives two cards for a pair that it tops
  surrender    give the deal up if your partner agrees 投降, where allowed
  redeal       ask for a new deal before the first play 重发, where allowed
  host         let a bot play your seat 托管; reclaim takes it back
  forfeit      leave for good and pay the fine 逃跑
  quit         leave; a bot plays your seat on, and you may come back"""
)


def turn_lines(view: table_pb2.SeatView, seat: int) -> list[Text]:
    """What a player needs to decide: others' hand sizes, the own hand, what there is to beat."""
    top = top_play(view)
    hand = cards_from_wire(view.hand)
    question = PHASE_QUESTIONS.get(part_of(view).phase)
    if question is not None:
        wanted = Text(question, "bold green")
    elif top is None:
        wanted = Text("You lead 你首出", "bold green")
    elif view.HasField("tricks"):
        wanted = Text("Follow 跟 ", "bold green").append_text(card_row(cards_from_wire(top.cards)))
        wanted.append(f" of {SEATS[top.seat]}", "not bold")
    else:
        wanted = Text("Beat 要压 ", "bold green").append_text(card_row(cards_from_wire(top.cards)))
        what = play_words(top, stars_of(view.ruleset_id))
        wanted.append(f" {what} by {SEATS[top.seat]}, or pass 不要", "not bold")
    return [
        Text(),
        _sizes(view, seat),
        *hand_lines(hand, cards_from_wire(partner_hand_of(view))),
        *aside_lines(view),
        Text("  ").append_text(wanted).append(_clock(view), "dim"),
    ]


def hand_lines(hand: Sequence[Card], partner_hand: Sequence[Card]) -> list[Text]:
    """The own hand, and the partner's where it is open (双明)."""
    lines = [Text(f"  Your hand 手牌 {len(hand)}: ", "bold").append_text(card_row(hand))]
    if partner_hand:
        label = Text(f"  Partner's 对家 {len(partner_hand)}: ", "dim")
        lines.append(label.append_text(card_row(partner_hand)))
    return lines


def aside_lines(view: table_pb2.SeatView) -> list[Text]:
    """The kitty, the own marked card, and the own cards that were exchanged."""
    part, climbing, lines = part_of(view), view.climbing, []
    if part.kitty:
        lines.append(Text("  Kitty 底牌: ").append_text(card_row(cards_from_wire(part.kitty))))
    elif part.kitty_size:
        lines.append(Text(f"  Kitty 底牌: {part.kitty_size} unseen", "dim"))
    if view.HasField("tricks"):
        lines.append(Text(f"  Trump 主: {trump_words(view.tricks.trump)} · {level_words(view.tricks.level)}"))
    if climbing.mark:
        lines.append(Text("  Your mark 提分: ").append_text(card_row(cards_from_wire((climbing.mark,)))))
    if climbing.discarded:
        row = card_row(cards_from_wire(climbing.discarded))
        lines.append(Text("  Exchanged 换掉: ").append_text(row))
    return lines


def table_lines(view: table_pb2.SeatView) -> list[Text]:
    """The trick so far, whose turn it is, how many cards are left."""
    acts = [
        Text(f"{SEATS[act.seat]} ", SIDE_STYLES[act.seat % 2]).append_text(_act(act))
        for act in part_of(view).trick
    ]
    trick = Text(" · ").join(acts) if acts else Text("nothing yet")
    turn = ", ".join(str(SEATS[seat]) for seat in view.next.seats) or "nobody"
    return [
        Text("  Trick 本圈: ").append_text(trick),
        Text(f"  To act 轮到: {turn}").append(_clock(view), "dim"),
        _sizes(view, view.seat),
        *aside_lines(view),
    ]


def score_lines(view: table_pb2.SeatView) -> list[Text]:
    """Points over the match so far."""
    table: list[list[Text | str]] = [
        [
            Text(str(SEATS[state.seat]), SIDE_STYLES[state.seat % 2]),
            state.occupant.player_id or state.occupant.persona,
            points(state.total),
        ]
        for state in view.seats
    ]
    levels = [
        f" · {side_words(side)} {level_words(level)}"
        for side, level in enumerate(view.tricks.handover.tricks.levels)
        if level
    ]
    title = Text(f"  Deal {view.deal_number} of {view.deals}").append("".join(levels), "dim")
    return [title, *rows(table, frozenset((2,)))]


def top_play(view: table_pb2.SeatView) -> table_pb2.Play | None:
    """The play to beat, or in trick-taking games to follow; None when the seat to act leads."""
    if view.HasField("tricks"):
        return view.tricks.trick[0] if view.tricks.trick else None
    plays = [act for act in view.climbing.trick if act.cards and not act.is_discard]
    return plays[-1] if plays else None


def _act(act: table_pb2.Play) -> Text:
    return card_row(cards_from_wire(act.cards)) if act.cards else Text("pass", "dim")


def _sizes(view: table_pb2.SeatView, seat: int) -> Text:
    line = Text("  Cards left 余牌: ", "dim")
    others = [state for state in view.seats if state.seat != seat]
    for place, state in enumerate(others):
        role = " (partner 对家)" if state.seat % 2 == seat % 2 and has_partners(view.ruleset_id) else ""
        line.append(" · " if place else "", "dim")
        line.append(f"{SEATS[state.seat]}{role} {state.hand_size}", SIDE_STYLES[state.seat % 2])
    return line


def _clock(view: table_pb2.SeatView) -> str:
    if not view.next.deadline_ms:
        return ""
    return f"   {max(0, round(view.next.deadline_ms / 1000 - time.time()))} s"
