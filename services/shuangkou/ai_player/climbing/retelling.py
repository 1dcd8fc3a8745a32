"""A deal told again by the rules from what a view says of it: what they refuse no engine has seen.

Hands that the view does not show are filled with any cards that it does not show either: in these games no
act of a seat is refused, or has other consequences, for cards that it keeps.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import reduce
from itertools import islice, takewhile
from typing import Any

from shuangkou.ai_player.unanswerable import ImplausibleView
from shuangkou.rules.cards import Card, full_deck
from shuangkou.rules.climbing.commands import (
    Bid,
    CallLandlord,
    Command,
    DeclareCombination,
    ExchangeCards,
    GrabLandlord,
    MarkCard,
    TakeFromKitty,
)
from shuangkou.rules.climbing.deal import decide, evolve
from shuangkou.rules.climbing.events import Act, CardsPlayed, DealStarted, FaceCardShown, Opening
from shuangkou.rules.climbing.kitty import taken_or_drawn
from shuangkou.rules.climbing.move_table import move_table
from shuangkou.rules.climbing.options import ClimbingOptions, LaterLead
from shuangkou.rules.climbing.phase_events import (
    BidMade,
    CallPassed,
    CombinationDeclared,
    HandExchanged,
    KittyChosen,
    LandlordCalled,
    LandlordGrabbed,
    MarkSet,
)
from shuangkou.rules.climbing.state import DealState, MatchState
from shuangkou.rules.climbing.view import SeatView
from shuangkou.rules.commands import BuryKitty, Pass, PlayCards
from shuangkou.rules.errors import IllegalCommand
from shuangkou.rules.events import KittyBuried, SeatsSwapped
from shuangkou.rules.ruleset import RuleSet
from shuangkou.rules.seats import SEATS, Seat, partner

Hands = tuple[tuple[Card, ...], ...]

_COMMANDS: dict[type, Callable[[Any, tuple[Card, ...]], Command]] = {
    KittyBuried: lambda event, cards: BuryKitty(event.seat, cards[: event.number]),
    CallPassed: lambda event, _: Pass(event.seat),
    CombinationDeclared: lambda event, _: DeclareCombination(event.seat, event.cards),
    BidMade: lambda event, _: Bid(event.seat, event.points),
    LandlordCalled: lambda event, _: CallLandlord(event.seat),
    LandlordGrabbed: lambda event, _: GrabLandlord(event.seat),
    KittyChosen: lambda event, cards: TakeFromKitty(event.seat, cards[: event.number]),
    HandExchanged: lambda event, cards: ExchangeCards(event.seat, cards[: event.number]),
    MarkSet: lambda event, cards: MarkCard(event.seat, cards[0]),
}
"""From an event before play to the command that caused it, with any cards where they are not told."""


def retold(ruleset: RuleSet, view: SeatView) -> tuple[MatchState, DealState]:
    """The table of the view, with hands of which only those that it shows are right.

    ImplausibleView where the rules refuse an act that it tells of, or end the deal with one.
    """
    state = _after_opening(ruleset, view)
    for number, act in enumerate(view.history):
        if not number:
            state = _with_hands(ruleset.options, view, state)
        state = _after(state, _command_of(act), f"history, act {number + 1}")
    deal = state.deal
    if deal is None:
        raise ImplausibleView("history: the deal is over, and nobody is to act")
    return state, deal


def _command_of(act: Act) -> PlayCards | Pass:
    return PlayCards(act.seat, act.cards) if isinstance(act, CardsPlayed) else Pass(act.seat)


def _after(state: MatchState, command: Command, field: str) -> MatchState:
    if state.deal is None:
        raise ImplausibleView(f"{field}: the deal is over")
    try:
        return reduce(evolve, decide(state, command), state)
    except IllegalCommand as refusal:
        raise ImplausibleView(f"{field}: {refusal.message}") from None


def _after_opening(ruleset: RuleSet, view: SeatView) -> MatchState:
    options, opening = ruleset.options, view.opening
    dealing = tuple(takewhile(lambda event: type(event) not in _COMMANDS, opening))
    leader = _first(view, opening[len(dealing) :])
    _check_dealing(options, leader, dealing)
    start = MatchState(ruleset, move_table(options), view.standing)
    sizes = tuple(options.hand_size if seat < options.players else 0 for seat in SEATS)
    state = evolve(start, DealStarted(view.deal_number, view.seed_hash, leader, sizes))
    state = replace(reduce(evolve, dealing, state), standing=view.standing)
    while state.deal is not None and len(state.deal.opening) < len(opening):
        number = len(state.deal.opening)
        state = _after_call(state, state.deal, opening[number], f"opening, event {number + 1}")
        if state.deal is None or state.deal.opening != opening[: len(state.deal.opening)]:
            raise ImplausibleView(f"opening, event {number + 1}: something else follows from the ones before")
    return state


def _first(view: SeatView, calls: tuple[Opening, ...]) -> Seat:
    """The seat that was the first to act."""
    for event in (*calls, *view.history):
        return event.seat  # type: ignore[union-attr]  # dealing is told before
    return SEATS[0] if view.turn is None else view.turn


def _check_dealing(options: ClimbingOptions, leader: Seat, dealing: tuple[Opening, ...]) -> None:
    """§2.6, §2.9, §10: what is told before anybody acts."""
    moves: list[tuple[Opening, ...]] = [()]
    if options.later_lead is LaterLead.FACE_CARD:
        moves = [_face(leader, event) for event in dealing[:1] if isinstance(event, FaceCardShown)]
    elif options.rotation:
        moves += [tuple(SeatsSwapped((SEATS[0], other)) for other in SEATS[1:])]
    if dealing not in [(*move, *taken_or_drawn(options, leader)) for move in moves]:
        raise ImplausibleView(f"opening: no deal of this game that seat {leader} leads begins so")


def _face(leader: Seat, shown: FaceCardShown) -> tuple[Opening, ...]:
    if shown.first != leader or shown.second in (leader, partner(leader)):
        return (shown,)
    return shown, SeatsSwapped((shown.second, partner(leader)))


def _after_call(state: MatchState, deal: DealState, event: Any, field: str) -> MatchState:
    make = _COMMANDS.get(type(event))
    if make is None:
        raise ImplausibleView(f"{field}: {type(event).__name__} does not follow from the ones before")
    options = state.ruleset.options
    deck = full_deck(options.decks, options.jokers)
    hand = (*getattr(event, "cards", ()), *deck)[: max(deal.hand_sizes[event.seat], 1)]
    kitty = deck[: deal.kitty_size]
    known = replace(deal, hands=_put(deal.hands, event.seat, hand), kitty=kitty)
    cards = kitty if isinstance(event, KittyChosen) else hand
    return _after(replace(state, deal=known), make(event, cards), field)


def _put(hands: Hands, seat: Seat, hand: tuple[Card, ...]) -> Hands:
    return tuple(hand if other == seat else cards for other, cards in enumerate(hands))


def _with_hands(options: ClimbingOptions, view: SeatView, state: MatchState) -> MatchState:
    """The table before the first play."""
    deal, seat = state.deal, view.seat
    if deal is None or seat is None:
        return state
    played: list[list[Card]] = [[], [], [], []]
    for act in view.history:
        if isinstance(act, CardsPlayed):
            played[act.seat] += act.cards
    hands = [(*played[other], *_shown(view, other)) for other in SEATS]
    hidden = _hidden(options, view, hands)
    filled = [
        (*hand, *islice(hidden, max(0, size - len(hand))))
        for hand, size in zip(hands, deal.hand_sizes, strict=True)
    ]
    table = state.table
    packed = tuple(table.pack(hand) for hand in filled)
    return replace(state, deal=replace(deal, hands=tuple(filled), packed_hands=packed, kitty=view.kitty))


def _shown(view: SeatView, seat: Seat) -> tuple[Card, ...]:
    if view.seat is None:
        return ()
    return {view.seat: view.hand, partner(view.seat): view.partner_hand}.get(seat, ())


def _hidden(options: ClimbingOptions, view: SeatView, hands: Iterable[tuple[Card, ...]]) -> Iterator[Card]:
    seen = Counter((*view.kitty, *view.discarded, *(card for hand in hands for card in hand)))
    return (Counter(full_deck(options.decks, options.jokers)) - seen).elements()
