"""Dealing (§2): who gets which cards, who sits where, who leads."""

from dataclasses import dataclass, replace

from shuangkou.rules import errors
from shuangkou.rules.cards import CARDS, Card, full_deck
from shuangkou.rules.climbing.events import DealStarted, Event, FaceCardShown, PhaseBegan, Result
from shuangkou.rules.climbing.kitty import taken_or_drawn
from shuangkou.rules.climbing.options import ClimbingOptions, LaterLead
from shuangkou.rules.climbing.state import DealState, MatchState
from shuangkou.rules.climbing.view import Standing
from shuangkou.rules.commands import StartDeal
from shuangkou.rules.dealing import SEED_BYTES, dealt, draw_number, draw_seat, seed_hash, shuffled
from shuangkou.rules.errors import IllegalCommand
from shuangkou.rules.events import HandsDealt, SeatsSwapped
from shuangkou.rules.seats import SEATS, Seat, next_seat, partner


@dataclass(frozen=True, slots=True)
class _Seating:
    """Where the deal starts, who leads it, and what was shown and swapped before."""

    dealt_from: Seat
    leader: Seat
    shown: FaceCardShown | None = None
    swapped: SeatsSwapped | None = None


def decide_start(state: MatchState, command: StartDeal) -> tuple[Event, ...]:
    """§2.2 to §2.7, §10.1."""
    _check_start(state, command)
    options = state.ruleset.options
    deck = deck_of(options, command.seed)
    by_face = options.later_lead is LaterLead.FACE_CARD
    seating = _seated_by_face(state, command, deck) if by_face else _seated_by_head(state, command)
    hands, kitty = hands_and_kitty(state, deck, seating.dealt_from, seating.swapped)
    started = DealStarted(
        number=state.standing.last_number + 1,
        seed_hash=seed_hash(command.seed),
        leader=seating.leader,
        hand_sizes=tuple(len(hand) for hand in hands),
        dealt_from=seating.dealt_from,
    )
    shown = tuple(event for event in (seating.shown, seating.swapped) if event is not None)
    moves = _rotation(state, command)
    taken = taken_or_drawn(options, seating.leader)
    return started, HandsDealt(command.seed, hands, kitty), *shown, *moves, *taken


def deck_of(options: ClimbingOptions, seed: bytes) -> tuple[Card, ...]:
    """The cards in the order in which they are dealt (§2.2)."""
    return shuffled(seed, full_deck(options.decks, options.jokers))


def hands_and_kitty(
    state: MatchState, deck: tuple[Card, ...], dealt_from: Seat, swap: SeatsSwapped | None
) -> tuple[tuple[tuple[Card, ...], ...], tuple[Card, ...]]:
    """Who gets which cards, after a swap that took them along (§2.7), and what is left for the kitty."""
    options = state.ruleset.options
    piles = dealt(deck, options.hand_size, dealt_from, options.players)
    in_hands = options.hand_size * options.players
    hands = tuple(state.table.sort(hand) for hand in piles)
    return hands if swap is None else swapped(hands, swap), deck[in_hands : in_hands + options.kitty]


def _check_start(state: MatchState, command: StartDeal) -> None:
    if state.deal is not None:
        raise IllegalCommand(errors.DEAL_IN_PROGRESS, f"deal {state.deal.number} is still being played")
    if state.is_over:
        raise IllegalCommand(errors.MATCH_OVER, f"the match is over at {max(state.standing.totals)} points")
    if len(command.seed) != SEED_BYTES:
        raise IllegalCommand(errors.BAD_SEED, f"a seed has {SEED_BYTES} bytes, not {len(command.seed)}")


def _seated_by_head(state: MatchState, command: StartDeal) -> _Seating:
    """§2.4."""
    standing = state.standing
    later_lead, head = state.ruleset.options.later_lead, standing.last_head
    unless_double = later_lead is LaterLead.LAST_HEAD_UNLESS_DOUBLE
    is_drawn = later_lead is LaterLead.RANDOM or (unless_double and standing.last_result is Result.DOUBLE)
    if head is None or command.new_table or standing.was_abnormal or is_drawn:
        return _Seating(SEATS[0], draw_seat(command.seed, "lead", state.ruleset.options.players))
    return _Seating(SEATS[0], next_seat(head) if later_lead is LaterLead.AFTER_LAST_HEAD else head)


def _rotation(state: MatchState, command: StartDeal) -> tuple[SeatsSwapped, ...]:
    """§2.9: everybody moves to the next seat, told as three exchanges of two."""
    standing = state.standing
    is_fresh = command.new_table or standing.deals_played == 0 or standing.void_start is not None
    if is_fresh or not state.ruleset.options.rotation:
        return ()
    return tuple(SeatsSwapped((SEATS[0], other)) for other in SEATS[1:])


def _seated_by_face(state: MatchState, command: StartDeal, deck: tuple[Card, ...]) -> _Seating:
    """§2.6, §2.7: the seat of the first copy leads, and the seat of the second is brought opposite it."""
    start = _start(state.standing, command)
    face = CARDS[draw_number(command.seed, "face", 52)]
    owners = [SEATS[(start + index) % 4] for index, card in enumerate(deck) if card == face]
    first, second = owners[0], owners[-1]
    shown = FaceCardShown(face, first, second)
    if second in (first, partner(first)):
        return _Seating(start, first, shown)
    return _Seating(start, first, shown, SeatsSwapped((second, partner(first))))


def _start(standing: Standing, command: StartDeal) -> Seat:
    if standing.void_start is not None and not command.new_table:
        return standing.void_start
    if standing.last_head is None or command.new_table:
        return draw_seat(command.seed, "start")
    return standing.last_head


def swapped(values: tuple[tuple[Card, ...], ...], event: SeatsSwapped) -> tuple[tuple[Card, ...], ...]:
    """What belongs to each seat after its player took it along."""
    return tuple(values[event.moved(seat)] for seat in SEATS)


def after_start(state: MatchState, event: DealStarted) -> MatchState:
    """A deal just dealt, without its hidden cards."""
    deal = DealState(
        number=event.number,
        seed_hash=event.seed_hash,
        leader=event.leader,
        turn=event.leader,
        hand_sizes=event.hand_sizes,
        dealt_from=event.dealt_from,
        phase=state.ruleset.options.phases[0],
        kitty_size=state.ruleset.options.kitty,
    )
    return replace(state, deal=deal)


def after_hands(state: MatchState, deal: DealState, event: HandsDealt) -> DealState:
    """The hidden cards."""
    packed = tuple(state.table.pack(hand) for hand in event.hands)
    return replace(deal, seed=event.seed, hands=event.hands, packed_hands=packed, kitty=event.kitty)


def after_phase(_: MatchState, deal: DealState, event: PhaseBegan) -> DealState:
    """The acts of the next phase are open; who acts first in it leads, if it is `play`."""
    return replace(deal, phase=event.phase, turn=event.turn, leader=event.turn)


def after_shown(_: MatchState, deal: DealState, event: FaceCardShown) -> DealState:
    """§2.6."""
    return replace(deal, opening=(*deal.opening, event))


def after_swap(state: MatchState, deal: DealState, event: SeatsSwapped) -> MatchState:
    """§2.7: points and the name of last head go with the player."""
    standing = state.standing
    totals = tuple(standing.totals[event.moved(seat)] for seat in SEATS)
    head = None if standing.last_head is None else event.moved(standing.last_head)
    standing = replace(standing, totals=totals, last_head=head)
    return replace(state, standing=standing, deal=replace(deal, opening=(*deal.opening, event)))
