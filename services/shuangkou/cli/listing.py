"""What a seat may do, listed by numbers: as requests, and for the screen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rich.text import Text

from shuangkou.cli.calls import act_text
from shuangkou.cli.columns import left
from shuangkou.cli.faces import card_row
from shuangkou.cli.words import Words, play_words
from shuangkou.rules.cards import Card
from shuangkou.v1 import table_pb2
from shuangkou.wire.cards import cards_from_wire, cards_to_wire

LISTED: Final = 40
_LIST_CELLS: Final = 24


def play_request(cards: Sequence[Card]) -> table_pb2.ActRequest:
    """The request to play these cards."""
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


def legal_lines(answer: table_pb2.ListLegalActsResponse, stars: Words) -> list[Text]:
    """One line for each of the first that are listed."""
    lines = [
        left(card_row(cards_from_wire(play.cards)), _LIST_CELLS).append(
            f"  {play_words(play, stars)}".rstrip()
        )
        for play in answer.plays[:LISTED]
    ]
    return lines + [act_text(act) for act in answer.before_play[:LISTED]]
