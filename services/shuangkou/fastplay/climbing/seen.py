"""A seat's view as kernels read it: the deal as far as the seat knows it, and acts as the rules take
them."""

from collections import Counter
from typing import Any

import numpy as np
import numpy.typing as npt

from shuangkou.fastplay.climbing.deal import begin, pass_turn, play_cards
from shuangkou.fastplay.climbing.evidence import no_evidence, note
from shuangkou.fastplay.climbing.hands import find_plays, spend
from shuangkou.fastplay.climbing.layout import KITTY, MARK, PASS, SIZE, blank_deal
from shuangkou.fastplay.climbing.reading import cards_of, hold, kitty_worth, play_of, set_opening
from shuangkou.fastplay.climbing.tables import Game
from shuangkou.fastplay.kernel import kernel
from shuangkou.rules.cards import Card, full_deck
from shuangkou.rules.climbing.events import CardsPlayed
from shuangkou.rules.climbing.options import Phase, Sides
from shuangkou.rules.climbing.view import SeatView
from shuangkou.rules.commands import Pass, PlayCards
from shuangkou.rules.seats import SEATS, Seat, partner

Array = npt.NDArray[Any]


def deal_seen(game: Game, view: SeatView, seat: Seat, evidence: Array | None = None) -> Array:
    """The deal before the seat's act: hands that it does not see are empty, but their sizes are right.

    evidence: gets what the acts tell about hands.
    """
    deal = blank_deal(game)
    played: list[list[Card]] = [[], [], [], []]
    for act in view.history:
        if isinstance(act, CardsPlayed):
            played[act.seat] += act.cards
    shown = {seat: view.hand, partner(seat): view.partner_hand}
    for other in SEATS:
        hold(game, deal, other, (*played[other], *shown.get(other, ())))
    leader = view.history[0].seat if view.history else seat
    begin(game.tables, deal, leader)
    for other in SEATS:
        deal[SIZE + other] = len(played[other]) + view.hand_sizes[other]
    set_opening(game, deal, view.opening)
    unseen = 0 if view.kitty else view.kitty_size * game.options.kitty_card_points
    deal[KITTY] = kitty_worth(game, view.kitty) + unseen
    deal[MARK + seat] = -1 if view.mark is None else game.numbers[view.mark]
    acts, cards = acts_of(game, view)
    _replay(game.tables, deal, acts, cards, no_evidence() if evidence is None else evidence)
    for other in shown:
        find_plays(game.tables, deal, other)
    return deal


def unseen_cards(game: Game, view: SeatView) -> Counter[Card]:
    """The cards of the deck that the view does not show, wherever they are."""
    shown = Counter((*view.hand, *view.partner_hand, *view.kitty, *view.discarded))
    for act in view.history:
        if isinstance(act, CardsPlayed):
            shown.update(act.cards)
    return Counter(full_deck(game.options.decks, game.options.jokers)) - shown


def show_last_hand(game: Game, view: SeatView, seat: Seat, deal: Array) -> bool:
    """Give the only other seat with cards all that the view does not show, where it can hold nothing else.

    False where more seats hold cards, or cards may lie elsewhere, or the score depends on more than is known.
    """
    others = [other for other in SEATS if other != seat and view.hand_sizes[other]]
    options = game.options
    is_one_against_one = options.sides is Sides.PARTNERS or options.players == 2
    if len(others) != 1 or not is_one_against_one or Phase.MARK in options.phases:
        return False
    unseen = unseen_cards(game, view)
    if unseen.total() != view.hand_sizes[others[0]]:
        return False
    hold(game, deal, others[0], unseen.elements())
    find_plays(game.tables, deal, others[0])
    return True


def acts_of(game: Game, view: SeatView) -> tuple[Array, Array]:
    """Plays with their numbers of cards, and all the cards in order."""
    acts, cards = [], []
    for act in view.history:
        if isinstance(act, CardsPlayed):
            acts.append((play_of(game, act.cards), len(act.cards)))
            cards += [game.numbers[card] for card in act.cards]
        else:
            acts.append((PASS, 0))
    return np.array(acts, dtype=np.int64).reshape(-1, 2), np.array(cards, dtype=np.int64)


@kernel
def _replay(t: Array, d: Array, acts: Array, cards: Array, evidence: Array) -> None:
    start = 0
    for number in range(len(acts)):
        note(t, d, acts[number, 0], evidence)
        if acts[number, 0] == PASS:
            pass_turn(t, d)
            continue
        count = acts[number, 1]
        play_cards(t, d, acts[number, 0], cards[start:], count)
        start += count


def command_for(game: Game, view: SeatView, deal: Array, play: int) -> PlayCards | Pass:
    """The act of the view's seat as the rules take it."""
    seat = view.seat
    if seat is None:
        raise ValueError("a spectator has no acts")
    if play == PASS:
        return Pass(seat)
    numbers = np.zeros(64, dtype=np.int64)
    count = spend(game.tables, deal, seat, play, numbers)
    return PlayCards(seat, cards_of(game, view.hand, numbers[:count].tolist()))
