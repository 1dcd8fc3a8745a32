"""The phase `play` (§4, §5): leading, following, passing, going out."""

from dataclasses import replace

from shuangkou.rules import errors
from shuangkou.rules.by_seat import added, put
from shuangkou.rules.cards import Card
from shuangkou.rules.climbing.combinations import Kind
from shuangkou.rules.climbing.commands import Command
from shuangkou.rules.climbing.consent import situation
from shuangkou.rules.climbing.ending import final_order, settled, with_trick_won
from shuangkou.rules.climbing.events import (
    BombPlayed,
    CardsPlayed,
    ContributionBooked,
    Event,
    LeadInherited,
    SeatWentOut,
    TrickEnded,
)
from shuangkou.rules.climbing.hands import Held
from shuangkou.rules.climbing.kitty import shown
from shuangkou.rules.climbing.legal_acts import LegalActs, acts_in_turn
from shuangkou.rules.climbing.options import ClimbingOptions, DealEnd, TrickEnd
from shuangkou.rules.climbing.phase import PhaseRules
from shuangkou.rules.climbing.settlement import contribution
from shuangkou.rules.climbing.state import DealState, MatchState, deal_with_turn
from shuangkou.rules.climbing.suits import may_follow, read
from shuangkou.rules.climbing.turns import heir, next_holder, next_leader, round_end
from shuangkou.rules.climbing.view import Consents
from shuangkou.rules.commands import Pass, PlayCards
from shuangkou.rules.errors import IllegalCommand
from shuangkou.rules.events import Passed
from shuangkou.rules.hands import hand_without, not_held
from shuangkou.rules.notation import format_cards
from shuangkou.rules.seats import Seat, partner, seats_after


def decide_play(state: MatchState, command: PlayCards) -> tuple[Event, ...]:
    """§4.2, §4.3; IllegalCommand for cards that may not be played."""
    deal = deal_with_turn(state, command.seat)
    seat, cards, table = command.seat, command.cards, state.table
    rest = hand_without(deal.hands[seat], cards)
    if rest is None:
        missing = not_held(deal.hands[seat], cards)
        raise _refusal(errors.NOT_HELD, deal, command, f"it does not hold {_shown(missing)}", missing)
    combination = read(table, cards)
    if combination is None:
        raise _refusal(errors.NO_SUCH_COMBINATION, deal, command, "they make no combination")
    is_beaten = deal.top is not None and not may_follow(table.options, combination, deal.top.combination)
    if is_beaten and not table.options.discards:
        why = f"the {combination.kind.name_en} does not beat the top play"
        raise _refusal(errors.DOES_NOT_BEAT, deal, command, why)
    played = CardsPlayed(seat, table.sort(cards), combination, table.wild_ranks(cards), is_beaten)
    events: tuple[Event, ...] = played, *_booked(state.ruleset.options, played)
    if rest or table.options.deal_end is DealEnd.LAST_TRICK:
        return *events, *_end_of_round(state, deal, played)
    return *events, *_going_out(state, deal, played)


def _end_of_round(state: MatchState, deal: DealState, played: CardsPlayed) -> tuple[Event, ...]:
    """§4.7."""
    if state.ruleset.options.trick_end is not TrickEnd.ONE_ROUND:
        return ()
    return round_end(state, after_play(state, deal, played))


def _refusal(
    code: str, deal: DealState, command: PlayCards, why: str, at_fault: tuple[Card, ...] | None = None
) -> IllegalCommand:
    position = "to lead" if deal.top is None else f"on {format_cards(deal.top.cards)} of seat {deal.top.seat}"
    message = f"seat {command.seat} cannot play {_shown(command.cards)} {position}: {why}"
    return IllegalCommand(code, message, command.cards if at_fault is None else at_fault, command.seat)


def _shown(cards: tuple[Card, ...]) -> str:
    return format_cards([card for card in cards if card in range(54)]) or "no card"


def _booked(options: ClimbingOptions, played: CardsPlayed) -> tuple[ContributionBooked, ...]:
    """§7.5: paid the moment the bomb is played."""
    stars = played.combination.stars
    amounts = contribution(options, played.seat, stars) if stars else None
    return () if amounts is None else (ContributionBooked(played.seat, stars, amounts),)


def _going_out(state: MatchState, deal: DealState, played: CardsPlayed) -> tuple[Event, ...]:
    options, out = state.ruleset.options, (*deal.finish_order, played.seat)
    events: tuple[Event, ...] = (SeatWentOut(played.seat, len(out)), *shown(options, deal, out))
    order = final_order(options, out)
    if order is None:
        return *events, *_end_of_round(state, deal, played)
    return *events, *settled(state, after_play(state, deal, played), order)


