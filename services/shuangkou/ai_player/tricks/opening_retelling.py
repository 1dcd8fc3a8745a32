"""What a view tells of a deal before the first lead, told again by the rules.

Hands are not known, nor the kitty: what depends on them is taken as it is told. Nor does a view tell when the
last card was drawn, so that every moment is tried at which it can have been.
"""

from functools import reduce
from itertools import takewhile
from typing import Any

from shuangkou.ai_player.unanswerable import ImplausibleView
from shuangkou.rules.errors import IllegalCommand
from shuangkou.rules.events import KittyBuried, Passed
from shuangkou.rules.ruleset import TricksRuleSet
from shuangkou.rules.seats import SEATS
from shuangkou.rules.tricks.asking import check_pass
from shuangkou.rules.tricks.auction import Auction, Stage
from shuangkou.rules.tricks.declaring import kind_of_show, show_of
from shuangkou.rules.tricks.events import (
    CardsDrawn,
    DealStarted,
    DeclarerNamed,
    PairTopped,
    Phase,
    PhaseBegan,
    TrumpDeclared,
    TrumpFixed,
    TrumpTurned,
)
from shuangkou.rules.tricks.flow import consequence_of
from shuangkou.rules.tricks.folding import evolve
from shuangkou.rules.tricks.order import Trump
from shuangkou.rules.tricks.shows import Show
from shuangkou.rules.tricks.starting import declarer_of_next, level_of
from shuangkou.rules.tricks.state import DealState, MatchState
from shuangkou.rules.tricks.topping import needs_return
from shuangkou.rules.tricks.view import SeatView

_WHILE_DRAWING = (TrumpDeclared, PairTopped, DeclarerNamed)


def opening_retold(ruleset: TricksRuleSet, view: SeatView) -> DealState:
    """The deal after its opening, without hands; ImplausibleView where the rules know no way to it."""
    opening = view.opening
    may_be_drawing = len(tuple(takewhile(lambda event: isinstance(event, _WHILE_DRAWING), opening)))
    moments = range(may_be_drawing + 1) if ruleset.options.draw_pace_ms else range(1)
    doubt = ImplausibleView("opening: no deal of this game begins so")
    for drawn in moments:
        try:
            deal = _told(ruleset, view, drawn)
        except ImplausibleView as reason:
            doubt = reason
            continue
        if deal.phase is Phase.PLAY and view.phase in (Phase.PLAY, Phase.NAME_SHAPE):
            return deal
        if (deal.phase, deal.turn) == (view.phase, view.turn):
            return deal
        doubt = ImplausibleView(f"phase, turn: after the opening they are {deal.phase.value} and {deal.turn}")
    raise doubt


def _told(ruleset: TricksRuleSet, view: SeatView, drawn: int) -> DealState:
    """drawn: events of the opening that happened before the last card was drawn."""
    deal = _dealt(ruleset, view)
    state = MatchState(ruleset, view.standing, deal)
    while True:
        done = len(deal.opening)
        if deal.opening != view.opening[:done]:
            raise ImplausibleView(f"opening, event {done}: something else follows from the ones before")
        if deal.cards_left and done >= drawn:
            state = _on(state, CardsDrawn(deal.cards_left))
        elif done == len(view.opening):
            return deal
        else:
            field = f"opening, event {done + 1}"
            try:
                state = _after(state, deal, view.opening[done])
            except IllegalCommand as refusal:
                raise ImplausibleView(f"{field}: {refusal.message}") from None
        if state.deal is None:
            raise ImplausibleView("opening: the deal is over")
        deal = state.deal


def _dealt(ruleset: TricksRuleSet, view: SeatView) -> DealState:
    options, standing = ruleset.options, view.standing
    declarer = declarer_of_next(options, standing)
    started = DealStarted(
        number=view.deal_number,
        seed_hash=view.seed_hash,
        first=SEATS[0] if view.first is None else view.first,
        declarer=declarer,
        level=level_of(options, standing, declarer),
        hand_size=options.hand_size,
        kitty_size=options.kitty,
    )
    deal = evolve(MatchState(ruleset, standing), started).deal
    assert deal is not None  # evolve has begun it
    return deal


def _on(state: MatchState, *events: Any) -> MatchState:
    """After these events and what follows from them, as far as it does not hang on hidden cards."""
    state = reduce(evolve, events, state)
    while not _is_for_view_to_tell(state):
        following = consequence_of(state)
        if not following:
            break
        state = reduce(evolve, following, state)
    return state


def _is_for_view_to_tell(state: MatchState) -> bool:
    deal = state.deal
    if deal is None or deal.auction.stage is Stage.UNDECLARED:
        return True
    return deal.auction.stage is Stage.CLOSED and deal.declarer is not None


def _after(state: MatchState, deal: DealState, event: Any) -> MatchState:
    auction, options = deal.auction, state.ruleset.options
    match event:
        case Passed(seat):
            check_pass(auction, seat)
        case TrumpDeclared():
            return _on(state, event, *_topping(auction, _show(auction, event)))
        case KittyBuried(seat, number):
            buries = (deal.turn, options.kitty) if deal.phase is Phase.BURY else None
            _check_told((seat, number), buries, "who buries how many cards")
        case TrumpTurned() | DeclarerNamed():
            _check_told(auction.stage, Stage.UNDECLARED, "whether the kitty is turned")
        case TrumpFixed(trump):
            known = trump if options.is_face_down else auction.trump or Trump.NONE
            _check_told((auction.stage, trump), (Stage.CLOSED, known), "the trump")
            return _on(state, event, PhaseBegan(Phase.PLAY, deal.declarer))
        case _:
            raise ImplausibleView(f"opening: {type(event).__name__} does not follow from what is before it")
    return _on(state, event)


def _check_told(seen: object, told: object, what: str) -> None:
    if seen != told:
        raise ImplausibleView(f"opening, {what}: it is {told} by what is before it, not {seen}")


def _show(auction: Auction, event: TrumpDeclared) -> Show:
    """Of cards that lie face-down nothing is known but who shows how many."""
    kind, is_after_bury = kind_of_show(auction, event.seat), auction.stage is Stage.AFTER_BURY
    told = Show(event.seat, event.kind, event.cards, event.size, event.is_face_down, event.is_after_bury)
    _check_told((event.kind, event.is_after_bury), (kind, is_after_bury), "what a show is")
    if not auction.options.is_face_down:
        _check_told(told, show_of(auction, event.seat, event.cards, event.cards), "how cards are shown")
    return told


def _topping(auction: Auction, show: Show) -> tuple[PairTopped, ...]:
    """§3.14: it is told with the show."""
    topped = auction.last_show
    if topped is None or not needs_return(auction, show):
        return ()
    return (PairTopped(show.seat, topped.seat, topped.cards),)
