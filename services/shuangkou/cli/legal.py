"""What a seat may do now, as a numbered list and as requests."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from rich.text import Text

from shuangkou.cli.calls import act_text
from shuangkou.cli.columns import left
from shuangkou.cli.duty import duty_text
from shuangkou.cli.faces import card_row
from shuangkou.cli.seat_view import top_play
from shuangkou.cli.tricks_asking import nothing_to_show, pass_words
from shuangkou.cli.tricks_view import is_drawing
from shuangkou.cli.views import suits_matter
from shuangkou.cli.words import DISCARDED, options_of, play_words, stars_of
from shuangkou.rules.cards import Card, Rank
from shuangkou.v1 import table_pb2
from shuangkou.wire.cards import cards_from_wire, cards_to_wire

_LISTED: Final = 40
_CELLS: Final = 24


def play_request(cards: Sequence[Card]) -> table_pb2.ActRequest:
    """To play these cards."""
    return table_pb2.ActRequest(play_cards=table_pb2.PlayCards(cards=cards_to_wire(cards)))


def listed_requests(answer: table_pb2.ListLegalActsResponse) -> list[table_pb2.ActRequest]:
    """What is listed, as it can be asked for: acts before play, or plays."""
    requests = [play_request(cards_from_wire(play.cards)) for play in answer.plays]
    for listed in answer.before_play:
        kind = str(listed.WhichOneof("command"))
        request = table_pb2.ActRequest()
        getattr(request, kind).CopyFrom(getattr(listed, kind))
        requests.append(request)
    return requests


def act_line(request: table_pb2.ActRequest, view: table_pb2.SeatView) -> Text:
    """A play as its cards, any other act in the words that a player would type for it."""
    suited = suits_matter(view)
    if request.HasField("play_cards"):
        return card_row(cards_from_wire(request.play_cards.cards), suited)
    return act_text(request, suited, pass_words(view))


def legal_lines(answer: table_pb2.ListLegalActsResponse, view: table_pb2.SeatView) -> list[Text]:
    """Out of turn first, then the numbered list, then how to go on; ``view`` is the table as it stands."""
    others = [str(act.WhichOneof("command")).removeprefix("vote_") for act in answer.others]
    lines = [Text(f"  At any time: {', '.join(sorted(others))}", "dim")] if others else []
    listed = list(_listed(answer, view))
    if not listed:
        return [*lines, Text(f"  {_nothing(answer, view)}")]
    numbered = enumerate(listed[:_LISTED], start=1)
    lines += [Text(f"  {f'#{number}':<4} ", "dim").append_text(line) for number, line in numbered]
    more = answer.total_count + answer.before_play_count - min(_LISTED, len(listed))
    tail = f" There are {more} more." if more > 0 else ""
    tail += f" You may {pass_words(view)}." if answer.may_pass else ""
    lines.append(Text(f"  Choose one by its number, for example #1.{tail}", "dim"))
    return [*lines, *_owed(answer, view)]


def _nothing(answer: table_pb2.ListLegalActsResponse, view: table_pb2.SeatView) -> str:
    if answer.may_pass:
        return f"only {pass_words(view)}"
    if is_drawing(view):
        return f"nothing yet: {nothing_to_show(view)}"
    return "nothing: it is not your turn 还没轮到你"


def _owed(answer: table_pb2.ListLegalActsResponse, view: table_pb2.SeatView) -> list[Text]:
    """Where not all plays are listed, what makes any other one legal."""
    if not answer.HasField("duty"):
        return []
    hand = cards_from_wire(view.hand)
    if view.tricks.trick:
        return [Text("  Owed 须跟: ", "dim").append_text(duty_text(answer.duty, hand))]
    free, size = len(answer.duty.free), answer.duty.size
    any_of = "of your hand" if free == len(hand) else f"of the {free} that you have not shown"
    return [Text(f"  Any {size} cards {any_of} may be buried 任扣{size}张.", "dim")]


def _listed(answer: table_pb2.ListLegalActsResponse, view: table_pb2.SeatView) -> Iterator[Text]:
    stars = stars_of(view.ruleset_id)
    for play in answer.plays:
        line = left(card_row(cards_from_wire(play.cards), suits_matter(view)), _CELLS)
        line.append(f"  {play_words(play, stars)}".rstrip())
        line.append(DISCARDED if _lies_beside(play, view) else "", "dim").rstrip()
        yield line
    yield from (act_text(act, suits_matter(view)) for act in answer.before_play)


def _lies_beside(play: table_pb2.LegalPlay, view: table_pb2.SeatView) -> bool:
    """Whether the play would not beat the top play, where cards may lie beside it (贴牌)."""
    options, top = options_of(view.ruleset_id, view.options), top_play(view)
    if options is None or not options.discards or top is None:
        return False
    strength = options.rank_order.index
    return strength(Rank(play.combination.rank)) <= strength(Rank(top.combination.rank))
