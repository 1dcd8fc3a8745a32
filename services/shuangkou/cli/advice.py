"""A refusal as a sentence for the player whom it concerns: in faces and seat names, with what to do now."""

from __future__ import annotations

from typing import Final

from shuangkou.cli import tricks_advice
from shuangkou.cli.before_play import standing_call
from shuangkou.cli.faces import card_row
from shuangkou.cli.seat_view import top_play
from shuangkou.cli.tricks_view import tricks_options
from shuangkou.cli.views import suits_matter
from shuangkou.cli.words import SEATS, Words, options_of
from shuangkou.rules.ruleset import available, load
from shuangkou.v1 import errors_pb2, table_pb2
from shuangkou.wire.cards import cards_from_wire

SENTENCES: Final = {
    "turn/not_your_turn": Words("it is not your turn; wait for it", "还没轮到你"),
    "cards/not_held": Words("you do not hold {cards}; type hand to see your cards", "你没有这些牌"),
    "climbing/no_such_combination": Words(
        "{cards} is no combination; type legal to see what you may play", "不成牌型"
    ),
    "climbing/does_not_beat": Words(
        "{cards} does not beat {top}; type legal to see what does, or pass", "压不过{top_zh}"
    ),
    "climbing/pass_on_empty_trick": Words("you lead, so play something; legal lists what", "首出不能不要"),
    "climbing/must_play": Words("play the card that you want to lie beside the trick", "请出一张牌"),
    "climbing/wrong_bury_count": Words("bury {kitty} cards, no more and no less", "须扣{kitty}张"),
    "climbing/not_declarable": Words(
        "{cards} cannot be declared, only {kinds}; type legal to see yours, or pass", "只能叫{kinds_zh}"
    ),
    "climbing/declared_too_low": Words(
        "{cards} does not stand over {call}; type legal to see what does, or pass", "大不过{call_zh}"
    ),
    "climbing/no_such_bid": Words("a bid here is 1 to {max_bid}; or pass", "只能叫1到{max_bid}分"),
    "climbing/bid_too_low": Words("bid more than {call}, or pass", "须高过{call_zh}"),
    "climbing/call_too_late": Words("the landlord has been called; grab or pass", "已有人叫地主"),
    "climbing/nothing_to_grab": Words("nobody has called the landlord yet", "还没人叫地主"),
    "cards/not_in_kitty": Words("{cards} is not in the kitty; type table to see it", "底牌里没有"),
    "climbing/already_out": Words("you have no card left; wait for the next deal", "你已出完"),
    "climbing/already_forfeited": Words("you have left for good already", "你已逃跑"),
    "climbing/already_offered": Words("you have said so already; your partner must agree", "你已要求投降"),
    "climbing/already_voted": Words("you have said so already; all must agree", "你已要求重发"),
    "climbing/no_surrender": Words("nobody can surrender at this table{with_surrender}", "本桌不能投降"),
    "climbing/no_redeal": Words("this table has no new deals{with_redeal_vote}", "本桌不能重发"),
    "climbing/surrender_too_late": Words("it is too late to surrender; play on", "不能再投降"),
    "climbing/redeal_too_late": Words("it is too late for a new deal; play on", "不能再重发"),
    **tricks_advice.SENTENCES,
    "seat/already_hosted": Words("a bot plays for you already; reclaim takes the seat back", "已在托管"),
    "seat/not_hosted": Words("you play your seat yourself", "没有托管"),
    "seat/forfeited": Words("you have left for good", "你已逃跑"),
    "state/match_over": Words("the match is over", "已终局"),
    "state/no_deal_in_progress": Words("wait for the next deal", "请等下一局"),
    "state/other_phase": Words(
        "not in this part of the deal; type legal to see what you may do", "现在不能这样做"
    ),
    "state/no_such_act": Words("this game knows no such act; help lists the words", "本游戏没有这一着"),
    "state/stale_version": Words("the table has moved on, look again", "局面已变"),
    "state/try_again": Words("the table is busy; say it again", "请再试一次"),
}
"""By code, in both languages; ``cards`` are those refused, ``top`` is the play to beat."""


def sentence(code: str) -> str:
    """The sentence for a code that names nothing of the table, in both languages."""
    said = SENTENCES[code]
    return f"{said.en} · {said.zh}"


def advise(refusal: errors_pb2.Refusal, view: table_pb2.SeatView) -> str:
    """Why not, and what now; ``view`` is the table as the player last saw it."""
    said = SENTENCES.get(refusal.code)
    if said is None:
        return refusal.explanation or refusal.code
    cards = card_row(cards_from_wire(refusal.cards), suits_matter(view)).plain or "that"
    facts = {"cards": cards, **_top(view), **_call(view), **_limits(view), **_tables(view)}
    return f"{said.en} · {said.zh}".format(**facts)


def _top(view: table_pb2.SeatView) -> dict[str, str]:
    top = top_play(view)
    if top is None:
        return {"top": "what was played", "top_zh": "上家的牌"}
    cards = card_row(cards_from_wire(top.cards), suits_matter(view)).plain
    return {"top": f"{cards} of {SEATS[top.seat]}", "top_zh": f"{SEATS[top.seat].zh}的{cards}"}


def _call(view: table_pb2.SeatView) -> dict[str, str]:
    call = standing_call(view)
    if call is None:
        return {"call": "what was called", "call_zh": "上家所叫"}
    return {"call": f"{call.en} of {SEATS[call.seat]}", "call_zh": f"{SEATS[call.seat].zh}的{call.zh}"}


def _limits(view: table_pb2.SeatView) -> dict[str, str]:
    options = options_of(view.ruleset_id, view.options)
    tricks = tricks_options(view)
    if options is None:
        return {
            "kitty": str(tricks.kitty) if tricks is not None else "as many",
            "max_bid": "the most",
            "kinds": "some kinds",
            "kinds_zh": "规定的牌型",
        }
    kinds = options.declarations
    return {
        "kitty": str(options.kitty),
        "max_bid": str(options.max_bid),
        "kinds": " and ".join(f"{kind.name_en}s" for kind in kinds) or "some kinds",
        "kinds_zh": "和".join(kind.name_zh for kind in kinds) or "规定的牌型",
    }


def _tables(view: table_pb2.SeatView) -> dict[str, str]:
    """Which table of the same game has what this one has not, where there can be one."""
    game = view.ruleset_id
    allowed = dict(load(game).allowed) if game in available() else {}
    return {
        f"with_{key}": f"; --ruleset {game},{key}=true opens one that allows it" if key in allowed else ""
        for key in ("surrender", "redeal_vote")
    }
