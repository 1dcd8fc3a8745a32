"""Random whole deals in the fast core: dealt, played to the end and settled, on one processor core."""

from __future__ import annotations

import time

import numpy as np
import pytest

from shuangkou.fastplay.chance import stream_of
from shuangkou.fastplay.climbing.layout import blank_deal
from shuangkou.fastplay.climbing.selfplay import play_random_deals
from shuangkou.fastplay.climbing.tables import game_of, place_of
from shuangkou.fastplay.tricks.layout import blank_room
from shuangkou.fastplay.tricks.scores import results_of
from shuangkou.fastplay.tricks.selfplay import play_random_deals as play_random_tricks
from shuangkou.fastplay.tricks.tables import game_of as tricks_game_of
from shuangkou.rules.cards import full_deck
from shuangkou.rules.ruleset import available, load
from shuangkou.rules.seats import SIDES
from shuangkou.rules.tricks.order import Trump

DEALS, TRICKS_DEALS = 10_000, 2_000


@pytest.mark.parametrize("id", available("climbing"))
def test_random_deals_a_second(id: str) -> None:
    options = load(id).options
    game = game_of(options)
    cards = full_deck(options.decks, options.jokers)
    deck = np.array([place_of(game.table, card) * 4 + (card.suit or 0) for card in cards], dtype=np.int64)
    deal, stream = blank_deal(game), stream_of(b"bench")
    play_random_deals(game.tables, deal, options.hand_size, 10, stream, deck)
    rates = []
    for _ in range(3):
        started = time.process_time()
        play_random_deals(game.tables, deal, options.hand_size, DEALS, stream, deck)
        rates.append(DEALS / (time.process_time() - started))
    print(f"{id}: {max(rates):,.0f} deals per second of one core")


@pytest.mark.parametrize("id", available("tricks"))
def test_random_deals_of_tricks_a_second(id: str) -> None:
    """Spades are trump on the lowest level; leads are units, throws and any cards of a suit."""
    options = load(id).options
    level = options.ladder[0] if options.ladder else None
    game = tricks_game_of(options, level, Trump.SPADES)
    results = results_of(options, (level, level), SIDES[0])
    stream, room = stream_of(b"bench"), blank_room()
    play_random_tricks(game.tables, results, stream, options.kitty, 10, room)
    rates = []
    for _ in range(3):
        started = time.process_time()
        play_random_tricks(game.tables, results, stream, options.kitty, TRICKS_DEALS, room)
        rates.append(TRICKS_DEALS / (time.process_time() - started))
    print(f"{id}: {max(rates):,.0f} deals per second of one core")
