"""Trick-taking tables without services: deals dealt, acts chosen, matches played to their end."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import chain
from random import Random

from shuangkou.rules.cards import CARDS
from shuangkou.rules.commands import BuryKitty, Pass, PlayCards, StartDeal
from shuangkou.rules.dealing import seed_hash
from shuangkou.rules.errors import IllegalCommand
from shuangkou.rules.events import CardsBuried, HandsDealt, KittyBuried, KittyTaken
from shuangkou.rules.notation import parse_cards
from shuangkou.rules.ruleset import TricksRuleSet, available, load
from shuangkou.rules.seats import SEATS, Seat
from shuangkou.rules.tricks.commands import Command, DrawOn, SeatAct
from shuangkou.rules.tricks.decider import TricksDecider
from shuangkou.rules.tricks.defaults import preferred_follow
from shuangkou.rules.tricks.events import (
    CardsDrawn,
    DealStarted,
    DeclarerNamed,
    Event,
    Phase,
    PhaseBegan,
    TrumpFixed,
)
from shuangkou.rules.tricks.following import duty
from shuangkou.rules.tricks.legal_acts import LegalActs
from shuangkou.rules.tricks.order import Trump
from shuangkou.rules.tricks.playing import lead_of
from shuangkou.rules.tricks.position import position_in
from shuangkou.rules.tricks.starting import level_of
from shuangkou.rules.tricks.state import MatchState
from shuangkou.rules.tricks.units import counts_of, decompose
from shuangkou.rules.tricks.view import Standing

SEED = bytes(range(32))
DECIDER = TricksDecider()
RULESETS: tuple[str, ...] = available("tricks")
PACE = "100"

Policy = Callable[[MatchState, Seat], Command]


@dataclass(frozen=True, slots=True)
class Step:
    """One command, what it caused, and the state before it."""

    before: MatchState
    command: Command
    events: tuple[Event, ...]


def fold(state: MatchState, events: tuple[Event, ...]) -> MatchState:
    """The state after the events."""
    return reduce(DECIDER.evolve, events, state)


def paced(id: str) -> TricksRuleSet:
    """The ruleset with cards drawn one round at a time."""
    ruleset: TricksRuleSet = load(id)
    return ruleset.with_options({"draw_pace_ms": PACE})


def new_deal(ruleset: TricksRuleSet, seed: bytes = SEED) -> MatchState:
    """The first deal of a new match, just dealt or just begun to be drawn."""
    state = DECIDER.new_match(ruleset)
    return fold(state, DECIDER.decide(state, StartDeal(seed)))


def act(state: MatchState, *commands: Command) -> tuple[MatchState, tuple[Event, ...]]:
    """The state after the commands, and the events of the last one."""
    events: tuple[Event, ...] = ()
    for command in commands:
        events = DECIDER.decide(state, command)
        state = fold(state, events)
    return state, events


def random_policy(rng: Random) -> Policy:
    """Any act that is listed, any burial, and now and then a throw."""

    def choose(state: MatchState, seat: Seat) -> Command:
        acts = DECIDER.legal_acts(state, seat)
        assert state.deal is not None
        match state.deal.phase:
            case Phase.CLOSING | Phase.POST:
                return Pass(seat) if rng.random() < 0.4 else rng.choice(list(acts))
            case Phase.BURY:
                return BuryKitty(seat, tuple(rng.sample(acts.free, state.ruleset.options.kitty)))
            case Phase.PLAY if acts.leads is not None and rng.random() < 0.3:
                return _throw(acts, rng)
            case _:
                return rng.choice(list(acts))

    return choose


def _throw(acts: LegalActs, rng: Random) -> SeatAct:
    """Some cards of one suit, whatever they are, where that may be led."""
    position = acts.position
    assert position is not None
    first = rng.choice(position.hand)
    alike = [card for card in position.hand if position.order.suits[card] is position.order.suits[first]]
    throw = PlayCards(position.seat, tuple(rng.sample(alike, rng.randint(1, min(5, len(alike))))))
    return throw if throw in acts else rng.choice(list(acts))


def quick_policy(rng: Random) -> Policy:
    """Legal acts of every sort without listing any: many more deals in the same time."""

    def choose(state: MatchState, seat: Seat) -> Command:
        deal = state.deal
        assert deal is not None
        position = position_in(state, deal, seat)
        if deal.phase is not Phase.PLAY:
            return in_turn(state, seat)
        order, hand = position.order, position.hand
        if deal.trick:
            owed = duty(order, lead_of(state, deal), hand, state.ruleset.options.high_follow)
            taste = rng.choices(range(99), k=len(CARDS))
            return PlayCards(seat, preferred_follow(order, owed, lambda card: (taste[card], card)))
        suit = order.suits[rng.choice(hand)]
        alike = [card for card in hand if order.suits[card] is suit]
        units = decompose(order, suit, counts_of(alike))
        chosen = rng.sample(units, min(len(units), rng.choice((1, 1, 1, 2, 3))))
        throw = PlayCards(seat, tuple(card for unit in chosen for card in unit.cards))
        single = PlayCards(seat, chosen[0].cards)
        return throw if len(chosen) == 1 or state.ruleset.options.throws else single

    in_turn = random_policy(rng)
    return choose


def default_policy(state: MatchState, seat: Seat) -> Command:
    """What the rules play for a seat whose time is up."""
    return DECIDER.fallback(state, seat)


def next_command(state: MatchState, policy: Policy, rng: Random) -> Command:
    """What happens next at a table: a deal starts, a round is drawn with a show now and then, a seat acts."""
    if state.deal is None:
        return StartDeal(rng.randbytes(32))
    if state.deal.phase is Phase.DRAW:
        shows = list(chain.from_iterable(DECIDER.legal_acts(state, seat).shows for seat in SEATS))
        return rng.choice(shows) if shows and rng.random() < 0.3 else DrawOn()
    return policy(state, DECIDER.actors(state)[0])


def steps(state: MatchState, policy: Policy, rng: Random) -> Iterator[Step]:
    """Everything from here to the end of the match, step by step."""
    while not (state.is_over and state.deal is None):
        command = next_command(state, policy, rng)
        events = DECIDER.decide(state, command)
        yield Step(state, command, events)
        state = fold(state, events)


def deal_steps(state: MatchState, policy: Policy, rng: Random) -> list[Step]:
    """Everything from here to the end of the running deal."""
    told = []
    while state.deal is not None:
        command = next_command(state, policy, rng)
        events = DECIDER.decide(state, command)
        told.append(Step(state, command, events))
        state = fold(state, events)
    return told


def after(step: Step) -> MatchState:
    """The state after this step."""
    return fold(step.before, step.events)


def some_state(ruleset: TricksRuleSet, seed: bytes, number: int) -> MatchState:
    """A state somewhere in a deal of random play, in any phase that it went through alike."""
    rng = Random(number)
    by_phase: dict[str, list[MatchState]] = {}
    for step in deal_steps(new_deal(ruleset, seed), quick_policy(rng), rng):
        assert step.before.deal is not None
        by_phase.setdefault(step.before.deal.phase.value, []).append(step.before)
    return rng.choice(rng.choice(list(by_phase.values())))


def dealt_table(
    ruleset: TricksRuleSet,
    hands: Sequence[str],
    kitty: str = "",
    declarer: int | None = None,
    standing: Standing | None = None,
) -> MatchState:
    """A deal in which the seats are to draw these cards, in this order; seat 0 draws first."""
    piles = tuple(parse_cards(hand) for hand in hands)
    seat = None if declarer is None else Seat(declarer)
    fresh = DECIDER.new_match(ruleset)
    state = fresh if standing is None else DECIDER.resume(ruleset, standing)
    started = DealStarted(
        number=state.standing.last_number + 1,
        seed_hash=seed_hash(SEED),
        first=SEATS[0],
        declarer=seat,
        level=level_of(ruleset.options, state.standing, seat),
        hand_size=len(piles[0]),
        kitty_size=len(parse_cards(kitty)),
    )
    return fold(state, (started, HandsDealt(SEED, piles, parse_cards(kitty))))


def drawn(state: MatchState) -> MatchState:
    """The same table when nobody has shown anything while all cards were drawn."""
    while state.deal is not None and state.deal.phase is Phase.DRAW:
        state, _ = act(state, DrawOn())
    return state


def in_play(state: MatchState, trump: Trump, leader: int = 0) -> MatchState:
    """The same table come to play, whatever was declared; `leader` is the declarer."""
    deal = state.deal
    assert deal is not None
    seat = Seat(leader)
    level = level_of(state.ruleset.options, state.standing, seat)
    events = (
        CardsDrawn(deal.cards_left),
        DeclarerNamed(seat, level),
        KittyTaken(seat, deal.kitty_size),
        CardsBuried(seat, tuple(sorted(deal.kitty))),
        KittyBuried(seat, deal.kitty_size),
        TrumpFixed(trump),
        PhaseBegan(Phase.PLAY, seat),
    )
    return fold(state, events)


def plays(state: MatchState, *texts: str) -> tuple[MatchState, tuple[Event, ...]]:
    """The state after these plays by the seats in turn, and all events of them."""
    told: tuple[Event, ...] = ()
    for text in texts:
        events = DECIDER.decide(state, PlayCards(DECIDER.actors(state)[0], parse_cards(text)))
        state, told = fold(state, events), (*told, *events)
    return state, told


def refused(state: MatchState, command: Command) -> str:
    """The code with which the command is refused; nothing if it is accepted."""
    try:
        DECIDER.decide(state, command)
    except IllegalCommand as refusal:
        return refusal.code
    return ""
