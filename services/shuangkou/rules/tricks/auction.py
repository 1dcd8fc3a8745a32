"""The auction of trump as one value: who showed what, who is asked, who deals (§3).

It knows no hands and no kitty. Everything in it is public but the cards of face-down shows, which `seen_by`
takes out for a seat. `declaring` says what may be shown, `asking` what follows from it.
"""

from dataclasses import dataclass, replace
from enum import Enum

from shuangkou.rules.cards import Card, Rank
from shuangkou.rules.seats import Seat, Side, side_of
from shuangkou.rules.tricks.options import Lock, Rotation, TricksOptions, Window
from shuangkou.rules.tricks.order import Trump
from shuangkou.rules.tricks.shows import Cards, Show, ShowKind

TWIN_LOCKS = (Lock.JOKERS_ONLY, Lock.HIGHER_OR_JOKERS, Lock.FULL)
"""Where the twin of the declared card is shown to lock it (§3.7)."""


class Stage(Enum):
    """Where an auction stands. Only in CLOSING and AFTER_BURY is a seat asked."""

    DRAWING = "drawing"
    CLOSING = "closing"
    UNDECLARED = "undeclared"
    BURYING = "burying"
    AFTER_BURY = "after_bury"
    CLOSED = "closed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Auction:
    """One deal's auction.

    is_first_deal: the first deal of the match (§3.5). levels: the rank of each side's level cards, None where
    it has none. first: who draws first. declarer: None before one is known, and in games of holders and
    attackers (§9.3). shows: in the order in which they were accepted. asked: whose turn it is to show or
    pass. asked_from: where the round of asking began. passed: who has passed since the last show. turned: the
    trump that was fixed without a show (§3.9, §3.13), None where a show decides.
    """

    options: TricksOptions
    is_first_deal: bool
    levels: tuple[Rank | None, Rank | None]
    first: Seat
    declarer: Seat | None
    stage: Stage = Stage.DRAWING
    shows: tuple[Show, ...] = ()
    asked: Seat | None = None
    asked_from: Seat | None = None
    passed: tuple[Seat, ...] = ()
    turned: Trump | None = None

    @property
    def last_show(self) -> Show | None:
        """The one that stands; None where nobody has shown."""
        return self.shows[-1] if self.shows else None

    @property
    def holder(self) -> Seat | None:
        """The seat whose show stands."""
        return self.shows[-1].seat if self.shows else None

    @property
    def trump(self) -> Trump | None:
        """As things stand; None before it is known, and while a face-down show hides it."""
        if not self.shows:
            return self.turned
        form = self.shows[-1].form
        return None if form is None else form.trump

    @property
    def level(self) -> Rank | None:
        """The rank of the deal's level cards: those of the declaring side."""
        return self.levels[0 if self.declarer is None else side_of(self.declarer)]

    @property
    def has_declarer(self) -> bool:
        """Whether this game has a declarer at all; holders and attackers have none (§9.3)."""
        return self.options.rotation is not Rotation.ROLES_ALTERNATE

    @property
    def windows(self) -> tuple[Window, ...]:
        """When this deal may be overturned (§3.5)."""
        return self.options.first_window if self.is_first_deal else self.options.later_window

    @property
    def both_at_start(self) -> bool:
        """Both sides stand on the lowest level (§3.8)."""
        start = self.options.ladder[0].rank if self.options.ladder else None
        return start is not None and self.levels == (start, start)

    @property
    def overturns(self) -> int:
        """How many there were, for stakes (§8.8)."""
        return sum(show.kind is ShowKind.OVERTURN for show in self.shows)

    @property
    def is_locked(self) -> bool:
        """The twin of the declared card was shown, and nothing has overturned it (§3.7)."""
        show = self.last_show
        if show is None or self.options.lock not in TWIN_LOCKS or show.kind is ShowKind.OVERTURN:
            return False
        form = show.form
        return form is not None and form.count == 2

    @property
    def kitty_takers(self) -> tuple[Seat, ...]:
        """Who took the kitty by an overturn after the bury, in order (§3.12)."""
        takers = [show.seat for show in self.shows if show.is_after_bury]
        return tuple(takers) if self.options.stir else ()

    @property
    def burier(self) -> Seat | None:
        """Who buries, or buried last: the last that stirred, else the declarer (§3.12, §4.1)."""
        return self.kitty_takers[-1] if self.kitty_takers else self.declarer

    def shown_by(self, seat: Seat) -> Cards:
        """The cards that this seat has on the table, sorted: it may not bury them (§3.1)."""
        on_table: dict[Card, int] = {}
        for show in self.shows:
            if show.seat == seat:
                for card in show.cards:
                    on_table[card] = max(on_table.get(card, 0), show.cards.count(card))
        return tuple(card for card in sorted(on_table) for _ in range(on_table[card]))


def open_auction(
    options: TricksOptions,
    *,
    is_first_deal: bool,
    levels: tuple[Rank | None, Rank | None],
    first: Seat,
    declarer: Seat | None,
) -> Auction:
    """Before the first card is drawn.

    declarer: None in a first deal that the declaration decides; a fixed one also in the first deal (§9.2).
    A deal without level cards has nothing to declare (§3.13): there is no trump suit from the beginning.
    """
    auction = Auction(
        options=options, is_first_deal=is_first_deal, levels=levels, first=first, declarer=declarer
    )
    has_level_card = auction.level is not None or bool(options.fixed_trumps)
    return auction if has_level_card else replace(auction, turned=Trump.NONE)


def seen_by(auction: Auction, seat: Seat | None) -> Auction:
    """What this seat knows of it, or a spectator: the cards of face-down shows are out until it is closed.

    What `declaring` and `asking` answer about the seat itself they answer the same from this.
    """
    if auction.stage is Stage.CLOSED:
        return auction
    shows = [
        replace(show, cards=()) if show.is_face_down and show.seat != seat else show for show in auction.shows
    ]
    return replace(auction, shows=tuple(shows))


def level_shown_by(auction: Auction, seat: Seat) -> Rank | None:
    """The rank of the level cards that this seat shows: the deal's.

    Its own side's when it declares where the declaring side came first (§3.15).
    """
    is_own = not auction.shows and auction.turned is None and auction.options.declarer_side_first
    return auction.levels[side_of(seat)] if is_own else auction.level


def is_declaring_side(auction: Auction, seat: Seat) -> bool:
    """Whether it is on the declarer's side; False before there is a declarer."""
    return auction.declarer is not None and Side(side_of(seat)) == side_of(auction.declarer)
