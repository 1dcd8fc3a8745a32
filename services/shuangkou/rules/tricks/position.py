"""What a seat knows when it acts: taken from the deal, or from the seat's view, with the same answers."""

from collections import Counter
from dataclasses import dataclass, replace

from shuangkou.rules.cards import Card, full_deck
from shuangkou.rules.events import Passed
from shuangkou.rules.seats import SEATS, Seat
from shuangkou.rules.tricks.auction import Auction, Stage, open_auction, seen_by
from shuangkou.rules.tricks.events import CardsPlayed, Phase, TrumpTurned
from shuangkou.rules.tricks.options import Level, TricksOptions
from shuangkou.rules.tricks.order import Trump, TrumpOrder
from shuangkou.rules.tricks.shows import Show
from shuangkou.rules.tricks.starting import auction_levels
from shuangkou.rules.tricks.state import DealState, MatchState, order_with
from shuangkou.rules.tricks.units import Shape
from shuangkou.rules.tricks.view import SeatView


@dataclass(frozen=True, slots=True)
class Position:
    """turn: whose it is, None where nobody is asked. auction: as the seat sees it. trump: as far as the
    seat knows. kitty: its cards where the seat buried them. choices: shapes that may be named (§6.5).
    """

    options: TricksOptions
    seat: Seat
    phase: Phase
    turn: Seat | None
    hand: tuple[Card, ...]
    auction: Auction
    level: Level | None
    trump: Trump | None
    kitty: tuple[Card, ...]
    trick: tuple[CardsPlayed, ...]
    history: tuple[CardsPlayed, ...]
    choices: tuple[Shape, ...]

    @property
    def is_asked(self) -> bool:
        """It is this seat's turn."""
        return self.turn == self.seat

    @property
    def order(self) -> TrumpOrder:
        """How cards compare as far as the seat knows; an unknown trump counts as none."""
        return order_with(self.options, self.level, self.trump)

    @property
    def unseen(self) -> tuple[Card, ...]:
        """The cards that other hands or a kitty of somebody else may hold."""
        seen = Counter((*self.hand, *self.kitty, *(card for play in self.history for card in play.cards)))
        return tuple((Counter(full_deck(self.options.decks)) - seen).elements())


def position_in(state: MatchState, deal: DealState, seat: Seat) -> Position:
    """As the deal has it; `seat` must be one at the table."""
    auction = seen_by(deal.auction, seat)
    return Position(
        options=state.ruleset.options,
        seat=seat,
        phase=deal.phase,
        turn=deal.turn,
        hand=deal.hands[seat],
        auction=auction,
        level=deal.level,
        trump=known_trump(deal, seat),
        kitty=known_kitty(deal, seat),
        trick=deal.trick,
        history=deal.history,
        choices=() if deal.failed is None else deal.failed.choices,
    )


def known_trump(deal: DealState, seat: Seat | None) -> Trump | None:
    """As it stands, unless what stands lies face-down and is not the seat's own (§3.6)."""
    return seen_by(deal.auction, seat).trump if deal.trump is None else deal.trump


def known_kitty(deal: DealState, seat: Seat | None) -> tuple[Card, ...]:
    """§4.3: only who buried it last knows it."""
    return deal.kitty if seat is not None and seat == deal.kitty_owner else ()


def position_seen(options: TricksOptions, view: SeatView) -> Position:
    """As the seat sees it; ValueError for a spectator's view and between deals."""
    if view.seat is None or view.phase is None:
        raise ValueError("only a seat has a position, and only in a deal")
    return Position(
        options=options,
        seat=view.seat,
        phase=view.phase,
        turn=view.turn,
        hand=view.hand,
        auction=_auction_seen(options, view),
        level=view.level,
        trump=view.trump,
        kitty=view.kitty,
        trick=view.trick,
        history=view.history,
        choices=() if view.failed is None else view.failed.choices,
    )


_STAGES = {
    Phase.DRAW: Stage.DRAWING,
    Phase.CLOSING: Stage.CLOSING,
    Phase.BURY: Stage.BURYING,
    Phase.POST: Stage.AFTER_BURY,
    Phase.PLAY: Stage.CLOSED,
    Phase.NAME_SHAPE: Stage.CLOSED,
}


def _auction_seen(options: TricksOptions, view: SeatView) -> Auction:
    """Enough of the auction to say what may be shown now."""
    auction = open_auction(
        options,
        is_first_deal=view.standing.deals_played == 0,
        levels=auction_levels(options, view.standing),
        first=SEATS[0] if view.first is None else view.first,
        declarer=view.declarer,
    )
    turned = [event.trump for event in view.opening if isinstance(event, TrumpTurned)]
    return replace(
        auction,
        declarer=view.declarer if auction.has_declarer else None,
        stage=Stage.CLOSED if view.phase is None else _STAGES[view.phase],
        shows=_shows_seen(view),
        asked=view.turn,
        passed=_passed(view),
        turned=turned[-1] if turned else auction.turned,
    )


def _shows_seen(view: SeatView) -> tuple[Show, ...]:
    own, shows = view.own_face_down, []
    for event in view.shows:
        cards = event.cards
        if event.is_face_down and event.seat == view.seat:
            cards, own = own[: event.size], own[event.size :]
        shows.append(Show(event.seat, event.kind, cards, event.size, event.is_face_down, event.is_after_bury))
    return tuple(shows)


def _passed(view: SeatView) -> tuple[Seat, ...]:
    """Who has passed since anything else happened."""
    passed: list[Seat] = []
    for event in reversed(view.opening):
        if not isinstance(event, Passed):
            break
        passed.insert(0, event.seat)
    return tuple(passed)