def decide_pass(state: MatchState, command: Pass) -> tuple[Event, ...]:
    """§4.2, §4.4, §4.8; IllegalCommand for the seat that leads or must play."""
    deal, options = deal_with_turn(state, command.seat), state.ruleset.options
    seat, top = command.seat, deal.top
    if top is None:
        message = f"seat {seat} leads in deal {deal.number} and must play"
        raise IllegalCommand(errors.PASS_ON_EMPTY_TRICK, message, seat=seat)
    if options.discards and deal.hand_sizes[seat] > 1:
        message = f"seat {seat} holds {deal.hand_sizes[seat]} cards in deal {deal.number} and must play one"
        raise IllegalCommand(errors.MUST_PLAY, message, seat=seat)
    if options.trick_end is TrickEnd.ONE_ROUND:
        return Passed(seat), *round_end(state, after_pass(state, deal, Passed(seat)))
    rivals = sum([1 for other in seats_after(top.seat) if deal.hand_sizes[other]])
    if len(deal.passed) + 1 < rivals:
        return (Passed(seat),)
    if deal.hand_sizes[top.seat]:
        return Passed(seat), TrickEnded(top.seat)
    return Passed(seat), TrickEnded(top.seat), LeadInherited(heir(options, deal, top.seat), top.seat)


def _with_bomb(deal: DealState, played: CardsPlayed) -> tuple[BombPlayed, ...]:
    """§11.5: a set counts where it was played on something."""
    combination = played.combination
    is_relative = combination.kind is Kind.SET and deal.top is not None
    if combination.is_bomb or is_relative:
        return (*deal.bombs, BombPlayed(played.seat, combination))
    return deal.bombs


def after_play(state: MatchState, deal: DealState, event: CardsPlayed) -> DealState:
    """The cards leave the hand and lie on the table, beside the top play if they are a discard."""
    seat, table = event.seat, state.table
    top, top_row = (deal.top, deal.top_row) if event.is_discard else (event, None)
    packed = table.pack(event.cards)
    sizes = put(deal.hand_sizes, seat, deal.hand_sizes[seat] - len(event.cards))
    hands, packed_hands = deal.hands, deal.packed_hands
    rest = hand_without(hands[seat], event.cards)
    if rest is not None:
        hands = put(hands, seat, rest)
        packed_hands = put(packed_hands, seat, packed_hands[seat] - packed)
    return replace(
        deal,
        turn=next_holder(sizes, seat),
        hand_sizes=sizes,
        hands=hands,
        packed_hands=packed_hands,
        top=top,
        top_row=table.row_of.get(packed) if top_row is None else top_row,
        trick=(*deal.trick, event),
        passed=(),
        bombs=_with_bomb(deal, event),
        history=(*deal.history, event),
        consents=_lapsed(deal.consents, seat),
    )


def after_pass(_: MatchState, deal: DealState, event: Passed) -> DealState:
    """The turn goes on."""
    return replace(
        deal,
        turn=next_holder(deal.hand_sizes, event.seat),
        trick=(*deal.trick, event),
        passed=(*deal.passed, event.seat),
        history=(*deal.history, event),
        consents=_lapsed(deal.consents, event.seat),
    )


def _lapsed(consents: Consents, seat: Seat) -> Consents:
    """§9.3: an offer lapses when either partner plays on; §9.4: votes end with the first play."""
    if not consents.surrender and not consents.redeal:
        return consents
    offers = tuple(other for other in consents.surrender if other not in (seat, partner(seat)))
    return replace(consents, surrender=offers, redeal=())


def after_trick(state: MatchState, deal: DealState, event: TrickEnded) -> DealState:
    """§4.4, §11.6."""
    leader = next_leader(state.ruleset.options, deal, event.winner)
    return replace(
        deal,
        turn=leader,
        leader=leader,
        top=None,
        top_row=None,
        trick=(),
        passed=(),
        cards_won=with_trick_won(deal),
    )


def after_inheritance(_: MatchState, deal: DealState, event: LeadInherited) -> DealState:
    """§5.2."""
    return replace(deal, turn=event.seat, leader=event.seat)


def after_going_out(_: MatchState, deal: DealState, event: SeatWentOut) -> DealState:
    """§5.1."""
    return replace(deal, finish_order=(*deal.finish_order, event.seat))


def after_booking(_: MatchState, deal: DealState, event: ContributionBooked) -> DealState:
    """§7.5."""
    return replace(deal, contributions=added(deal.contributions, event.amounts))


def _legal_acts(state: MatchState, deal: DealState, seat: Seat) -> LegalActs:
    """None but those out of turn for a seat that is not to act."""
    now = situation(state.ruleset.options, deal)
    if deal.turn != seat:
        return LegalActs(state.table, seat, (), 0, may_pass=False, now=now)
    held = Held(deal.hands[seat], deal.packed_hands[seat])
    return acts_in_turn(state.table, seat, held, deal.top, now)


def _actors(deal: DealState) -> tuple[Seat, ...]:
    return (deal.turn,)


def _fallback(state: MatchState, seat: Seat) -> Command:
    """§8.2: pass, or the lowest single for a seat that must play."""
    acts = _legal_acts(state, deal_with_turn(state, seat), seat)
    return Pass(seat) if acts.may_pass else next(iter(acts)).command


def _seconds(options: ClimbingOptions, deal: DealState) -> int:
    """§8.1."""
    return options.lead_seconds if deal.top is None else options.turn_seconds


PLAY = PhaseRules(
    decisions={PlayCards: decide_play, Pass: decide_pass},
    legal_acts=_legal_acts,
    actors=_actors,
    fallback=_fallback,
    seconds=_seconds,
)
"""The phase in which the cards are played."""
