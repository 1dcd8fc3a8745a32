"""What declares, what overturns, and which show is more (§3.2 to §3.4, §3.7)."""

from collections.abc import Callable

from shuangkou.rules import errors
from shuangkou.rules.cards import JOKERS, Rank, Suit
from shuangkou.rules.tricks.auction import TWIN_LOCKS, Auction
from shuangkou.rules.tricks.options import Declare, FirstDeclare, Lock, Overturn, ShowOrder
from shuangkou.rules.tricks.order import Trump
from shuangkou.rules.tricks.shows import Form, Show, ShowKind

Objection = tuple[str, str]
"""A refusal code and why."""

_COLOURS = {
    Rank.BIG_JOKER: (Suit.HEARTS, Suit.DIAMONDS),
    Rank.SMALL_JOKER: (Suit.SPADES, Suit.CLUBS),
}
_SUIT_PAIRS = {Trump.DIAMONDS: 1, Trump.CLUBS: 2, Trump.HEARTS: 3, Trump.SPADES: 4}
_JOKER_PAIRS = {Rank.SMALL_JOKER: 5, Rank.BIG_JOKER: 6}
_ACE_LOW = 1
"""A stands below 2 among shown pairs (§3.14)."""


def objection_to_declare(auction: Auction, form: Form, level: Rank | None) -> Objection | None:
    """Why this form does not declare when its seat shows that level; None when it does (§3.2)."""
    if not _declares(auction, form, level):
        return errors.NO_SUCH_SHOW, "that declares nothing here"
    return _objection_to_joker(auction, form)


def objection_to_reinforce(standing: Show, form: Form) -> Objection | None:
    """Why this is not the declared card with its twin (§3.7)."""
    declared = standing.form
    if declared is None or form != Form(declared.trump, declared.rank, 2, declared.joker):
        return errors.NO_SUCH_SHOW, "a lock is the declared card and its twin"
    return None


def objection_to_overturn(auction: Auction, form: Form, level: Rank | None) -> Objection | None:
    """Why this form does not overturn what stands (§3.3, §3.4, §3.7)."""
    if not any(_OVERTURNS[overturn](form, level) for overturn in auction.options.overturn):
        return errors.NO_SUCH_SHOW, "that overturns nothing here"
    if auction.is_locked and auction.options.lock is Lock.JOKERS_ONLY and not form.is_joker_pair:
        return errors.TRUMP_LOCKED, "only two equal jokers overturn a locked trump"
    return _objection_to_joker(auction, form) or _STANDINGS[auction.options.show_order](auction, form)


def rank_of_pair(rank: Rank) -> int:
    """Among shown pairs: A 2 3 … K, from low to high (§3.14)."""
    return _ACE_LOW if rank is Rank.ACE else int(rank)


def _declares(auction: Auction, form: Form, level: Rank | None) -> bool:
    options = auction.options
    if auction.is_first_deal and options.first_declare is FirstDeclare.PAIR_OR_JOKERS:
        return _is_pair(form, level) or form.is_joker_pair
    if options.declare is Declare.ANY_PAIR:
        return _is_any_pair(form)
    if form.rank != level or (form.joker is not None) != (options.declare is Declare.JOKER_AND_LEVEL):
        return False
    may_lock = options.lock in TWIN_LOCKS
    return options.declare is Declare.SOME_FACE_DOWN or form.count == 1 or (form.count == 2 and may_lock)


def _is_pair(form: Form, level: Rank | None) -> bool:
    return form.rank == level and form.count == 2 and form.joker is None


def _is_any_pair(form: Form) -> bool:
    return form.rank not in JOKERS and form.count == 2 and form.joker is None


def _is_joker_and_pair(form: Form, level: Rank | None) -> bool:
    return form.rank == level and form.count == 2 and form.joker is not None


