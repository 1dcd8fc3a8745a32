"""Whether a view can be of a real deal. Views come from outside; the policy takes them for true."""

from collections import Counter

from shuangkou.ai_player.tricks.opening_retelling import opening_retold
from shuangkou.ai_player.tricks.retelling import play_retold
from shuangkou.ai_player.tricks.situation import order_seen
from shuangkou.ai_player.unanswerable import ImplausibleView
from shuangkou.rules.cards import full_deck
from shuangkou.rules.ruleset import TricksRuleSet
from shuangkou.rules.seats import SEATS, SIDES, Seat, next_seat, side_of
from shuangkou.rules.tricks.events import CardsPlayed, Phase
from shuangkou.rules.tricks.options import TricksOptions
from shuangkou.rules.tricks.order import TrumpOrder
from shuangkou.rules.tricks.position import position_seen
from shuangkou.rules.tricks.units import format_of
from shuangkou.rules.tricks.view import SeatView


def check_plausible(options: TricksOptions, view: SeatView) -> None:
    """ImplausibleView unless the seat to act can be asked for what it is asked, with cards of one deal."""
    seat = view.seat
    if view.phase is None:
        raise ImplausibleView("phase: no deal is being played")
    if seat is None or not view.hand or len(view.hand) != view.hand_sizes[seat]:
        raise ImplausibleView("hand: it is not of the size that the seat has")
    _check_deck(options, view)
    _check_dealt(options, view)
    _check_kitty(options, view, seat)
    if options.schedule and view.standing.deals_played >= len(options.schedule):
        raise ImplausibleView("deal_number, deals_voided: all deals of the schedule have been played")
    if view.phase is Phase.BURY:
        _check_shown(options, view, seat)
    if view.phase in (Phase.PLAY, Phase.NAME_SHAPE):
        _check_history(options, view)
    if view.phase is Phase.NAME_SHAPE:
        _check_failed(options, view)


def check_genuine(ruleset: TricksRuleSet, view: SeatView) -> None:
    """ImplausibleView unless the rules lead to what the view shows, by the acts of which it tells."""
    opened = opening_retold(ruleset, view)
    for field in ("declarer", "attackers", "level", "kitty_size", "kitty_owner"):
        _check_field(field, getattr(view, field), getattr(opened, field))
    if view.phase in (Phase.PLAY, Phase.NAME_SHAPE):
        _check_field("trump", view.trump, opened.trump)
        _check_play(ruleset, view)
    else:
        _check_field("trump", view.trump, position_seen(ruleset.options, view).auction.trump)
        _check_field("history", view.history, ())


def _check_play(ruleset: TricksRuleSet, view: SeatView) -> None:
    deal, best = play_retold(ruleset, view)
    if view.phase is Phase.NAME_SHAPE and deal.turn is not None:
        _check_field("failed", None if view.failed is None else view.failed.seat, deal.turn)
        _check_field("turn", view.turn, next_seat(deal.turn))
    else:
        _check_field("turn", view.turn, deal.turn)
    last = deal.last_trick if ruleset.options.last_trick_shown else ()
    _check_field("leader", view.leader, deal.leader)
    _check_field("trick", view.trick, deal.trick)
    _check_field("last_trick", view.last_trick, last)
    _check_field("best", view.best, best)
    _check_field("taken", view.taken, deal.taken)
    _check_fines(ruleset.options, view)


def _check_fines(options: TricksOptions, view: SeatView) -> None:
    """§6.4: for throws that failed, whose cards beyond those that were led are not known."""
    failed = [play.seat for play in view.history if play.is_forced]
    failed += [] if view.failed is None else [view.failed.seat]
    for side in SIDES:
        most = options.hand_size * sum(side_of(seat) == side for seat in failed)
        if view.fines[side] not in range(0, options.throw_fine * most + 1, max(1, options.throw_fine)):
            raise ImplausibleView(
                f"fines: side {side} pays {options.throw_fine} for each blocked card of its throws, {most} "
                f"of them at most, not {view.fines[side]}"
            )
    if any(view.coins) and not options.base_stake:
        raise ImplausibleView("coins: this game has no stakes")


