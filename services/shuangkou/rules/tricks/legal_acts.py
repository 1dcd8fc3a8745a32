"""What a seat may do now, as an answer of bounded length that still knows every legal act."""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from shuangkou.rules.cards import Card
from shuangkou.rules.commands import BuryKitty, Forfeit, Pass, PlayCards
from shuangkou.rules.errors import IllegalCommand
from shuangkou.rules.tricks.burying import objection_to_bury
from shuangkou.rules.tricks.commands import DeclareTrump, NameShape, SeatAct
from shuangkou.rules.tricks.declaring import legal_shows, show_of
from shuangkou.rules.tricks.defaults import default_bury, lowest_first
from shuangkou.rules.tricks.events import Phase
from shuangkou.rules.tricks.following import Duty, duty, is_legal_follow
from shuangkou.rules.tricks.options import TricksOptions
from shuangkou.rules.tricks.order import TrumpOrder
from shuangkou.rules.tricks.plays import LegalFollows, LegalLeads, legal_follows, legal_leads
from shuangkou.rules.tricks.position import Position, position_seen
from shuangkou.rules.tricks.throwing import check_lead
from shuangkou.rules.tricks.topping import RETURNED, needs_return, returnable, topping_of
from shuangkou.rules.tricks.units import Format, format_of
from shuangkou.rules.tricks.view import SeatView

_ASKED = (Phase.CLOSING, Phase.POST)


@dataclass(frozen=True, slots=True, eq=False)
class LegalActs:
    """What the seat of this position may do; nothing where there is none.

    Iteration, `len` and truth are about acts to choose from, the default first: all of them where they are
    few, else some of every sort. `in` takes a command and knows every legal one, listed or not.
    """

    position: Position | None = None

    def __iter__(self) -> Iterator[SeatAct]:
        if self.position is not None:
            yield from _LISTED[self.position.phase](self.position)

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __bool__(self) -> bool:
        return any(True for _ in self)

    def __contains__(self, act: object) -> bool:
        position, judge = self.position, _JUDGES.get(type(act))
        if position is None or judge is None or getattr(act, "seat", None) != position.seat:
            return False
        return judge(position, act)

    @property
    def may_pass(self) -> bool:
        """The seat is asked to show something for trump, and need not."""
        return self.position is not None and _may_pass(self.position, None)

    @property
    def shows(self) -> tuple[DeclareTrump, ...]:
        """Every show that the seat may make now; where two cards go back for it, with the lowest."""
        if self.position is None or self.position.phase not in (Phase.DRAW, *_ASKED):
            return ()
        return tuple(_shows(self.position))

    @property
    def free(self) -> tuple[Card, ...]:
        """Where the seat buries: the cards that it may bury, any as many as the kitty has."""
        if self.position is None or not _is_to(self.position, Phase.BURY):
            return ()
        position = self.position
        shown = Counter(position.auction.shown_by(position.seat))
        return tuple((Counter(position.hand) - shown).elements())

    @property
    def leads(self) -> LegalLeads | None:
        """Where the seat leads."""
        if self.position is None or not _is_to(self.position, Phase.PLAY) or self.position.trick:
            return None
        position = self.position
        return legal_leads(position.order, position.hand, position.options.throws, position.unseen)

    @property
    def follows(self) -> LegalFollows | None:
        """Where the seat follows: what it owes, and plays that meet it."""
        if self.position is None or not _is_to(self.position, Phase.PLAY):
            return None
        position, lead = self.position, _lead(self.position)
        if lead is None:
            return None
        return legal_follows(position.order, lead, position.hand, position.options.high_follow)

    @property
    def others(self) -> tuple[Forfeit, ...]:
        """What the seat may ask out of turn."""
        return () if self.position is None else (Forfeit(self.position.seat),)


def legal_acts_in_view(options: TricksOptions, view: SeatView) -> LegalActs:
    """The legal acts of the seat whose view this is; ValueError for a spectator's view."""
    if view.seat is None:
        raise ValueError("a spectator has no acts")
    return LegalActs(position_seen(options, view) if view.in_progress else None)


def _is_to(position: Position, phase: Phase) -> bool:
    return position.phase is phase and position.is_asked


