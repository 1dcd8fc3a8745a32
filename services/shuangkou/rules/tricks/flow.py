"""What happens before play without anybody acting: phases that begin, a kitty that is taken or turned, the
trump that is fixed (§3.8 to §3.12, §9.3).
"""

from collections.abc import Callable
from functools import reduce

from shuangkou.rules.events import KittyTaken, VoidReason
from shuangkou.rules.seats import Seat, Side, side_of
from shuangkou.rules.tricks.auction import Stage
from shuangkou.rules.tricks.events import (
    DeclarerNamed,
    Event,
    Phase,
    PhaseBegan,
    RevealedShow,
    TrumpFixed,
    TrumpTurned,
)
from shuangkou.rules.tricks.folding import evolve
from shuangkou.rules.tricks.leaving import voided
from shuangkou.rules.tricks.nobody import turn_kitty
from shuangkou.rules.tricks.order import Trump
from shuangkou.rules.tricks.schedule import first_leader
from shuangkou.rules.tricks.starting import level_of
from shuangkou.rules.tricks.state import DealState, MatchState


def with_consequences(state: MatchState, events: tuple[Event, ...]) -> tuple[Event, ...]:
    """The events and all that follows from them; `state` before them."""
    told, state = events, reduce(evolve, events, state)
    while following := consequence_of(state):
        told, state = (*told, *following), reduce(evolve, following, state)
    return told


def consequence_of(state: MatchState) -> tuple[Event, ...]:
    """What happens next without anybody; nothing where a seat is asked, or cards are drawn."""
    deal = state.deal
    if deal is None or deal.phase is Phase.PLAY:
        return ()
    named = deal.auction.declarer
    if named is not None and named != deal.declarer:
        return (_named(state, named),)
    return _BY_STAGE[deal.auction.stage](state, deal)


def _named(state: MatchState, seat: Seat) -> DeclarerNamed:
    return DeclarerNamed(seat, level_of(state.ruleset.options, state.standing, seat))


def _nothing(_: MatchState, __: DealState) -> tuple[Event, ...]:
    return ()


def _ask(phase: Phase) -> Callable[[MatchState, DealState], tuple[Event, ...]]:
    def begin(_: MatchState, deal: DealState) -> tuple[Event, ...]:
        return () if deal.phase is phase else (PhaseBegan(phase, deal.auction.asked),)

    return begin


def _turn_trump(state: MatchState, deal: DealState) -> tuple[Event, ...]:
    """§3.9."""
    turned = turn_kitty(deal.auction, deal.kitty, state.standing.dealt_again)
    if turned is None:
        return (voided(deal, VoidReason.REDEAL),)
    is_new = turned.declarer is not None and turned.declarer != deal.declarer
    named = (_named(state, turned.declarer),) if is_new and turned.declarer is not None else ()
    return *named, TrumpTurned(turned.cards, turned.trump)


def _take_kitty(_: MatchState, deal: DealState) -> tuple[Event, ...]:
    """§3.12, §4.1."""
    burier = deal.auction.burier
    if deal.phase is Phase.BURY or burier is None:
        return ()
    return KittyTaken(burier, deal.kitty_size), PhaseBegan(Phase.BURY, burier)


def _fix_trump(_: MatchState, deal: DealState) -> tuple[Event, ...]:
    """§3.6; the declarer leads, or where roles alternate a holder (§9.3)."""
    auction = deal.auction
    if deal.declarer is None:
        shower = deal.first if auction.holder is None else auction.holder
        attackers = side_of(shower) if deal.attackers is None else deal.attackers
        return (DeclarerNamed(first_leader(shower, Side(1 - attackers)), deal.level),)
    revealed = tuple(RevealedShow(show.seat, show.cards) for show in auction.shows if show.is_face_down)
    return TrumpFixed(auction.trump or Trump.NONE, revealed), PhaseBegan(Phase.PLAY, deal.declarer)


_BY_STAGE: dict[Stage, Callable[[MatchState, DealState], tuple[Event, ...]]] = {
    Stage.DRAWING: _nothing,
    Stage.CLOSING: _ask(Phase.CLOSING),
    Stage.UNDECLARED: _turn_trump,
    Stage.BURYING: _take_kitty,
    Stage.AFTER_BURY: _ask(Phase.POST),
    Stage.CLOSED: _fix_trump,
}
"""One line for each stage of the auction."""
