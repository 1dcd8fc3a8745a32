"""What seats do beside playing, in a few words; none of it tells a hidden card."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Final

from shuangkou.cli import tricks_words
from shuangkou.cli.faces import card_row
from shuangkou.cli.words import SEATS
from shuangkou.rules.tricks.options import TricksOptions
from shuangkou.wire.cards import cards_from_wire


def _cards(cards: Iterable[int]) -> str:
    return card_row(cards_from_wire(cards)).plain or "–"


SEAT_WORDS: Final[dict[str, Callable[[Any], str]]] = {
    "kitty_taken": lambda event: f"takes the kitty of {event.number} 拿底",
    "kitty_card_drawn": lambda _: "draws a card of the kitty 摸底",
    "kitty_buried": lambda event: f"buries {event.number} cards 扣底",
    "kitty_shown": lambda event: f"is shown the kitty 亮底 {_cards(event.cards)}",
    "call_passed": lambda _: "passes 不叫",
    "combination_declared": lambda event: f"declares 叫牌 {_cards(event.cards)}",
    "bid_made": lambda event: f"bids {event.points} 叫{event.points}分",
    "landlord_called": lambda _: "calls the landlord 叫地主",
    "landlord_grabbed": lambda _: "grabs the landlord 抢地主",
    "landlord_named": lambda event: f"is the landlord 地主 at {event.bid}",
    "kitty_chosen": lambda event: f"takes {event.number or 'none'} of the kitty 拿底",
    "hand_exchanged": lambda event: f"exchanges {event.number or 'no'} card{'s'[: event.number != 1]} 换牌",
    "mark_set": lambda _: "marks a card 提分",
    **tricks_words.SEAT_WORDS,
}
"""By the kind of event: what its seat does."""


def seat_words(kind: str, event: Any, options: TricksOptions | None) -> str | None:
    """What the seat of the event does; None for an event that is no act of a seat.

    options: of a trick-taking game, whose words the act is told in.
    """
    by_game = tricks_words.SEAT_WORDS_BY_GAME.get(kind)
    if by_game is not None:
        return by_game(event, options)
    if kind == "call_passed" and options is not None:
        return "passes 过"
    tell = SEAT_WORDS.get(kind)
    return None if tell is None else tell(event)


HELD_CHANGES: Final[dict[str, Callable[[Any], int]]] = {
    "kitty_taken": lambda event: int(event.number),
    "kitty_card_drawn": lambda _: 1,
    "kitty_buried": lambda event: -int(event.number),
    "kitty_chosen": lambda event: int(event.number),
}
"""By the kind of event: how many cards more its seat holds."""


def marks_words(event: Any) -> str:
    """The marked cards of all seats, shown when the deal is over."""
    marks = [f"{SEATS[seat]} {_cards((mark,))}" for seat, mark in enumerate(event.marks) if mark]
    return f"marked cards 提分: {' · '.join(marks) or '–'}"
