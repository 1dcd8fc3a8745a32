"""One deal after another: `decide` makes every check, `evolve` makes none."""

from dataclasses import dataclass, field, replace
from typing import TypeVar, assert_never

from shuangkou.rules import errors
from shuangkou.rules.cards import Card, full_deck
from shuangkou.rules.climbing.commands import Command, Pass, PlayCards, StartDeal
from shuangkou.rules.climbing.events import (
    Act,
    BombPlayed,
    CardsPlayed,
    DealSettled,
    DealStarted,
    Event,
    HandsDealt,
    LeadInherited,
    Passed,
    Result,
    SeatWentOut,
    TrickEnded,
)
from shuangkou.rules.climbing.legal_acts import hand_without
from shuangkou.rules.climbing.move_table import MoveTable
from shuangkou.rules.climbing.notation import format_combination
from shuangkou.rules.climbing.options import DealEnd, LaterLead
from shuangkou.rules.climbing.settlement import settle
from shuangkou.rules.climbing.view import Standing
from shuangkou.rules.dealing import SEED_BYTES, dealt, draw_seat, seed_hash, shuffled
from shuangkou.rules.errors import IllegalCommand
from shuangkou.rules.notation import format_cards
from shuangkou.rules.ruleset import RuleSet
from shuangkou.rules.seats import Seat, next_seat, partner, seats_after

V = TypeVar("V")


@dataclass(frozen=True, slots=True)
class DealState:
    """A deal in progress; everything but `seed`, `hands` and `packed_hands` is public.

    packed_hands: `hands` as packed counts of the move table. top_row: row of `top` in that table.
    The hands are empty in a fold of public events.
    """

    number: int
    seed_hash: bytes
    leader: Seat
    turn: Seat
    hand_sizes: tuple[int, ...]
    seed: bytes = b""
    hands: tuple[tuple[Card, ...], ...] = ((), (), (), ())
    packed_hands: tuple[int, ...] = (0, 0, 0, 0)
    top: CardsPlayed | None = None
    top_row: int | None = None
    trick: tuple[Act, ...] = ()
    passed: tuple[Seat, ...] = ()
    finish_order: tuple[Seat, ...] = ()
    bombs: tuple[BombPlayed, ...] = ()
    history: tuple[Act, ...] = ()


@dataclass(frozen=True, slots=True)
class MatchState:
    """The whole table, hidden cards included, so only for the engine; between two deals `deal` is None."""

    ruleset: RuleSet
    table: MoveTable = field(repr=False)
    standing: Standing
    deal: DealState | None = None
    settled: DealSettled | None = None


def decide(state: MatchState, command: Command) -> tuple[Event, ...]:
    """What the command causes; IllegalCommand when the rules refuse it."""
    if isinstance(command, StartDeal):
        return _decide_start(state, command)
    deal = deal_with_turn(state, command.seat)
    if isinstance(command, PlayCards):
        return _decide_play(state, deal, command)
    if isinstance(command, Pass):
        return _decide_pass(deal, command)
    assert_never(command)


def deal_with_turn(state: MatchState, seat: Seat) -> DealState:
    """The deal in progress, if it is this seat's turn; IllegalCommand otherwise."""
    deal = state.deal
    if deal is None:
        raise IllegalCommand(errors.NO_DEAL_IN_PROGRESS, f"seat {seat} cannot act between deals", seat=seat)
    if seat != deal.turn:
        message = f"seat {seat} cannot act in deal {deal.number}: it is the turn of seat {deal.turn}"
        raise IllegalCommand(errors.NOT_YOUR_TURN, message, seat=seat)
    return deal


