"""How an auction goes on: after a show, a pass, the last card drawn and a bury (§3.8, §3.10 to §3.12).

These functions are total: what they are told has happened. `declaring` and `objection_to_pass` say no.
"""

from dataclasses import replace

from shuangkou.rules import errors
from shuangkou.rules.errors import IllegalCommand
from shuangkou.rules.seats import SEATS, Seat, next_seat
from shuangkou.rules.tricks.auction import Auction, Stage, is_declaring_side
from shuangkou.rules.tricks.declaring import may_show
from shuangkou.rules.tricks.options import MovesDeal
from shuangkou.rules.tricks.shows import Show, ShowKind


def check_pass(auction: Auction, seat: Seat) -> None:
    """IllegalCommand unless this seat is asked."""
    if auction.asked is None:
        raise IllegalCommand(errors.OTHER_PHASE, f"seat {seat} cannot pass: nobody is asked", seat=seat)
    if auction.asked != seat:
        message = f"seat {seat} cannot pass: seat {auction.asked} is asked"
        raise IllegalCommand(errors.NOT_YOUR_TURN, message, seat=seat)


def after_show(auction: Auction, show: Show) -> Auction:
    """The show stands. While cards are drawn nobody is asked; else the next seat is, or who stirs buries."""
    shown = replace(
        auction,
        shows=(*auction.shows, show),
        declarer=declarer_after(auction, show),
        passed=(),
    )
    if auction.stage is Stage.DRAWING:
        return shown
    if auction.stage is Stage.AFTER_BURY and auction.options.stir:
        return replace(shown, stage=Stage.BURYING, asked=None, asked_from=None)
    return _ask_from(shown, next_seat(show.seat))


def declarer_after(auction: Auction, show: Show) -> Seat | None:
    """Who is the declarer once this show stands, None where there is none yet (§3.8, §3.15)."""
    if show.kind is ShowKind.DECLARE:
        is_others = auction.options.declarer_side_first and not is_declaring_side(auction, show.seat)
        is_seized = auction.declarer is None or is_others
        return show.seat if is_seized and auction.has_declarer else auction.declarer
    moves = show.kind is ShowKind.OVERTURN and not show.is_after_bury and _moves_deal(auction)
    return show.seat if moves else auction.declarer


def after_pass(auction: Auction, seat: Seat) -> Auction:
    """The next seat that may show is asked; where there is none the round is over."""
    passed = replace(auction, passed=(*auction.passed, seat))
    return _ask_from(passed, seat if auction.asked_from is None else auction.asked_from)


def after_draw(auction: Auction) -> Auction:
    """All cards are drawn: the closing round begins (§3.10). Seats that could show nothing are not asked."""
    start = auction.first if auction.declarer is None else auction.declarer
    return _ask_from(replace(auction, stage=Stage.CLOSING), start)


def after_bury(auction: Auction, seat: Seat) -> Auction:
    """This seat has buried: the others are asked where the window allows (§3.11), else it is over."""
    return _ask_from(replace(auction, stage=Stage.AFTER_BURY, passed=()), next_seat(seat))


def after_trump_fixed(auction: Auction) -> Auction:
    """The trump before the kitty is known: the declarer takes the kitty, if there is one."""
    stage = Stage.BURYING if auction.options.kitty > 0 else Stage.CLOSED
    return replace(auction, stage=stage, asked=None, asked_from=None, passed=())


def _ask_from(auction: Auction, start: Seat) -> Auction:
    """Always from the start of the round, so that §3.15 can ask the others after the declaring side."""
    for turn in range(4):
        seat = SEATS[(start + turn) % 4]
        if seat not in auction.passed and may_show(auction, seat):
            return replace(auction, asked=seat, asked_from=start)
    return _round_over(auction)


def _round_over(auction: Auction) -> Auction:
    if auction.stage is Stage.CLOSING and not auction.shows and auction.turned is None:
        return replace(auction, stage=Stage.UNDECLARED, asked=None, asked_from=None, passed=())
    if auction.stage is Stage.CLOSING:
        return after_trump_fixed(auction)
    return replace(auction, stage=Stage.CLOSED, asked=None, asked_from=None, passed=())


def _moves_deal(auction: Auction) -> bool:
    if auction.options.moves_deal is MovesDeal.BOTH_AT_START:
        return auction.both_at_start
    return auction.options.moves_deal is MovesDeal.FIRST_DEAL and auction.is_first_deal
