"""What a view tells of the deal beside hands and trick: cards aside, calls, places, points, consents."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from rich.text import Text

from shuangkou.cli.before_play import landlord, standing_call
from shuangkou.cli.calls import Holding
from shuangkou.cli.faces import card_row
from shuangkou.cli.settlement import points
from shuangkou.cli.tricks_table import role_notes, trump_line
from shuangkou.cli.tricks_view import order_in, tricks_options
from shuangkou.cli.views import part_of, suits_matter
from shuangkou.cli.words import PLACES, SEATS, Words, options_of, phase_words
from shuangkou.rules.cards import Card
from shuangkou.rules.climbing.options import ClimbingOptions, KittyUse
from shuangkou.v1 import events_pb2, table_pb2
from shuangkou.wire.cards import cards_from_wire

_KITTIES: Final = {
    KittyUse.STOCK: Words("Stock", "牌堆"),
    KittyUse.TAKEN: Words("You buried", "已扣"),
}
"""What lies aside, where it is no kitty any more."""
_KITTY: Final = Words("Kitty", "底牌")


def aside_lines(view: table_pb2.SeatView) -> list[Text]:
    """The kitty, the own marked card, and the own cards that were exchanged."""
    part, climbing, lines = part_of(view), view.climbing, []
    options = options_of(view.ruleset_id, view.options)
    if part.kitty:
        row = card_row(sorted_kitty(view), suits_matter(view))
        lines.append(Text(f"  {_kitty(options)}: ").append_text(row))
    elif part.kitty_size:
        shown = _KITTY if options is None or options.kitty_use is KittyUse.TAKEN else _kitty(options)
        lines.append(Text(f"  {shown}: {part.kitty_size} unseen", "dim"))
    if view.HasField("tricks"):
        lines.append(trump_line(view))
    if climbing.mark:
        lines.append(Text("  Your mark 提分: ").append_text(card_row(cards_from_wire((climbing.mark,)))))
    if climbing.discarded:
        row = card_row(cards_from_wire(climbing.discarded))
        lines.append(Text("  Exchanged 换掉: ").append_text(row))
    return lines


def sorted_kitty(view: table_pb2.SeatView) -> list[Card]:
    """The kitty as far as the viewer knows it, lowest first."""
    trumps = order_in(view)
    if trumps is not None:
        return list(trumps.ascending(cards_from_wire(part_of(view).kitty)))
    options = options_of(view.ruleset_id, view.options)
    order = () if options is None else options.rank_order
    return sorted(
        cards_from_wire(part_of(view).kitty),
        key=lambda card: (order.index(card.rank) if card.rank in order else 0, card),
    )


def holding_in(view: table_pb2.SeatView) -> Holding:
    """The cards that its seat can name."""
    options = tricks_options(view)
    size = 0 if options is None else options.kitty
    return Holding(cards_from_wire(view.hand), sorted_kitty(view), suits_matter(view), size)


def note_lines(view: table_pb2.SeatView) -> list[Text]:
    """Everything else of the deal that is public, as far as there is any."""
    return [Text(f"  {name}: ").append(told) for name, told in _notes(view)]


def _notes(view: table_pb2.SeatView) -> Iterator[tuple[str, str]]:
    climbing = view.climbing
    phase = part_of(view).phase
    if phase not in (events_pb2.DEAL_PHASE_UNSPECIFIED, events_pb2.DEAL_PHASE_PLAY):
        yield "Phase 阶段", str(phase_words(phase))
    yield from role_notes(view)
    named, call = landlord(view), standing_call(view)
    if named is not None:
        yield "Landlord 地主", f"{SEATS[named.seat]} for {named.bid} 分"
    elif call is not None:
        yield "Called 已叫", f"{call.en} by {SEATS[call.seat]}"
    if climbing.finish_order:
        places = enumerate(climbing.finish_order)
        yield "Out 已出完", " · ".join(f"{SEATS[seat]} {PLACES[place]}" for place, seat in places)
    if any(climbing.cards_won):
        yield "Cards won 赢牌", _by_seat(map(str, climbing.cards_won))
    if any(climbing.contributions):
        yield "Contributions 贡献分", _by_seat(map(points, climbing.contributions))
    consents = climbing.consents
    for name, seats in (
        ("Left for good 逃跑", consents.forfeited),
        ("Would surrender 投降", consents.surrender),
        ("Want a new deal 重发", consents.redeal),
    ):
        if seats:
            yield name, " · ".join(str(SEATS[seat]) for seat in seats)


def _by_seat(values: Iterable[str]) -> str:
    return " · ".join(f"{SEATS[seat]} {value}" for seat, value in enumerate(values))


def _kitty(options: ClimbingOptions | None) -> Words:
    return _KITTY if options is None else _KITTIES.get(options.kitty_use, _KITTY)