def _decide_start(state: MatchState, command: StartDeal) -> tuple[Event, ...]:
    number = state.standing.deals_played + 1
    if state.deal is not None:
        raise IllegalCommand(errors.DEAL_IN_PROGRESS, f"deal {state.deal.number} is still being played")
    if len(command.seed) != SEED_BYTES:
        raise IllegalCommand(errors.BAD_SEED, f"a seed has {SEED_BYTES} bytes, not {len(command.seed)}")
    options = state.ruleset.options
    deck = shuffled(command.seed, full_deck(options.decks, options.jokers))
    hands = tuple(state.table.sort(hand) for hand in dealt(deck, options.hand_size))
    sizes = tuple(len(hand) for hand in hands)
    leader = _leader(state, command)
    return (
        DealStarted(number, seed_hash(command.seed), leader, sizes),
        HandsDealt(command.seed, hands),
    )


def _leader(state: MatchState, command: StartDeal) -> Seat:
    head = state.standing.last_head
    unless_double = state.ruleset.options.later_lead is LaterLead.LAST_HEAD_UNLESS_DOUBLE
    after_double = unless_double and state.standing.last_result is Result.DOUBLE
    if head is None or command.new_table or after_double:
        return draw_seat(command.seed, "lead")
    return head


def _decide_play(state: MatchState, deal: DealState, command: PlayCards) -> tuple[Event, ...]:
    seat, cards, table = command.seat, command.cards, state.table
    rest = hand_without(deal.hands[seat], cards)
    if rest is None:
        raise _refusal(errors.NOT_HELD, deal, command, "it does not hold them all")
    row = table.classify(cards)
    if row is None:
        raise _refusal(errors.NO_SUCH_COMBINATION, deal, command, "they make no combination")
    if deal.top_row is not None and not table.beaters[deal.top_row] >> row & 1:
        why = f"{format_combination(table.combinations[row])} does not beat the top play"
        raise _refusal(errors.DOES_NOT_BEAT, deal, command, why)
    played = CardsPlayed(seat, table.sort(cards), table.combinations[row])
    return (played,) if rest else (played, *_going_out(state, deal, played))


def _refusal(code: str, deal: DealState, command: PlayCards, why: str) -> IllegalCommand:
    known = [card for card in command.cards if card in range(54)]
    position = "to lead" if deal.top is None else f"on {format_cards(deal.top.cards)} of seat {deal.top.seat}"
    message = f"seat {command.seat} cannot play {format_cards(known) or 'no card'} {position}: {why}"
    return IllegalCommand(code, message, command.cards, command.seat)


def _going_out(state: MatchState, deal: DealState, played: CardsPlayed) -> tuple[Event, ...]:
    seat = played.seat
    order = (*deal.finish_order, seat)
    out = SeatWentOut(seat, len(order))
    options = state.ruleset.options
    if options.deal_end is DealEnd.SIDE_OUT:
        if partner(seat) not in order:
            return (out,)
        order += tuple(other for other in seats_after(seat) if other not in order)
    bombs = _with_bomb(deal.bombs, played)
    settlement = settle(options, order, bombs)
    settled = DealSettled(
        number=deal.number,
        result=settlement.result,
        finish_order=order,
        multiplier=settlement.multiplier,
        base=settlement.base,
        scores=settlement.scores,
        bombs=bombs,
        seed=deal.seed,
    )
    return out, settled


def _decide_pass(deal: DealState, command: Pass) -> tuple[Event, ...]:
    seat, top = command.seat, deal.top
    if top is None:
        message = f"seat {seat} leads in deal {deal.number} and must play"
        raise IllegalCommand(errors.PASS_ON_EMPTY_TRICK, message, seat=seat)
    rivals = sum([1 for other in seats_after(top.seat) if deal.hand_sizes[other]])
    if len(deal.passed) + 1 < rivals:
        return (Passed(seat),)
    if deal.hand_sizes[top.seat]:
        return Passed(seat), TrickEnded(top.seat)
    return Passed(seat), TrickEnded(top.seat), LeadInherited(_heir(deal, top.seat), top.seat)