_OVERTURNS: dict[Overturn, Callable[[Form, Rank | None], bool]] = {
    Overturn.PAIR: _is_pair,
    Overturn.JOKER_PAIR: lambda form, _: form.is_joker_pair,
    Overturn.JOKER_AND_PAIR: _is_joker_and_pair,
    Overturn.MORE_CARDS: lambda form, level: form.rank == level and form.joker is None,
    Overturn.HIGHER_PAIR: lambda form, _: _is_any_pair(form),
}


def _objection_to_joker(auction: Auction, form: Form) -> Objection | None:
    if not auction.options.joker_colour or form.joker is None:
        return None
    if form.trump.suit in _COLOURS[form.joker]:
        return None
    return errors.JOKER_COLOUR, "BJ goes with hearts and diamonds, LJ with spades and clubs"


def _by(strength: Callable[[Form], int]) -> Callable[[Auction, Form], Objection | None]:
    def objection(auction: Auction, form: Form) -> Objection | None:
        show = auction.last_show
        standing = None if show is None else show.form
        if standing is not None and strength(form) <= strength(standing):
            return errors.SHOW_TOO_LOW, "it must be more than what stands"
        return None

    return objection


def _suit_strength(form: Form) -> int:
    if form.is_joker_pair:
        return _JOKER_PAIRS[form.rank]
    return _SUIT_PAIRS[form.trump] if form.count > 1 else 0


def _joker_strength(form: Form) -> int:
    """0 a single beside a joker, then a pair beside the small and the big joker, then joker pairs."""
    if form.is_joker_pair:
        return _JOKER_PAIRS[form.rank]
    return 0 if form.count == 1 or form.joker is None else form.joker - Rank.SMALL_JOKER + 1


def _count_objection(auction: Auction, form: Form) -> Objection | None:
    """By the size of the show, which is known even of a face-down one."""
    show = auction.last_show
    if show is not None and form.count <= show.size:
        return errors.SHOW_TOO_LOW, f"{show.size} stand, it must be more"
    return None


def _once_objection(auction: Auction, form: Form) -> Objection | None:
    """A pair of a suit whose cards are hidden can only be its owner's, but all four may be gone (§3.4)."""
    pairs = [show for show in auction.shows if show.kind is ShowKind.OVERTURN]
    known = [show.form for show in pairs if show.form is not None]
    of_suits = len(pairs) - sum(pair.is_joker_pair for pair in known)
    is_used = any(pair.trump is form.trump and pair.rank is form.rank for pair in known)
    if is_used or (not form.is_joker_pair and of_suits == len(Suit)):
        return errors.SHOWN_BEFORE, "every pair stands once"
    return None


def _jokers_on_top(
    objection: Callable[[Auction, Form], Objection | None],
) -> Callable[[Auction, Form], Objection | None]:
    """Below joker pairs that order; LJ LJ below BJ BJ, and no suit over them."""

    def with_jokers(auction: Auction, form: Form) -> Objection | None:
        if auction.shows and auction.trump is Trump.NONE:
            return _by(_suit_strength)(auction, form)
        return None if form.is_joker_pair else objection(auction, form)

    return with_jokers


def _new_suit_objection(auction: Auction, form: Form) -> Objection | None:
    stood = {show.form.trump for show in auction.shows if show.form is not None}
    if form.trump in stood or form.trump is auction.turned:
        return errors.SHOWN_BEFORE, "the suit has stood in this deal"
    return None


_STANDINGS: dict[ShowOrder, Callable[[Auction, Form], Objection | None]] = {
    ShowOrder.SUITS: _by(_suit_strength),
    ShowOrder.SUITS_ONCE: _jokers_on_top(_once_objection),
    ShowOrder.PAIRS_ONCE: _once_objection,
    ShowOrder.JOKERS: _by(_joker_strength),
    ShowOrder.NEW_SUIT: _jokers_on_top(_new_suit_objection),
    ShowOrder.COUNT: _count_objection,
    ShowOrder.RANK: _by(lambda form: rank_of_pair(form.rank)),
}
"""Why a form is not more than what stands; a trump that was turned stands below everything."""
