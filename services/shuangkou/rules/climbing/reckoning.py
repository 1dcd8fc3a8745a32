"""A deal settled anew by who was not there: from what everybody saw of it and its seed (§7.1, §11, §13)."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import reduce
from itertools import combinations

from shuangkou.rules.by_seat import put
from shuangkou.rules.cards import Card
from shuangkou.rules.climbing.deal import evolve
from shuangkou.rules.climbing.ending import final_order, settled
from shuangkou.rules.climbing.events import DealSettled, DealStarted, Event, FaceCardShown
from shuangkou.rules.climbing.options import ClimbingOptions, DealEnd, Phase, Scoring
from shuangkou.rules.climbing.starting import deck_of, hands_and_kitty
from shuangkou.rules.climbing.state import DealState, MatchState
from shuangkou.rules.climbing.view import Standing
from shuangkou.rules.dealing import seed_hash
from shuangkou.rules.events import HandsDealt, KittyBuried, SeatsSwapped
from shuangkou.rules.seats import SEATS, Seat

_COUNTS_HANDS = frozenset((Scoring.PIPS_LEFT, Scoring.CARDS_LEFT, Scoring.BOMBS_AND_MATCHES))
_HIDES_CARDS = frozenset((Phase.TAKE, Phase.EXCHANGE))


class NotADeal(ValueError):
    """The events are not those of one deal, from its start to its last play."""


def follows_from_acts(options: ClimbingOptions) -> bool:
    """Whether points are for what was played or held, all of which the acts of the deal and its seed tell."""
    counts_hands = options.scoring in _COUNTS_HANDS
    is_told = not (counts_hands and _HIDES_CARDS & set(options.phases))
    return options.scoring is not Scoring.PLACES and is_told


def reckonings(before: MatchState, told: Sequence[Event], seed: bytes) -> Iterator[DealSettled]:
    """What the rules make of the public events of a deal that `follows_from_acts`, its settlement left out.

    One settlement; where cards lie face down for good, one for each choice of them (§10.3). `before`: any
    table with the ruleset between two deals. NotADeal where the events make none.
    """
    state = _folded(before, told, seed)
    deal, options = state.deal, state.ruleset.options
    assert deal is not None  # told begins with its start
    order = _order(options, deal)
    if order is None:
        raise NotADeal(f"deal {deal.number} goes on: the seats hold {deal.hand_sizes} cards")
    for hands in _hands(deal) if options.scoring in _COUNTS_HANDS else (deal.hands,):
        event = settled(state, replace(deal, hands=hands), order)[-1]
        assert isinstance(event, DealSettled)
        yield event


def _order(options: ClimbingOptions, deal: DealState) -> tuple[Seat, ...] | None:
    """The seats by place as far as the plays tell it (§6.1, §13.5), None in a deal that is not over."""
    if options.deal_end is not DealEnd.LAST_TRICK:
        is_out = deal.finish_order and not any(deal.hand_sizes[seat] for seat in deal.finish_order)
        return final_order(options, deal.finish_order) if is_out else None
    # One leader's last card ends the deal; others may have kept theirs.
    last = deal.history[-options.players :]
    return () if last and deal.top is None and not deal.hand_sizes[last[0].seat] else None


def _folded(before: MatchState, told: Sequence[Event], seed: bytes) -> MatchState:
    """With the hands that the seed gives, which are dealt right after the start."""
    if not told or not isinstance(told[0], DealStarted) or seed_hash(seed) != told[0].seed_hash:
        raise NotADeal("the events do not begin with a deal of this seed")
    start, is_shown = told[0], any(isinstance(event, FaceCardShown) for event in told)
    swaps = [event for event in told if isinstance(event, SeatsSwapped)] if is_shown else []
    deck = deck_of(before.ruleset.options, seed)
    hands, kitty = hands_and_kitty(before, deck, start.dealt_from, swaps[0] if swaps else None)
    fresh = replace(before, standing=Standing(), settled=None, voided=None)
    return reduce(evolve, (start, HandsDealt(seed, hands, kitty), *told[1:]), fresh)


def _hands(deal: DealState) -> Iterator[tuple[tuple[Card, ...], ...]]:
    """What the seats may have held in the end."""
    buried = {event.seat: event.number for event in deal.opening if isinstance(event, KittyBuried)}
    for seat in SEATS:
        if len(deal.hands[seat]) != deal.hand_sizes[seat] + buried.get(seat, 0):
            raise NotADeal(f"seat {seat} played cards of deal {deal.number} that it was not dealt")
    if len(buried) > 1:
        raise NotADeal(f"{len(buried)} seats buried a kitty in deal {deal.number}")
    seat = next(iter(buried), SEATS[0])
    for kept in dict.fromkeys(combinations(deal.hands[seat], deal.hand_sizes[seat])):
        yield put(deal.hands, seat, kept)