def _heir(deal: DealState, seat: Seat) -> Seat:
    mate = partner(seat)
    return mate if deal.hand_sizes[mate] else _next_holder(deal.hand_sizes, seat)


def _next_holder(hand_sizes: tuple[int, ...], seat: Seat) -> Seat:
    """§4.1: the next seat that still holds cards."""
    for other in seats_after(seat):
        if hand_sizes[other]:
            return other
    return next_seat(seat)


def _with_bomb(bombs: tuple[BombPlayed, ...], played: CardsPlayed) -> tuple[BombPlayed, ...]:
    if played.combination.is_bomb:
        return (*bombs, BombPlayed(played.seat, played.combination))
    return bombs


def evolve(state: MatchState, event: Event) -> MatchState:
    """The state after the event; an event that fits no deal in progress leaves it as it is."""
    if isinstance(event, DealStarted):
        return replace(state, deal=_started(event))
    if state.deal is None:
        return state
    if isinstance(event, DealSettled):
        return replace(state, deal=None, settled=event, standing=_later(state.standing, event))
    return MatchState(
        state.ruleset, state.table, state.standing, _evolve_deal(state, state.deal, event), state.settled
    )


def _started(event: DealStarted) -> DealState:
    return DealState(
        number=event.number,
        seed_hash=event.seed_hash,
        leader=event.leader,
        turn=event.leader,
        hand_sizes=event.hand_sizes,
    )


def _later(standing: Standing, event: DealSettled) -> Standing:
    totals = tuple(total + score for total, score in zip(standing.totals, event.scores, strict=True))
    return Standing(event.number, totals, event.finish_order[0], event.result)


def _evolve_deal(
    state: MatchState,
    deal: DealState,
    event: HandsDealt | CardsPlayed | Passed | SeatWentOut | TrickEnded | LeadInherited,
) -> DealState:
    if isinstance(event, CardsPlayed):
        return _after_play(state, deal, event)
    if isinstance(event, Passed):
        return _after_pass(deal, event)
    if isinstance(event, TrickEnded):
        cleared = replace(deal, top=None, top_row=None, trick=(), passed=())
        return replace(cleared, turn=event.winner, leader=event.winner)
    if isinstance(event, LeadInherited):
        return replace(deal, turn=event.seat, leader=event.seat)
    if isinstance(event, SeatWentOut):
        return replace(deal, finish_order=(*deal.finish_order, event.seat))
    packed = tuple(state.table.pack(hand) for hand in event.hands)
    return replace(deal, seed=event.seed, hands=event.hands, packed_hands=packed)


def _after_pass(deal: DealState, event: Passed) -> DealState:
    return replace(
        deal,
        turn=_next_holder(deal.hand_sizes, event.seat),
        trick=(*deal.trick, event),
        passed=(*deal.passed, event.seat),
        history=(*deal.history, event),
    )


def _after_play(state: MatchState, deal: DealState, event: CardsPlayed) -> DealState:
    seat, table = event.seat, state.table
    packed = table.pack(event.cards)
    sizes = _put(deal.hand_sizes, seat, deal.hand_sizes[seat] - len(event.cards))
    hands, packed_hands = deal.hands, deal.packed_hands
    rest = hand_without(hands[seat], event.cards)
    if rest is not None:
        hands = _put(hands, seat, rest)
        packed_hands = _put(packed_hands, seat, packed_hands[seat] - packed)
    return replace(
        deal,
        turn=_next_holder(sizes, seat),
        hand_sizes=sizes,
        hands=hands,
        packed_hands=packed_hands,
        top=event,
        top_row=table.row_of.get(packed),
        trick=(*deal.trick, event),
        passed=(),
        bombs=_with_bomb(deal.bombs, event),
        history=(*deal.history, event),
    )


def _put(values: tuple[V, ...], seat: Seat, value: V) -> tuple[V, ...]:
    return (*values[:seat], value, *values[seat + 1 :])
