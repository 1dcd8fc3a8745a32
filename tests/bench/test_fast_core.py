"""Random whole deals in the fast core: dealt, played to the end and settled, on one processor core."""

from __future__ import annotations

import time

import numpy as np
import pytest

from shuangkou.fastplay.chance import stream_of
from shuangkou.fastplay.climbing.layout import blank_deal
from shuangkou.fastplay.climbing.selfplay import play_random_deals
from shuangkou.fastplay.climbing.tables import game_of, place_of
from shuangkou.rules.cards import full_deck
from shuangkou.rules.ruleset import available, load

DEALS = 10_000


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
