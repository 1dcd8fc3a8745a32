"""The end of a deal (§6, §9): its settlement, or none."""

from collections.abc import Iterator
from dataclasses import replace

from shuangkou.rules import errors
from shuangkou.rules.by_seat import added, put
from shuangkou.rules.climbing.events import CardsPlayed, ContributionBooked, DealSettled, Event, GroupRated
from shuangkou.rules.climbing.options import ClimbingOptions, DealEnd
from shuangkou.rules.climbing.record import winners_by_place
from shuangkou.rules.climbing.settlement import DealRecord, Group, contribution, fines, settle
from shuangkou.rules.climbing.state import DealState, MatchState
from shuangkou.rules.climbing.view import Standing
from shuangkou.rules.errors import IllegalCommand
from shuangkou.rules.events import DealVoided, VoidReason
from shuangkou.rules.seats import Seat, Side, partner, seats_after


def final_order(options: ClimbingOptions, finish_order: tuple[Seat, ...]) -> tuple[Seat, ...] | None:
    """Seats by place if the last of these ended the deal (§6.1, §6.3), None if it goes on."""
    last = finish_order[-1]
    match options.deal_end:
        case DealEnd.FIRST_OUT:
            return finish_order
        case DealEnd.SIDE_OUT:
            if partner(last) not in finish_order:
                return None
            return with_rest(finish_order)
        case DealEnd.THREE_OUT:
            return with_rest(finish_order) if len(finish_order) == 3 else None
        case DealEnd.LAST_TRICK:
            return None


def with_rest(finish_order: tuple[Seat, ...]) -> tuple[Seat, ...]:
    """The others in turn order after the last of them (§6.3)."""
    return (*finish_order, *(other for other in seats_after(finish_order[-1]) if other not in finish_order))


def settled(
    state: MatchState, deal: DealState, order: tuple[Seat, ...], surrendered: Side | None = None
) -> tuple[Event, ...]:
    """The events that end a deal with a result; `deal` knows every play.

    order: seats by place, nothing where the points make the places.
    """
    options = state.ruleset.options
    forfeited = deal.consents.forfeited
    settlement = settle(options, record_of(deal, order))
    places = settlement.order or order
    event = DealSettled(
        number=deal.number,
        result=settlement.result,
        finish_order=places,
        multiplier=settlement.multiplier,
        base=settlement.base,
        scores=settlement.scores,
        bombs=deal.bombs,
        seed=deal.seed,
        breakdown=settlement.breakdown,
        forfeited=forfeited,
        surrendered=surrendered,
        winners=settlement.winners or winners_by_place(options, places),
    )
    return *_rated(options, settlement.groups), event


def record_of(deal: DealState, order: tuple[Seat, ...]) -> DealRecord:
    """What the deal is scored from, once its last play was made."""
    return DealRecord(
        finish_order=order,
        bombs=deal.bombs,
        forfeited=deal.consents.forfeited,
        history=deal.history,
        left=deal.hands,
        opening=deal.opening,
        kitty=deal.kitty,
        cards_won=with_trick_won(deal),
        marks=deal.marks,
    )


def with_trick_won(deal: DealState) -> tuple[int, ...]:
    """The cards won by seat, those of the trick on the table by the seat of the top play (§11.6)."""
    if deal.top is None:
        return deal.cards_won
    cards = sum(len(act.cards) for act in deal.trick if isinstance(act, CardsPlayed))
    return put(deal.cards_won, deal.top.seat, deal.cards_won[deal.top.seat] + cards)


def _rated(options: ClimbingOptions, groups: tuple[Group, ...]) -> Iterator[Event]:
    """§7.6: once, at the end."""
    for group in groups:
        yield GroupRated(group.seat, group.bombs, group.stars)
        amounts = contribution(options, group.seat, group.stars)
        if amounts is not None:
            yield ContributionBooked(group.seat, group.stars, amounts)


def voided(state: MatchState, deal: DealState, reason: VoidReason, forfeited: tuple[Seat, ...]) -> DealVoided:
    """§9.2: nothing counts but the fines."""
    scores = fines(state.ruleset.options, forfeited)
    return DealVoided(deal.number, reason, scores, deal.seed, forfeited)


def stopped(state: MatchState) -> tuple[Event, ...]:
    """§9.5: the bell of an event ends the deal in progress; IllegalCommand between deals."""
    deal = state.deal
    if deal is None:
        raise IllegalCommand(errors.NO_DEAL_IN_PROGRESS, "there is no deal to end")
    return (voided(state, deal, VoidReason.TIME_UP, deal.consents.forfeited),)


def after_settlement(state: MatchState, _: DealState, event: DealSettled) -> MatchState:
    """Between two deals."""
    earlier = state.standing
    standing = Standing(
        deals_played=earlier.deals_played + 1,
        totals=added(earlier.totals, event.scores),
        last_head=event.finish_order[0],
        last_result=event.result,
        was_abnormal=event.is_abnormal,
        deals_voided=earlier.deals_voided,
    )
    return replace(state, deal=None, settled=event, voided=None, standing=standing)


def after_void(state: MatchState, deal: DealState, event: DealVoided) -> MatchState:
    """Between two deals, the last of which does not count (§9.2)."""
    earlier = state.standing
    standing = replace(
        earlier,
        totals=added(earlier.totals, event.scores),
        was_abnormal=True,
        deals_voided=earlier.deals_voided + 1,
        void_start=deal.dealt_from,
        passed_out=earlier.passed_out + 1 if event.reason is VoidReason.ALL_PASSED else 0,
    )
    return replace(state, deal=None, voided=event, standing=standing)
