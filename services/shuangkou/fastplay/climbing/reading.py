"""Between the cards of `rules` and the numbers of kernels."""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy.typing as npt

from shuangkou.fastplay.climbing.deal import begin
from shuangkou.fastplay.climbing.layout import (
    BID,
    DECLARED,
    DECLARER,
    FLUSH,
    FLUSH_SUIT,
    HELD,
    KITTY,
    LANDLORD,
    MARK,
    MASKS,
    blank_deal,
)
from shuangkou.fastplay.climbing.tables import STRIDE, Game, place_of
from shuangkou.rules.cards import CARDS, JOKERS, Card, Rank, card_of
from shuangkou.rules.climbing.calls import landlord_of, standing_declaration
from shuangkou.rules.climbing.combinations import Kind
from shuangkou.rules.climbing.events import Opening
from shuangkou.rules.climbing.state import DealState
from shuangkou.rules.climbing.suits import read

Array = npt.NDArray[Any]


def play_of(game: Game, cards: Sequence[Card]) -> int:
    """The number of the play that these cards make; KeyError when they make none."""
    if not game.by_card:
        return game.table.row_of[game.table.pack(cards)]
    found = read(game.table, cards)
    if found is None:
        raise KeyError(cards)
    suit = cards[0].suit or 0
    if found.kind is Kind.FLUSH:
        return FLUSH | suit << FLUSH_SUIT | sum(1 << place_of(game.table, card) for card in cards)
    return game.by_reading[found, suit if found.kind is Kind.SINGLE else 0]


def cards_of(game: Game, hand: Iterable[Card], numbers: Iterable[int]) -> tuple[Card, ...]:
    """Cards of a hand for what a kernel spends of it; the lowest suits of a rank first."""
    if game.by_card:
        return game.table.sort(_card(game, number) for number in numbers)
    left, chosen = list(hand), []
    for place in numbers:
        card = next(card for card in left if place_of(game.table, card) == place)
        left.remove(card)
        chosen.append(card)
    return game.table.sort(chosen)


def _card(game: Game, number: int) -> Card:
    rank: Rank = game.options.rank_order[number // 4]
    return card_of(rank) if rank in JOKERS else CARDS[number % 4 * 13 + rank - Rank.TWO]


def hold(game: Game, deal: Array, seat: int, cards: Iterable[Card]) -> None:
    """Give a seat these cards and no others."""
    deal[HELD + seat * STRIDE : HELD + (seat + 1) * STRIDE] = 0
    deal[MASKS + seat * STRIDE : MASKS + (seat + 1) * STRIDE] = 0
    for card in cards:
        place = place_of(game.table, card)
        deal[HELD + seat * STRIDE + place] += 1
        deal[MASKS + seat * STRIDE + place] |= 1 << (card.suit or 0)


def set_opening(game: Game, deal: Array, opening: tuple[Opening, ...]) -> None:
    """What play begins with: what was declared, and who is the landlord."""
    declared, landlord = standing_declaration(opening), landlord_of(opening)
    if declared is not None:
        deal[DECLARER] = declared.seat
        deal[DECLARED] = play_of(game, declared.cards)
    if landlord is not None:
        deal[LANDLORD], deal[BID] = landlord.seat, landlord.bid


def kitty_worth(game: Game, kitty: Iterable[Card]) -> int:
    """Points of its cards where they are shown (§11.6)."""
    options = game.options
    return sum(
        options.kitty_joker_points if card.rank in JOKERS else options.kitty_card_points for card in kitty
    )


def deal_at_start(game: Game, state: DealState) -> Array:
    """A deal of `rules` whose play begins."""
    deal = blank_deal(game)
    for seat, hand in enumerate(state.hands):
        hold(game, deal, seat, hand)
    begin(game.tables, deal, state.turn)
    set_opening(game, deal, state.opening)
    deal[KITTY] = kitty_worth(game, state.kitty)
    for seat, card in enumerate(state.marks):
        deal[MARK + seat] = -1 if card is None else game.numbers[card]
    return deal