def _lead(position: Position) -> Format | None:
    return format_of(position.order, position.trick[0].cards) if position.trick else None


def _shows(position: Position) -> Iterator[DeclareTrump]:
    seat, hand, auction = position.seat, position.hand, position.auction
    for cards in legal_shows(auction, seat, hand):
        show = show_of(auction, seat, cards, hand)
        back: tuple[Card, ...] = ()
        if needs_return(auction, show):
            low = sorted(returnable(auction, show, hand), key=lowest_first(position.order))
            back = tuple(sorted(low[:RETURNED]))
        yield DeclareTrump(seat, cards, back)


def _asked_acts(position: Position) -> Iterator[SeatAct]:
    if position.is_asked:
        yield Pass(position.seat)
    yield from _shows(position)


def _buries(position: Position) -> Iterator[SeatAct]:
    """One, for there are millions."""
    if position.is_asked:
        shown = position.auction.shown_by(position.seat)
        cards = default_bury(position.order, position.hand, position.options.kitty, shown)
        yield BuryKitty(position.seat, cards)


def _plays(position: Position) -> Iterator[SeatAct]:
    acts, seat = LegalActs(position), position.seat
    leads, follows = acts.leads, acts.follows
    if leads is not None:
        listed = [unit.cards for unit in leads.units]
        throws = [tuple(card for unit in throw.units for card in unit.cards) for throw in leads.throws]
        for cards in (*listed, *throws):
            yield PlayCards(seat, position.order.ascending(cards))
    if follows is not None:
        for cards in follows.plays:
            yield PlayCards(seat, cards)


def _shapes(position: Position) -> Iterator[SeatAct]:
    if position.is_asked:
        for shape in position.choices:
            yield NameShape(position.seat, shape)


_LISTED: dict[Phase, Callable[[Position], Iterator[SeatAct]]] = {
    Phase.DRAW: _shows,
    Phase.CLOSING: _asked_acts,
    Phase.POST: _asked_acts,
    Phase.BURY: _buries,
    Phase.PLAY: _plays,
    Phase.NAME_SHAPE: _shapes,
}
"""Acts to choose from, by phase."""


def _may_show(position: Position, act: DeclareTrump) -> bool:
    auction, hand = position.auction, position.hand
    if position.phase not in (Phase.DRAW, *_ASKED):
        return False
    try:
        show = show_of(auction, position.seat, act.cards, hand)
        topping_of(auction, show, act.returned, hand)
    except IllegalCommand:
        return False
    return True


def _may_pass(position: Position, _: Pass | None) -> bool:
    return position.phase in _ASKED and position.is_asked


def _may_bury(position: Position, act: BuryKitty) -> bool:
    shown = position.auction.shown_by(position.seat)
    objection = objection_to_bury(position.options.kitty, position.hand, shown, act.cards)
    return _is_to(position, Phase.BURY) and objection is None


@lru_cache(maxsize=64)
def _owed(order: TrumpOrder, led: tuple[Card, ...], hand: tuple[Card, ...], high_follow: bool) -> Duty | None:
    """The same for every play of a hand that is asked about; None on cards that are no lead."""
    lead = format_of(order, led)
    return None if lead is None else duty(order, lead, hand, high_follow)


def _may_play(position: Position, act: PlayCards) -> bool:
    if not _is_to(position, Phase.PLAY) or Counter(act.cards) - Counter(position.hand):
        return False
    if position.trick:
        owed = _owed(position.order, position.trick[0].cards, position.hand, position.options.high_follow)
        return owed is not None and is_legal_follow(position.order, owed, act.cards)
    try:
        check_lead(position.options, position.order, act.cards)
    except IllegalCommand:
        return False
    return True


def _may_name(position: Position, act: NameShape) -> bool:
    return _is_to(position, Phase.NAME_SHAPE) and act.shape in position.choices


def _may_forfeit(_: Position, __: Forfeit) -> bool:
    return True


_JUDGES: dict[type, Callable[[Position, Any], bool]] = {
    DeclareTrump: _may_show,
    Pass: _may_pass,
    BuryKitty: _may_bury,
    PlayCards: _may_play,
    NameShape: _may_name,
    Forfeit: _may_forfeit,
}
"""Whether an act is legal; must agree with `decide`."""
