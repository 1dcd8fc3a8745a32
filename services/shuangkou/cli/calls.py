"""What a player types before play: `bid 2`, `bury 3 5`, `take all`, `mark K`, and the like."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from rich.text import Text

from shuangkou.cli.faces import card_row, typed_cards
from shuangkou.cli.tricks_words import shape_words
from shuangkou.cli.typed import Word, choose_cards, word_of
from shuangkou.cli.words import Words
from shuangkou.rules.cards import Card
from shuangkou.v1 import events_pb2, table_pb2
from shuangkou.wire.cards import cards_from_wire, cards_to_wire

Request = table_pb2.ActRequest


@dataclass(frozen=True, slots=True)
class Holding:
    """Cards that a player can name: its hand, and the kitty as far as it knows it.

    suited: suits matter, as in trick-taking games. to_bury: how many cards are buried, 0 where that is not
    known.
    """

    hand: Sequence[Card]
    kitty: Sequence[Card]
    suited: bool = False
    to_bury: int = 0


def _bid(words: str, _: Holding) -> Request:
    number = re.fullmatch(r"(\d{1,3})分?", words)
    if number is None:
        raise ValueError("bid how many points? for example: bid 2 · 叫几分？")
    return Request(bid=table_pb2.Bid(points=int(number[1])))


def _call(words: str, _: Holding) -> Request:
    _no_more(words)
    return Request(call_landlord=table_pb2.CallLandlord())


def _grab(words: str, _: Holding) -> Request:
    _no_more(words)
    return Request(grab_landlord=table_pb2.GrabLandlord())


def _declare(words: str, holding: Holding) -> Request:
    if holding.suited:
        return _show(words, holding)
    cards = cards_to_wire(_some(words, holding.hand, "declare 3 4 5 6 7"))
    return Request(declare_combination=table_pb2.DeclareCombination(cards=cards))


def _show(words: str, holding: Holding) -> Request:
    shown, _, returned = (part.strip() for part in words.partition("back"))
    cards = cards_to_wire(_some(shown, holding.hand, f"declare {_example(holding, 1)}", suited=True))
    back = cards_to_wire(choose_cards(returned, holding.hand, suited=True)) if returned else ()
    return Request(declare_trump=table_pb2.DeclareTrump(cards=cards, returned=back))


def _bury(words: str, holding: Holding) -> Request:
    example = f"bury {_example(holding, holding.to_bury)}" if holding.suited else "bury 3 5"
    cards = cards_to_wire(_some(words, holding.hand, example, holding.suited))
    return Request(bury_kitty=table_pb2.BuryKitty(cards=cards))


def _take(words: str, holding: Holding) -> Request:
    cards = cards_to_wire(_any(words, holding.kitty, "take 3 K, take all or take none"))
    return Request(take_from_kitty=table_pb2.TakeFromKitty(cards=cards))


def _exchange(words: str, holding: Holding) -> Request:
    cards = cards_to_wire(_any(words, holding.hand, "exchange 3 5, exchange all or exchange none"))
    return Request(exchange_cards=table_pb2.ExchangeCards(cards=cards))


def _mark(words: str, holding: Holding) -> Request:
    cards = _some(words, holding.hand, "mark K")
    if len(cards) != 1:
        raise ValueError("mark one card, for example: mark K · 只提一张")
    return Request(mark_card=table_pb2.MarkCard(card=cards_to_wire(cards)[0]))


def _example(holding: Holding, size: int) -> str:
    """So many cards of the hand, each written so that no other is meant."""
    return typed_cards(holding.hand[: size or 2]) or "5h"


def _no_more(words: str) -> None:
    if words:
        raise ValueError(f"nothing can follow here, but you typed {words[:20]!r} · 后面不能再加")


def _some(words: str, cards: Sequence[Card], example: str, suited: bool = False) -> tuple[Card, ...]:
    if not words:
        raise ValueError(f"which cards? for example: {example} · 哪些牌？")
    return choose_cards(words, cards, suited)


def _any(words: str, cards: Sequence[Card], example: str) -> tuple[Card, ...]:
    if words.casefold() in ("none", "0", "不要", "不换"):
        return ()
    if words.casefold() in ("all", "全部"):
        return tuple(cards)
    if {"none", "all", "全部"} & set(words.casefold().split()):
        raise ValueError(f"all and none stand alone, for example: {example} · all、none须单独输入")
    return _some(words, cards, example)


_CALLS: Final[dict[str, Callable[[str, Holding], Request]]] = {
    **dict.fromkeys(("bid", "叫分"), _bid),
    **dict.fromkeys(("call", "叫地主"), _call),
    **dict.fromkeys(("grab", "抢地主"), _grab),
    **dict.fromkeys(("declare", "叫牌", "亮主", "反主"), _declare),
    **dict.fromkeys(("bury", "扣底"), _bury),
    **dict.fromkeys(("take", "拿底牌"), _take),
    **dict.fromkeys(("exchange", "换牌"), _exchange),
    **dict.fromkeys(("mark", "提分"), _mark),
}


_READING: Final = frozenset((Word.LEGAL, Word.HAND, Word.TABLE, Word.LAST, Word.SCORE, Word.HELP))


def is_for_draw(line: str) -> bool:
    """Whether the line shows cards for trump or only asks to see something: what can be done in a draw."""
    word = word_of(line)
    read = _CALLS.get(line.strip().partition(" ")[0].casefold())
    return read is _declare or word in _READING


_AUCTION: Final = frozenset((events_pb2.DEAL_PHASE_AUCTION,))
_DECLARING: Final = (
    events_pb2.DEAL_PHASE_DECLARE,
    events_pb2.DEAL_PHASE_DRAW,
    events_pb2.DEAL_PHASE_CLOSING,
    events_pb2.DEAL_PHASE_BURY,
    events_pb2.DEAL_PHASE_POST,
)
_PHASES: Final[dict[Callable[[str, Holding], Request], frozenset[events_pb2.DealPhase.ValueType]]] = {
    _bid: _AUCTION,
    _call: _AUCTION,
    _grab: _AUCTION,
    _declare: frozenset(_DECLARING),
    _bury: frozenset((events_pb2.DEAL_PHASE_BURY,)),
    _take: frozenset((events_pb2.DEAL_PHASE_TAKE,)),
    _exchange: frozenset((events_pb2.DEAL_PHASE_EXCHANGE,)),
    _mark: frozenset((events_pb2.DEAL_PHASE_MARK,)),
}


def is_out_of_phase(line: str, phase: events_pb2.DealPhase.ValueType) -> bool:
    """Whether the line asks for an act that this part of a deal does not know, whatever its cards."""
    read = _CALLS.get(line.strip().partition(" ")[0].casefold())
    return read is not None and phase not in _PHASES[read]


def read_call(line: str, holding: Holding) -> Request | None:
    """The act that the line asks for, None if it is none of these; ValueError says what is wrong with it."""
    first, _, rest = line.strip().partition(" ")
    read = _CALLS.get(first.casefold())
    return None if read is None else read(rest.strip(), holding)


_PASS: Final = Words("pass", "不要")
_NAMES: Final = {
    "play_cards": Words("play", "出牌"),
    "bury_kitty": Words("bury", "扣底"),
    "declare_combination": Words("declare", "叫牌"),
    "declare_trump": Words("declare", "亮主"),
    "name_shape": Words("ask for", "指定"),
    "call_landlord": Words("call", "叫地主"),
    "grab_landlord": Words("grab", "抢地主"),
    "take_from_kitty": Words("take", "拿底牌"),
    "exchange_cards": Words("exchange", "换牌"),
    "mark_card": Words("mark", "提分"),
}


def act_text(
    act: table_pb2.ActRequest | table_pb2.LegalAct, suited: bool = False, passing: Words = _PASS
) -> Text:
    """An act in the words that a player would type for it, with its cards.

    suited: suits matter. passing: what passing is called now.
    """
    kind = str(act.WhichOneof("command"))
    message = getattr(act, kind)
    if kind == "bid":
        return Text(f"bid {message.points} 叫{message.points}分")
    if kind == "pass_turn":
        return Text(str(passing))
    said = Text(str(_NAMES.get(kind, Words(kind, ""))))
    if kind == "name_shape":
        return said.append(f" {shape_words(message.shape)}")
    if kind == "declare_trump" and message.returned:
        said.append(" ").append_text(card_row(cards_from_wire(message.cards), suited)).append(" back")
        return said.append(" ").append_text(card_row(cards_from_wire(message.returned), suited))
    numbers = (message.card,) if kind == "mark_card" else getattr(message, "cards", None)
    if numbers is None:
        return said
    row = card_row(cards_from_wire(numbers), suited) if numbers else Text("none")
    return said.append(" ").append_text(row)


PHASE_QUESTIONS: Final = {
    events_pb2.DEAL_PHASE_BURY: "Bury 扣底 as many cards as you took, for example: bury 3 5",
    events_pb2.DEAL_PHASE_DECLARE: "Declare 叫牌 what you hold, for example: declare 3 4 5 6 7, or pass 不叫",
    events_pb2.DEAL_PHASE_AUCTION: "Who is the landlord 地主? bid 2, call 叫地主, grab 抢地主 or pass 不叫",
    events_pb2.DEAL_PHASE_TAKE: "Take 拿底牌 what you want of the kitty: take 3 K, take all or take none",
    events_pb2.DEAL_PHASE_EXCHANGE: "Exchange 换牌 cards once: exchange 3 5, exchange all or exchange none",
    events_pb2.DEAL_PHASE_MARK: "Mark 提分 a card in secret, for example: mark K",
}
"""What the seat to act is asked in each phase before play."""
