"""The play of a deal told again by the rules from what a view says of it.

Every hand has only the cards of it that the view tells of. Whoever followed with them as the rules ask of the
whole hand did so as they ask of a part of it, and a throw that stood beside whole hands stands beside parts.
"""

from functools import reduce

from shuangkou.ai_player.unanswerable import ImplausibleView
from shuangkou.rules.commands import PlayCards
from shuangkou.rules.errors import IllegalCommand
from shuangkou.rules.ruleset import TricksRuleSet
from shuangkou.rules.seats import SEATS, Seat
from shuangkou.rules.tricks.events import CardsPlayed, Event, Phase
from shuangkou.rules.tricks.folding import evolve
from shuangkou.rules.tricks.playing import best_of, decide_play
from shuangkou.rules.tricks.position import position_seen
from shuangkou.rules.tricks.state import DealState, MatchState, order_of
from shuangkou.rules.tricks.units import format_of
from shuangkou.rules.tricks.view import SeatView


def play_retold(ruleset: TricksRuleSet, view: SeatView) -> tuple[DealState, Seat | None]:
    """The deal of a view in which cards are played, and whose play of the trick takes it so far.

    ImplausibleView where the rules refuse a play, or end the deal with one.
    """
    state = MatchState(ruleset, view.standing, _before_play(ruleset, view))
    for number, play in enumerate(view.history):
        field = f"history, play {number + 1}"
        if state.deal is None:
            raise ImplausibleView(f"{field}: the deal is over")
        state = reduce(evolve, _events(state, state.deal, play, field), state)
    if state.deal is None:
        raise ImplausibleView("history: the deal is over, and nobody is to act")
    return state.deal, best_of(state, state.deal) if state.deal.trick else None


def _before_play(ruleset: TricksRuleSet, view: SeatView) -> DealState:
    if view.declarer is None or view.attackers is None or view.trump is None:
        raise ImplausibleView("declarer, attackers, trump: all of them are known when cards are played")
    hands = [list(view.hand) if seat == view.seat else [] for seat in SEATS]
    for play in view.history:
        hands[play.seat] += play.cards
    return DealState(
        number=view.deal_number,
        seed_hash=view.seed_hash,
        first=SEATS[0] if view.first is None else view.first,
        auction=position_seen(ruleset.options, view).auction,
        level=view.level,
        hand_sizes=(ruleset.options.hand_size,) * len(SEATS),
        cards_left=0,
        kitty_size=view.kitty_size,
        phase=Phase.PLAY,
        turn=view.declarer,
        leader=view.declarer,
        declarer=view.declarer,
        attackers=view.attackers,
        hands=tuple(tuple(sorted(hand)) for hand in hands),
        trump=view.trump,
    )


def _events(state: MatchState, deal: DealState, play: CardsPlayed, field: str) -> tuple[Event, ...]:
    if play.is_forced:
        return (_what_was_left(state, deal, play, field),)
    try:
        events = decide_play(state, PlayCards(play.seat, play.cards))
    except IllegalCommand as refusal:
        raise ImplausibleView(f"{field}: {refusal.message}") from None
    if events[0] != play:
        raise ImplausibleView(f"{field}: the throw does not stand, or its cards are out of order")
    return events


def _what_was_left(state: MatchState, deal: DealState, play: CardsPlayed, field: str) -> CardsPlayed:
    """§6.3: of a throw of which nobody else saw the rest."""
    led = format_of(order_of(state, deal), play.cards)
    is_due = state.ruleset.options.throws and not deal.trick and play.seat == deal.turn
    if led is None or led.is_throw or not is_due:
        raise ImplausibleView(f"{field}: nothing is left here of a failed throw")
    return play
