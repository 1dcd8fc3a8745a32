"""Declaring, reinforcing and overturning: who may show what now (亮主, 加固, 反主; §3)."""

from collections import Counter
from collections.abc import Iterable

from shuangkou.rules import errors
from shuangkou.rules.cards import JOKERS, Card, Rank
from shuangkou.rules.errors import IllegalCommand
from shuangkou.rules.seats import Seat, partner
from shuangkou.rules.tricks.auction import TWIN_LOCKS, Auction, Stage, is_declaring_side, level_shown_by
from shuangkou.rules.tricks.options import Declare, FirstDeclare, Lock, Overturn, TricksOptions, Window
from shuangkou.rules.tricks.ranking import (
    Objection,
    objection_to_declare,
    objection_to_overturn,
    objection_to_reinforce,
)
from shuangkou.rules.tricks.shows import Cards, Form, Show, ShowKind, copies_of_all, forms_of, read_form

_ASKING = (Stage.CLOSING, Stage.AFTER_BURY)
_SUITED = frozenset(Rank) - JOKERS


def show_of(auction: Auction, seat: Seat, cards: Iterable[Card], hand: Cards) -> Show:
    """The show that these cards are, of a seat that holds this hand so far; their order does not matter.

    All that lies on the table afterwards is named: a lock shows the declared card again with its twin.
    IllegalCommand with a code `tricks/…`, `cards/not_held`, `turn/not_your_turn` or `state/other_phase`.
    """
    shown = tuple(sorted(cards))
    objection = _objection_to_turn(auction, seat) or _objection_to_cards(auction, seat, shown, hand)
    if objection is not None:
        code, reason = objection
        raise IllegalCommand(code, f"seat {seat} cannot show that: {reason}", shown, seat)
    kind, form = kind_of_show(auction, seat), read_form(shown)
    is_hidden = auction.options.is_face_down and form is not None and not form.is_joker_pair
    return Show(seat, kind, shown, len(shown), is_hidden, auction.stage is Stage.AFTER_BURY)


def legal_shows(auction: Auction, seat: Seat, hand: Cards) -> tuple[Cards, ...]:
    """Every set of cards that `show_of` accepts from this seat with this hand, each sorted, none twice."""
    if _objection_to_turn(auction, seat) is not None:
        return ()
    forms = forms_of(Counter(hand), _ranks(auction, seat))
    return tuple(form.cards for form in forms if _objection_to_form(auction, seat, form) is None)


def may_show(auction: Auction, seat: Seat) -> bool:
    """Whether there is any hand with which this seat could show now, were it asked: known to all."""
    if _objection_to_seat(auction, seat) is not None:
        return False
    forms = forms_of(copies_of_all(auction.options.decks), _ranks(auction, seat))
    return any(_objection_to_form(auction, seat, form) is None for form in forms)


def kind_of_show(auction: Auction, seat: Seat) -> ShowKind:
    """What a show of this seat would be now."""
    if auction.holder == seat:
        return ShowKind.REINFORCE
    is_first = not auction.shows and auction.turned is None
    return ShowKind.DECLARE if is_first else ShowKind.OVERTURN


def _ranks(auction: Auction, seat: Seat) -> frozenset[Rank]:
    if auction.options.declare is Declare.ANY_PAIR:
        return _SUITED
    level = level_shown_by(auction, seat)
    return frozenset() if level is None else frozenset((level,))


def _objection_to_turn(auction: Auction, seat: Seat) -> Objection | None:
    if auction.stage is not Stage.DRAWING and auction.stage not in _ASKING:
        return errors.OTHER_PHASE, "nothing is shown now"
    if auction.stage in _ASKING and auction.asked != seat:
        return errors.NOT_YOUR_TURN, f"seat {auction.asked} is asked"
    return _objection_to_seat(auction, seat)