def _check_field(field: str, seen: object, told: object) -> None:
    if seen != told:
        raise ImplausibleView(f"{field}: by what the view tells of the deal it is {told}, not {seen}")


def _check_deck(options: TricksOptions, view: SeatView) -> None:
    played = [card for play in view.history for card in play.cards]
    excess = Counter((*view.hand, *view.kitty, *played)) - Counter(full_deck(options.decks))
    if excess:
        raise ImplausibleView(f"hand, kitty, history: more than the deck has of {min(excess).name}")


def _check_dealt(options: TricksOptions, view: SeatView) -> None:
    """Cards leave a hand only by being played, and come to it only with the kitty."""
    buries = view.kitty_owner if view.phase is Phase.BURY else None
    for other in SEATS:
        played = sum(len(play.cards) for play in view.history if play.seat == other)
        dealt = view.hand_sizes[other] + played + view.undrawn - (options.kitty if other == buries else 0)
        if dealt != options.hand_size:
            raise ImplausibleView(
                f"seats, hand_size: by what seat {other} has, played and draws yet it is dealt {dealt} "
                f"cards, not {options.hand_size}"
            )
    if view.phase is Phase.BURY and view.turn != buries:
        raise ImplausibleView("kitty_owner: the seat that buries has the kitty")
    if view.turn is not None and view.phase is Phase.DRAW:
        raise ImplausibleView("turn: no seat is asked while cards are drawn")


def _check_kitty(options: TricksOptions, view: SeatView, seat: Seat) -> None:
    """It lies there but for the time in which a seat has it in its hand; who laid it knows it."""
    _check_field("kitty_size", view.kitty_size, 0 if view.phase is Phase.BURY else options.kitty)
    known = view.kitty_size if view.kitty_owner == seat else 0
    if len(view.kitty) != known:
        raise ImplausibleView(f"kitty: the seat knows {known} cards of it, not {len(view.kitty)}")


def _check_shown(options: TricksOptions, view: SeatView, seat: Seat) -> None:
    """Cards on the table for trump stay in the hand until play begins."""
    shown = position_seen(options, view).auction.shown_by(seat)
    if Counter(shown) - Counter(view.hand):
        raise ImplausibleView("hand, opening: the seat does not hold what it has shown")


def _check_history(options: TricksOptions, view: SeatView) -> None:
    """Whole tricks, and then the current one."""
    history, trick = view.history, view.trick
    if view.trump is None:
        raise ImplausibleView("trump: cards are played only when it is known")
    whole = len(history) - len(trick)
    if whole < 0 or whole % len(SEATS) or len(trick) >= len(SEATS) or history[whole:] != trick:
        raise ImplausibleView("history, trick: the plays are not whole tricks and the current one")
    order = order_seen(options, view)
    for start in range(0, len(history), len(SEATS)):
        _check_trick(order, history[start : start + len(SEATS)])
    if trick and len(trick[0].cards) > len(view.hand):
        raise ImplausibleView("history: not every seat has as many cards for the trick as were led")
    if view.seat in {play.seat for play in trick}:
        raise ImplausibleView("trick: the seat has played to it already")


def _check_trick(order: TrumpOrder, plays: tuple[CardsPlayed, ...]) -> None:
    first = plays[0]
    if order.common_suit(first.cards) is None:
        raise ImplausibleView("history: a lead is of several suits")
    for turn, play in enumerate(plays):
        if play.seat != SEATS[(first.seat + turn) % len(SEATS)]:
            raise ImplausibleView("history: the seats do not play in turn")
        if len(play.cards) != len(first.cards):
            raise ImplausibleView("history: not every seat has as many cards for the trick as were led")


def _check_failed(options: TricksOptions, view: SeatView) -> None:
    failed = view.failed
    throw = None if failed is None else format_of(order_seen(options, view), failed.cards)
    if failed is None or throw is None or not failed.choices:
        raise ImplausibleView("failed: there is no shape to choose")
    if not {*failed.choices} <= {*throw.shape}:
        raise ImplausibleView("failed: a shape to choose is not in the throw")
