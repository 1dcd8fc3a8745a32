"""What a seat owes to a lead (跟牌义务), in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

from rich.text import Text

from shuangkou.cli.faces import card_row
from shuangkou.cli.tricks_words import shape_words
from shuangkou.cli.words import Words
from shuangkou.rules.cards import Card
from shuangkou.v1 import tricks_pb2
from shuangkou.wire.cards import cards_from_wire

_NAMED: Final = 12
"""So many faces to choose from are written out; more of them are the suit, as a glance at the hand shows."""
_SETS: Final = {2: Words("pair", "对子"), 3: Words("triple", "三张"), 4: Words("quad", "四张")}


def duty_text(duty: tricks_pb2.CardDuty, hand: Sequence[Card]) -> Text:
    """How many cards, which of them in any case, and which pairs and tractors among them."""
    forced, free = cards_from_wire(duty.forced), cards_from_wire(duty.free)
    if len(forced) >= duty.size:
        return Text("only 只能出 ").append_text(card_row(forced, suited=True))
    rest = duty.size - len(forced)
    is_open = not duty.sets and not duty.tractors and Counter((*forced, *free)) == Counter(hand)
    if is_open and not forced:
        return Text(f"any {duty.size} card{'s'[: duty.size != 1]} 任出{duty.size}张")
    told = Text()
    if is_open:
        told.append_text(card_row(forced, suited=True))
        return told.append(f" and any {rest} more 另任{rest}张")
    told.append(f"{duty.size} card{'s'[: duty.size != 1]} of the suit led {duty.size}张同门")
    told.append("".join(f", with 含 {owed}" for owed in _owed(duty)))
    if forced:
        told.append(", with 含 ").append_text(card_row(forced, suited=True))
    faces = dict.fromkeys(free)
    if len(faces) <= _NAMED:
        told.append(", from 选自 ").append_text(card_row(free, suited=True))
    return told


def _owed(duty: tricks_pb2.CardDuty) -> list[Words]:
    owed = [shape_words(shape) for shape in duty.tractors]
    in_all = " in all" if duty.tractors else ""
    for sets in duty.sets:
        name = _SETS.get(sets.copies, Words(f"set of {sets.copies}", f"{sets.copies}张同牌"))
        plural = "s"[: sets.count != 1]
        owed.append(Words(f"{sets.count} {name.en}{plural}{in_all}", f"{sets.count}个{name.zh}"))
    return owed
