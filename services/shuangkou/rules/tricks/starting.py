"""Dealing and drawing (§2): who gets which cards, and when."""

from dataclasses import replace

from shuangkou.rules import errors
from shuangkou.rules.cards import Card, Rank, full_deck
from shuangkou.rules.commands import StartDeal
from shuangkou.rules.dealing import SEED_BYTES, dealt, seed_hash, shuffled
from shuangkou.rules.errors import IllegalCommand
from shuangkou.rules.events import HandsDealt
from shuangkou.rules.seats import SEATS, Seat, Side, side_of
from shuangkou.rules.tricks.asking import after_draw
from shuangkou.rules.tricks.auction import Auction, open_auction
from shuangkou.rules.tricks.commands import DrawOn
from shuangkou.rules.tricks.events import CardsDrawn, DealStarted, Event, Phase, PhaseBegan
from shuangkou.rules.tricks.first_draw import first_drawer
from shuangkou.rules.tricks.options import Level, Rotation, TricksOptions
from shuangkou.rules.tricks.schedule import attackers_of, scheduled
from shuangkou.rules.tricks.state import DealState, MatchState, running_deal
from shuangkou.rules.tricks.verdict import decided_by_time
from shuangkou.rules.tricks.view import Standing


def decide_start(state: MatchState, command: StartDeal) -> tuple[Event, ...]:
    """§2.2 to §2.7; IllegalCommand while a deal runs, after the match, and for a bad seed."""
    _check_start(state, command)
    options, standing, seed = state.ruleset.options, state.standing, command.seed
    if 0 < options.limit_minutes * 60 <= command.elapsed_s:
        return (decided_by_time(state, seed),)
    declarer = declarer_of_next(options, standing)
    first, turned = first_drawer(options, standing, declarer, seed)
    deck = shuffled(seed, full_deck(options.decks))
    hands = dealt(deck, options.hand_size, first)
    started = DealStarted(
        number=standing.last_number + 1,
        seed_hash=seed_hash(seed),
        first=first,
        declarer=declarer,
        level=level_of(options, standing, declarer),
        hand_size=options.hand_size,
        kitty_size=options.kitty,
        turned=turned,
    )
    drawn = () if options.draw_pace_ms else (CardsDrawn(options.hand_size),)
    return started, HandsDealt(seed, hands, deck[options.hand_size * len(SEATS) :]), *drawn


def _check_start(state: MatchState, command: StartDeal) -> None:
    if state.deal is not None:
        raise IllegalCommand(errors.DEAL_IN_PROGRESS, f"deal {state.deal.number} is still being played")
    if state.is_over:
        raise IllegalCommand(errors.MATCH_OVER, f"the match is over after {state.standing.last_number} deals")
    if len(command.seed) != SEED_BYTES:
        raise IllegalCommand(errors.BAD_SEED, f"a seed has {SEED_BYTES} bytes, not {len(command.seed)}")


def declarer_of_next(options: TricksOptions, standing: Standing) -> Seat | None:
    """§9.1, §9.2."""
    if options.rotation is Rotation.FIXED:
        return scheduled(options, standing.deals_played + 1).declarer
    return standing.declarer


def level_of(options: TricksOptions, standing: Standing, declarer: Seat | None) -> Level | None:
    """The level of the next deal if this seat is the declarer (§2.5, §9.2)."""
    if options.schedule:
        return scheduled(options, standing.deals_played + 1).level
    return standing.levels[0 if declarer is None else side_of(declarer)]


def decide_draw(state: MatchState, _: DrawOn) -> tuple[Event, ...]:
    """§2.6; IllegalCommand when there is nothing left to draw."""
    deal = running_deal(state)
    if deal.phase is not Phase.DRAW:
        raise IllegalCommand(errors.OTHER_PHASE, f"all cards of deal {deal.number} are drawn")
    return (CardsDrawn(1),)


def after_start(state: MatchState, event: DealStarted) -> MatchState:
    """A deal of which nothing is drawn yet, without its hidden cards."""
    options, standing = state.ruleset.options, state.standing
    deal = DealState(
        number=event.number,
        seed_hash=event.seed_hash,
        first=event.first,
        auction=_auction(options, standing, event),
        level=event.level,
        hand_sizes=(0, 0, 0, 0),
        cards_left=event.hand_size,
        kitty_size=event.kitty_size,
        declarer=event.declarer,
        attackers=_known_attackers(options, standing, event.declarer),
    )
    return replace(state, deal=deal)


def _auction(options: TricksOptions, standing: Standing, event: DealStarted) -> Auction:
    return open_auction(
        options,
        is_first_deal=standing.deals_played == 0,
        levels=auction_levels(options, standing),
        first=event.first,
        declarer=event.declarer,
    )


def auction_levels(options: TricksOptions, standing: Standing) -> tuple[Rank | None, Rank | None]:
    """The rank of each side's level cards in the next deal."""
    first, second = standing.levels
    if options.schedule:
        first = second = level_of(options, standing, None)
    return _rank(first), _rank(second)


def _rank(level: Level | None) -> Rank | None:
    return None if level is None else level.rank


def _known_attackers(options: TricksOptions, standing: Standing, declarer: Seat | None) -> Side | None:
    """Who takes points: not the declarer's side, or the side whose turn it is (§9.3)."""
    if declarer is not None:
        return other_side(declarer)
    if options.rotation is not Rotation.ROLES_ALTERNATE or standing.first_attackers is None:
        return None
    return attackers_of(standing.first_attackers, standing.deals_played + 1)


def other_side(seat: Seat) -> Side:
    """The side against this seat."""
    return Side(1 - side_of(seat))


def after_hands(_: MatchState, deal: DealState, event: HandsDealt) -> DealState:
    """The hidden cards."""
    return replace(deal, seed=event.seed, undrawn=event.hands, kitty=event.kitty)


def after_drawing(_: MatchState, deal: DealState, event: CardsDrawn) -> DealState:
    """The cards are in the hands; with the last of them the closing round begins."""
    left = deal.cards_left - event.count
    hands = tuple(
        _sorted(hand + pile[: event.count]) for hand, pile in zip(deal.hands, deal.undrawn, strict=True)
    )
    return replace(
        deal,
        hands=hands,
        undrawn=tuple(pile[event.count :] for pile in deal.undrawn),
        hand_sizes=tuple(size + event.count for size in deal.hand_sizes),
        cards_left=left,
        auction=deal.auction if left else after_draw(deal.auction),
    )


def _sorted(cards: tuple[Card, ...]) -> tuple[Card, ...]:
    return tuple(sorted(cards))


def after_phase(_: MatchState, deal: DealState, event: PhaseBegan) -> DealState:
    """The acts of the next phase are open; who acts first in `play` leads, unless a trick is on."""
    leader = event.turn if event.phase is Phase.PLAY and not deal.trick else deal.leader
    return replace(deal, phase=event.phase, turn=event.turn, leader=leader)
