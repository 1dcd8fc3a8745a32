"""What the seat to act is asked before the play of a trick-taking deal, with what it could type."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from shuangkou.cli.faces import card_row, typed_cards
from shuangkou.cli.tricks_view import acts_in, tricks_options
from shuangkou.cli.tricks_words import shape_words
from shuangkou.cli.words import SEATS, Words
from shuangkou.rules.commands import BuryKitty
from shuangkou.rules.tricks.commands import DeclareTrump
from shuangkou.rules.tricks.declaring import kind_of_show
from shuangkou.rules.tricks.legal_acts import LegalActs
from shuangkou.rules.tricks.shows import ShowKind
from shuangkou.v1 import events_pb2, table_pb2
from shuangkou.wire.cards import cards_from_wire

_NAMED: Final = 3
"""So many shows are written out; `legal` lists them all."""
_KINDS: Final = {
    ShowKind.DECLARE: Words("Declare", "亮主"),
    ShowKind.REINFORCE: Words("Lock", "加固"),
    ShowKind.OVERTURN: Words("Overturn", "反主"),
}
NOT_DECLARED: Final = Words("pass", "不亮")
NOT_OVERTURNED: Final = Words("pass", "不反")


def pass_words(view: table_pb2.SeatView) -> Words:
    """What passing is called now, in any game: not to play, to call, to declare or to overturn."""
    if not view.HasField("tricks"):
        return Words("pass", "不要")
    return NOT_OVERTURNED if standing_show(view) or _turned(view) else NOT_DECLARED


def standing_show(view: table_pb2.SeatView) -> events_pb2.Event | None:
    """The show that stands, as the event that told of it; None where nobody has shown anything."""
    shows = [event for event in view.tricks.opening if event.HasField("trump_declared")]
    return shows[-1] if shows else None


def nothing_to_show(view: table_pb2.SeatView) -> Words:
    """Why the seat may show nothing while cards are drawn."""
    if _has_standing_show(view):
        return Words("you have already shown, and it stands", "已亮主，暂无可再亮")
    if standing_show(view) is not None:
        return Words("you hold nothing to overturn what stands with", "摸牌中，暂无可反")
    return Words("you hold nothing to show while cards are drawn", "摸牌中，暂无可亮")


def _has_standing_show(view: table_pb2.SeatView) -> bool:
    event = standing_show(view)
    return event is not None and view.HasField("seat") and event.trump_declared.seat == view.seat


def show_text(show: DeclareTrump) -> str:
    """What a player types for it: `declare 2h 2h`, `declare 7h 7h back 3c 4d`."""
    back = f" back {typed_cards(show.returned)}" if show.returned else ""
    return f"declare {typed_cards(show.cards)}{back}"


def invitation(acts: LegalActs) -> str | None:
    """What may be shown for trump now, in words to be typed; None where there is nothing."""
    shows, position = acts.shows, acts.position
    if not shows or position is None:
        return None
    kind = _KINDS[kind_of_show(position.auction, position.seat)]
    more = len(shows) - _NAMED
    tail = f" ({more} more; legal lists them)" if more > 0 else ""
    return f"{kind}: {', '.join(map(show_text, shows[:_NAMED]))}{tail}"


def tricks_question(view: table_pb2.SeatView) -> str | None:
    """What the seat to act is asked in this phase; None when it is to play."""
    ask = _QUESTIONS.get(view.tricks.phase)
    return None if ask is None else ask(view)


def _ask_to_show(view: table_pb2.SeatView) -> str:
    passing, acts = pass_words(view), acts_in(view)
    standing = _standing_text(view)
    if acts is None:
        return f"Show 亮主 cards for trump, or {passing}{standing}"
    invited = invitation(acts)
    if invited is None and _has_standing_show(view):
        return f"You have already shown 已亮: {passing}{standing}"
    if invited is None:
        verb = "overturn it with" if standing else "declare with"
        return f"You hold nothing to {verb}: {passing}{standing}"
    return f"{invited}, or {passing}{standing}"


def _standing_text(view: table_pb2.SeatView) -> str:
    event = standing_show(view)
    if event is None:
        return ""
    show = event.trump_declared
    what = card_row(cards_from_wire(show.cards), suited=True).plain or f"{show.size} face down 暗"
    return f" · {what} of {SEATS[show.seat]} stands"


def _ask_to_bury(view: table_pb2.SeatView) -> str:
    options = tricks_options(view)
    size = view.tricks.kitty_size if options is None else options.kitty
    count = f" {size} cards {size}张" if size else ""
    return f"Bury 扣底{count}, for example: {_bury_text(acts_in(view))}"


def _bury_text(acts: LegalActs | None) -> str:
    act = next(iter(acts), None) if acts is not None else None
    return f"bury {typed_cards(act.cards)}" if isinstance(act, BuryKitty) else "bury 3c 4d …"


def _ask_for_shape(view: table_pb2.SeatView) -> str:
    failed = view.tricks.failed
    cards = card_row(cards_from_wire(failed.cards), suited=True).plain
    numbered = enumerate(failed.choices, start=1)
    choices = ", ".join(f"#{number} {shape_words(shape)}" for number, shape in numbered)
    return f"What shall {SEATS[failed.seat]} lead of the throw 指定 {cards}? {choices}"


def _turned(view: table_pb2.SeatView) -> bool:
    return any(event.HasField("trump_turned") for event in view.tricks.opening)


_QUESTIONS: Final[dict[int, Callable[[table_pb2.SeatView], str]]] = {
    events_pb2.DEAL_PHASE_CLOSING: _ask_to_show,
    events_pb2.DEAL_PHASE_POST: _ask_to_show,
    events_pb2.DEAL_PHASE_BURY: _ask_to_bury,
    events_pb2.DEAL_PHASE_NAME_SHAPE: _ask_for_shape,
}
