"""The phases `play` and `name_shape` (§6): leading, throwing, following, and who wins the trick."""

from collections import Counter
from dataclasses import replace

from shuangkou.rules import errors
from shuangkou.rules.by_seat import added, put
from shuangkou.rules.commands import PlayCards
from shuangkou.rules.errors import IllegalCommand
from shuangkou.rules.hands import hand_without
from shuangkou.rules.seats import SEATS, Seat, next_seat, seats_after, side_of
from shuangkou.rules.tricks.commands import NameShape
from shuangkou.rules.tricks.events import (
    CardsPlayed,
    Event,
    Phase,
    PhaseBegan,
    ShapeNamed,
    ThrowFailed,
    TrickEnded,
)
from shuangkou.rules.tricks.following import check_follow, duty
from shuangkou.rules.tricks.point_cards import points_of
from shuangkou.rules.tricks.settlement import settled
from shuangkou.rules.tricks.stakes import throw_coins
from shuangkou.rules.tricks.state import DealState, MatchState, by_side, deal_with_turn, order_of
from shuangkou.rules.tricks.throwing import FailedThrow, check_lead, failed_throw, fine_points
from shuangkou.rules.tricks.units import Format, format_of
from shuangkou.rules.tricks.winning import winner


def decide_play(state: MatchState, command: PlayCards) -> tuple[Event, ...]:
    """§6.1, §6.6; IllegalCommand for cards that may not be played."""
    deal = deal_with_turn(state, command.seat)
    missing = Counter(command.cards) - Counter(deal.hands[command.seat])
    if missing:
        message = f"seat {command.seat} in deal {deal.number} does not hold them all"
        raise IllegalCommand(errors.NOT_HELD, message, tuple(missing.elements()), command.seat)
    try:
        return _follow(state, deal, command) if deal.trick else _lead(state, deal, command)
    except IllegalCommand as refusal:
        message = f"seat {command.seat} in deal {deal.number} {refusal.message}"
        raise IllegalCommand(refusal.code, message, refusal.cards, command.seat) from None


def _lead(state: MatchState, deal: DealState, command: PlayCards) -> tuple[Event, ...]:
    order, options = order_of(state, deal), state.ruleset.options
    lead = check_lead(options, order, command.cards)
    failed = _failed(state, deal, command.seat, lead)
    shown = order.ascending(command.cards)
    if failed is None:
        return (CardsPlayed(command.seat, shown),)
    choices = failed.choices if options.opponents_choose else ()
    fallen = ThrowFailed(
        seat=command.seat,
        cards=shown,
        blocked=order.ascending(failed.blocked_cards),
        fine=fine_points(options, failed),
        coins=throw_coins(options, command.seat),
        choices=tuple(unit.shape for unit in choices) if len(choices) > 1 else (),
    )
    if fallen.choices:
        return fallen, PhaseBegan(Phase.NAME_SHAPE, next_seat(command.seat))
    return fallen, CardsPlayed(command.seat, order.ascending(failed.forced.cards), is_forced=True)


def _failed(state: MatchState, deal: DealState, seat: Seat, lead: Format) -> FailedThrow | None:
    others = [deal.hands[other] for other in seats_after(seat)]
    return failed_throw(order_of(state, deal), lead, others)


def _follow(state: MatchState, deal: DealState, command: PlayCards) -> tuple[Event, ...]:
    order, seat = order_of(state, deal), command.seat
    lead = lead_of(state, deal)
    owed = duty(order, lead, deal.hands[seat], state.ruleset.options.high_follow)
    check_follow(order, owed, command.cards)
    played = CardsPlayed(seat, order.ascending(command.cards))
    if len(deal.trick) + 1 < len(SEATS):
        return (played,)
    return played, *_trick_end(state, after_play(state, deal, played))


def _trick_end(state: MatchState, deal: DealState) -> tuple[Event, ...]:
    """§6.8, §6.9; `deal` with the whole trick on the table."""
    best = best_of(state, deal)
    ended = TrickEnded(best, points_of(card for play in deal.trick for card in play.cards))
    if any(deal.hand_sizes):
        return (ended,)
    return ended, *settled(state, after_trick(state, deal, ended))


def lead_of(state: MatchState, deal: DealState) -> Format:
    """What was led in the trick on the table."""
    lead = format_of(order_of(state, deal), deal.trick[0].cards)
    assert lead is not None  # check_lead has read it
    return lead


def best_of(state: MatchState, deal: DealState) -> Seat:
    """Whose play takes the trick on the table so far."""
    return deal.trick[winner(order_of(state, deal), [play.cards for play in deal.trick])].seat


def decide_shape(state: MatchState, command: NameShape) -> tuple[Event, ...]:
    """§6.5; IllegalCommand for a shape that is no choice."""
    deal, seat = deal_with_turn(state, command.seat), command.seat
    failed, unit = deal.failed, None
    if failed is not None:
        lead = format_of(order_of(state, deal), failed.cards)
        fallen = None if lead is None else _failed(state, deal, failed.seat, lead)
        unit = None if fallen is None else fallen.named(command.shape)
    if failed is None or unit is None:
        message = f"seat {seat} in deal {deal.number} cannot name that: it is no choice"
        raise IllegalCommand(errors.NO_SUCH_CHOICE, message, seat=seat)
    cards = order_of(state, deal).ascending(unit.cards)
    return (
        ShapeNamed(seat, command.shape),
        PhaseBegan(Phase.PLAY, failed.seat),
        CardsPlayed(failed.seat, cards, is_forced=True),
    )


def after_play(_: MatchState, deal: DealState, event: CardsPlayed) -> DealState:
    """The cards leave the hand and lie on the table."""
    seat = event.seat
    rest = hand_without(deal.hands[seat], event.cards)
    return replace(
        deal,
        hands=deal.hands if rest is None else put(deal.hands, seat, rest),
        hand_sizes=put(deal.hand_sizes, seat, deal.hand_sizes[seat] - len(event.cards)),
        trick=(*deal.trick, event),
        history=(*deal.history, event),
        turn=next_seat(seat),
        failed=None,
    )


def after_failure(_: MatchState, deal: DealState, event: ThrowFailed) -> DealState:
    """§6.4: the fine is paid at once."""
    return replace(
        deal,
        failed=event,
        fines=by_side(deal.fines, side_of(event.seat), event.fine),
        coins=added(deal.coins, event.coins),
    )


def after_trick(_: MatchState, deal: DealState, event: TrickEnded) -> DealState:
    """§6.8, §6.9."""
    return replace(
        deal,
        taken=by_side(deal.taken, side_of(event.winner), event.points),
        trick=(),
        last_trick=deal.trick,
        leader=event.winner,
        turn=event.winner,
    )
