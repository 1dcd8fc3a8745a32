"""Acts out of turn (§9): leaving, surrendering, and voting for a redeal.

Each act has one check, so that `decide` and the legal acts cannot disagree.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from shuangkou.rules import errors
from shuangkou.rules.climbing.commands import SideAct, Surrender, VoteRedeal
from shuangkou.rules.climbing.ending import final_order, settled, voided, with_rest
from shuangkou.rules.climbing.events import Act, Event, RedealVoted, SideSurrendered, SurrenderOffered
from shuangkou.rules.climbing.options import ClimbingOptions
from shuangkou.rules.climbing.state import DealState, MatchState, running_deal
from shuangkou.rules.climbing.view import Consents, SeatView
from shuangkou.rules.commands import Forfeit
from shuangkou.rules.errors import IllegalCommand
from shuangkou.rules.events import SeatForfeited, VoidReason
from shuangkou.rules.seats import SEATS, Seat, partner, side_of


@dataclass(frozen=True, slots=True)
class Situation:
    """The public facts that these acts depend on."""

    options: ClimbingOptions
    consents: Consents
    finish_order: tuple[Seat, ...]
    history: tuple[Act, ...]


Objection = tuple[str, str]
"""A refusal code and why."""


def situation(options: ClimbingOptions, seen: DealState | SeatView) -> Situation:
    """Of a deal in progress."""
    return Situation(options, seen.consents, seen.finish_order, seen.history)


def side_acts(now: Situation, seat: Seat) -> tuple[SideAct, ...]:
    """Those that `decide` accepts from this seat now."""
    if seat not in SEATS[: now.options.players]:
        return ()
    return tuple(make(seat) for make, objection_to in _OBJECTIONS.items() if objection_to(now, seat) is None)


def decide_side_act(state: MatchState, command: SideAct) -> tuple[Event, ...]:
    """What the act causes; IllegalCommand when it may not be."""
    seat = command.seat
    deal = running_deal(state, seat)
    if seat not in SEATS[: state.ruleset.options.players]:
        raise IllegalCommand(errors.NO_SUCH_SEAT, f"there is no seat {seat}", seat=seat)
    objection = _OBJECTIONS[type(command)](situation(state.ruleset.options, deal), seat)
    if objection is not None:
        code, why = objection
        raise IllegalCommand(code, f"seat {seat} in deal {deal.number}: {why}", seat=seat)
    return _DECISIONS[type(command)](state, deal, seat)


def _objection_to_forfeit(now: Situation, seat: Seat) -> Objection | None:
    if seat in now.finish_order:
        return errors.ALREADY_OUT, "a seat that is out has nothing to forfeit"
    if seat in now.consents.forfeited:
        return errors.ALREADY_FORFEITED, "it has forfeited already"
    return None


def _objection_to_surrender(now: Situation, seat: Seat) -> Objection | None:
    if not now.options.surrender:
        return errors.NO_SURRENDER, "this table does not know surrender"
    if any(own in now.finish_order for own in (seat, partner(seat))):
        return errors.SURRENDER_TOO_LATE, "a seat of its side is out already"
    if seat in now.consents.surrender:
        return errors.ALREADY_OFFERED, "it has offered already"
    return None


def _objection_to_redeal(now: Situation, seat: Seat) -> Objection | None:
    if not now.options.redeal_vote:
        return errors.NO_REDEAL, "this table does not vote on redeals"
    if now.history:
        return errors.REDEAL_TOO_LATE, "cards have been played"
    if seat in now.consents.redeal:
        return errors.ALREADY_VOTED, "it has voted already"
    return None


_OBJECTIONS: dict[type[SideAct], Callable[[Situation, Seat], Objection | None]] = {
    Forfeit: _objection_to_forfeit,
    Surrender: _objection_to_surrender,
    VoteRedeal: _objection_to_redeal,
}


def _forfeit(state: MatchState, deal: DealState, seat: Seat) -> tuple[Event, ...]:
    """§9.1, §9.2: the deal goes on without one player, but not without two."""
    forfeited = (*deal.consents.forfeited, seat)
    if len(forfeited) == 1:
        return (SeatForfeited(seat),)
    return SeatForfeited(seat), voided(state, deal, VoidReason.FORFEITS, forfeited)


def _surrender(state: MatchState, deal: DealState, seat: Seat) -> tuple[Event, ...]:
    """§9.3: as a double of the other side."""
    if partner(seat) not in deal.consents.surrender:
        return (SurrenderOffered(seat),)
    loser = side_of(seat)
    winners = [other for other in SEATS if side_of(other) != loser]
    first = (
        deal.finish_order[0] if deal.finish_order else min(winners, key=lambda other: (other - deal.turn) % 4)
    )
    order = final_order(state.ruleset.options, (first,)) or with_rest((first, partner(first)))
    return SurrenderOffered(seat), SideSurrendered(loser), *settled(state, deal, order, loser)


def _vote_redeal(state: MatchState, deal: DealState, seat: Seat) -> tuple[Event, ...]:
    """§9.4: all seats, or nothing happens."""
    if len(deal.consents.redeal) + 1 < state.ruleset.options.players:
        return (RedealVoted(seat),)
    return RedealVoted(seat), voided(state, deal, VoidReason.REDEAL, deal.consents.forfeited)


_DECISIONS: dict[type[SideAct], Callable[[MatchState, DealState, Seat], tuple[Event, ...]]] = {
    Forfeit: _forfeit,
    Surrender: _surrender,
    VoteRedeal: _vote_redeal,
}


def after_forfeit(_: MatchState, deal: DealState, event: SeatForfeited) -> DealState:
    """§9.1."""
    consents = replace(deal.consents, forfeited=(*deal.consents.forfeited, event.seat))
    return replace(deal, consents=consents)


def after_offer(_: MatchState, deal: DealState, event: SurrenderOffered) -> DealState:
    """§9.3."""
    consents = replace(deal.consents, surrender=(*deal.consents.surrender, event.seat))
    return replace(deal, consents=consents)


def after_vote(_: MatchState, deal: DealState, event: RedealVoted) -> DealState:
    """§9.4."""
    return replace(deal, consents=replace(deal.consents, redeal=(*deal.consents.redeal, event.seat)))


def unchanged(_: MatchState, deal: DealState, __: Any) -> DealState:
    """For events whose facts are all in the settlement that follows them."""
    return deal
