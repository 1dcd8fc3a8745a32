"""What a seat may do now, as a numbered list and as requests."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from rich.text import Text

from shuangkou.cli.calls import act_text
from shuangkou.cli.columns import left
from shuangkou.cli.faces import card_row
from shuangkou.cli.seat_view import top_play
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


def legal_lines(answer: table_pb2.ListLegalActsResponse, view: table_pb2.SeatView) -> list[Text]:
    """Out of turn first, then the numbered list, then how to go on; ``view`` is the table as it stands."""
    others = [str(act.WhichOneof("command")).removeprefix("vote_") for act in answer.others]
    lines = [Text(f"  At any time: {', '.join(sorted(others))}", "dim")] if others else []
    listed = list(_listed(answer, view))
    if not listed:
        return [*lines, Text("  only pass 不要" if answer.may_pass else "  nothing: it is not your turn")]
    numbered = enumerate(listed[:_LISTED], start=1)
    lines += [Text(f"  {f'#{number}':<4} ", "dim").append_text(line) for number, line in numbered]
    more = answer.total_count + answer.before_play_count - min(_LISTED, len(listed))
    tail = f" There are {more} more." if more > 0 else ""
    tail += " You may pass 不要." if answer.may_pass else ""
    return [*lines, Text(f"  Choose one by its number, for example #1.{tail}", "dim")]


def _listed(answer: table_pb2.ListLegalActsResponse, view: table_pb2.SeatView) -> Iterator[Text]:
    stars = stars_of(view.ruleset_id)
    for play in answer.plays:
        line = left(card_row(cards_from_wire(play.cards)), _CELLS).append(
            f"  {play_words(play, stars)}".rstrip()
        )
        yield line.append(DISCARDED if _lies_beside(play, view) else "", "dim")
    yield from map(act_text, answer.before_play)


def _lies_beside(play: table_pb2.LegalPlay, view: table_pb2.SeatView) -> bool:
    """Whether the play would not beat the top play, where cards may lie beside it (贴牌)."""
    options, top = options_of(view.ruleset_id, view.options), top_play(view)
    if options is None or not options.discards or top is None:
        return False
    strength = options.rank_order.index
    return strength(Rank(play.combination.rank)) <= strength(Rank(top.combination.rank))