def _objection_to_cards(auction: Auction, seat: Seat, shown: Cards, hand: Cards) -> Objection | None:
    if Counter(shown) - Counter(hand):
        return errors.NOT_HELD, "it does not hold them all"
    form = read_form(shown)
    if form is None:
        return errors.NO_SUCH_SHOW, _what_is_shown(auction.options)
    return _objection_to_form(auction, seat, form)


def _what_is_shown(options: TricksOptions) -> str:
    """What this game shows at all (§3.2, §3.3)."""
    if options.declare is Declare.ANY_PAIR:
        return "a pair is shown"
    is_beside_joker = options.declare is Declare.JOKER_AND_LEVEL
    level = "level cards of one suit beside a joker" if is_beside_joker else "level cards of one suit"
    has_jokers = Overturn.JOKER_PAIR in options.overturn or (
        options.first_declare is FirstDeclare.PAIR_OR_JOKERS
    )
    return f"{level} or a pair of jokers are shown" if has_jokers else f"{level} are shown"


def _objection_to_form(auction: Auction, seat: Seat, form: Form) -> Objection | None:
    level = level_shown_by(auction, seat)
    kind, standing = kind_of_show(auction, seat), auction.last_show
    if kind is ShowKind.REINFORCE and standing is not None:
        return objection_to_reinforce(standing, form)
    if kind is ShowKind.DECLARE:
        return objection_to_declare(auction, form, level)
    return objection_to_overturn(auction, form, level)


def _objection_to_seat(auction: Auction, seat: Seat) -> Objection | None:
    """Public: it needs no card of anybody."""
    if level_shown_by(auction, seat) is None and not auction.options.fixed_trumps:
        return errors.TRUMP_FINAL, "this level has no level cards"
    kind = kind_of_show(auction, seat)
    if kind is ShowKind.DECLARE:
        return _objection_to_declarer(auction, seat)
    if kind is ShowKind.REINFORCE:
        return _objection_to_lock(auction)
    return _objection_to_overturner(auction, seat)


def _objection_to_declarer(auction: Auction, seat: Seat) -> Objection | None:
    """§3.15: the others declare only in the closing round, when both of the declaring side have passed."""
    if not auction.options.declarer_side_first or auction.declarer is None:
        return None
    has_passed = {auction.declarer, partner(auction.declarer)} <= {*auction.passed}
    if is_declaring_side(auction, seat) or (auction.stage is Stage.CLOSING and has_passed):
        return None
    return errors.DECLARER_SIDE_FIRST, "the declaring side declares first"


def _objection_to_lock(auction: Auction) -> Objection | None:
    """§3.3, §3.7: the holder cannot overturn itself; it may lock what it declared with one card."""
    standing = auction.last_show
    can_lock = auction.options.lock in TWIN_LOCKS and auction.stage is not Stage.AFTER_BURY
    is_declared = standing is not None and standing.kind is ShowKind.DECLARE and not auction.is_locked
    return None if can_lock and is_declared else (errors.OWN_SHOW, "its own show stands")


def _objection_to_overturner(auction: Auction, seat: Seat) -> Objection | None:
    options, stage = auction.options, auction.stage
    if auction.turned is not None and options.turned_final:
        return errors.TRUMP_FINAL, "a trump turned from the kitty is final"
    if auction.is_locked and options.lock is Lock.FULL:
        return errors.TRUMP_LOCKED, "the trump is locked"
    wanted = Window.AFTER if stage is Stage.AFTER_BURY else Window.BEFORE
    if wanted in auction.windows:
        return _objection_to_haste(auction, seat)
    if wanted is Window.BEFORE and Window.DECLARER_BEFORE in auction.windows and seat == auction.declarer:
        return None
    return errors.NO_OVERTURN_NOW, "it is not overturned by this seat at this time"


def _objection_to_haste(auction: Auction, seat: Seat) -> Objection | None:
    """§3.5: `declarer_waits`."""
    if not auction.options.declarer_waits or seat != auction.declarer:
        return None
    if any(show.kind is ShowKind.OVERTURN and show.seat != seat for show in auction.shows):
        return None
    return errors.DECLARER_WAITS, "the declarer waits until another seat has overturned"
