"""Climbing tables for tests: real states, set up from text and moved by real commands."""

from collections.abc import Callable
from functools import reduce
from random import Random

from shuangkou.rules.climbing.commands import Command
from shuangkou.rules.climbing.deal import MatchState
from shuangkou.rules.climbing.decider import ClimbingDecider
from shuangkou.rules.climbing.events import DealStarted, Event, PhaseBegan
from shuangkou.rules.climbing.notation import parse_act
from shuangkou.rules.climbing.options import Phase
from shuangkou.rules.climbing.view import Standing
from shuangkou.rules.commands import Pass, StartDeal
from shuangkou.rules.dealing import seed_hash
from shuangkou.rules.events import HandsDealt
from shuangkou.rules.notation import parse_cards, parse_hand
from shuangkou.rules.ruleset import RuleSet, available, load
from shuangkou.rules.seats import SEATS, Seat

SEED = bytes(range(32))
QQ = load("qq")
DECIDER = ClimbingDecider()
_PRIVATE_OPTIONS = ("surrender", "redeal_vote")
PRIVATE = {
    id: load(id).with_options({key: "true" for key in _PRIVATE_OPTIONS if key in dict(load(id).allowed)})
    for id in available("climbing")
}
"""Every ruleset as a private table may play it, with all that can be asked out of turn."""


def fold(state: MatchState, events: tuple[Event, ...]) -> MatchState:
    """The state after the events."""
    return reduce(DECIDER.evolve, events, state)


def new_deal(seed: bytes = SEED, ruleset: RuleSet = QQ) -> MatchState:
    """The first deal of a new match, just dealt."""
    state = DECIDER.new_match(ruleset)
    return fold(state, DECIDER.decide(state, StartDeal(seed)))


def sure_deal(seed: bytes, ruleset: RuleSet) -> MatchState:
    """A deal just dealt that has a result even if all pass in its auction (§12.2)."""
    passed_out = max(0, ruleset.options.all_pass_limit - 1)
    table = DECIDER.resume(ruleset, Standing(passed_out=passed_out))
    return fold(table, DECIDER.decide(table, StartDeal(seed)))


def table_with(*hands: str, leader: int = 0, ruleset: RuleSet = QQ, kitty: str = "") -> MatchState:
    """A deal come to play in which the seats hold just these cards."""
    dealt = tuple(parse_hand(hand) for hand in (*hands, "", "")[:4])
    started = DealStarted(1, seed_hash(SEED), Seat(leader), tuple(len(hand) for hand in dealt))
    begun = PhaseBegan(Phase.PLAY, Seat(leader))
    return fold(DECIDER.new_match(ruleset), (started, HandsDealt(SEED, dealt, parse_cards(kitty)), begun))


def act(state: MatchState, *acts: str | Command) -> tuple[MatchState, tuple[Event, ...]]:
    """Plays acts like `1: 7s 7h` or `2: pass`, or commands; the state after them, the events of the last."""
    events: tuple[Event, ...] = ()
    for given in acts:
        events = DECIDER.decide(state, parse_act(given) if isinstance(given, str) else given)
        state = fold(state, events)
    return state, events


Policy = Callable[[MatchState, Seat], Command]


def random_policy(rng: Random) -> Policy:
    """Any legal act; passes a little less often than not."""

    def choose(state: MatchState, seat: Seat) -> Command:
        acts = DECIDER.legal_acts(state, seat)
        if acts.before_play and (not acts.may_pass or rng.random() < 0.5):
            return rng.choice(acts.before_play)
        if acts and (not acts.may_pass or rng.random() < 0.6):
            return acts[rng.randrange(len(acts))].command
        return Pass(seat)

    return choose


def lively_policy(rng: Random) -> Policy:
    """Any legal act, and now and then one out of turn by any seat."""
    in_turn = random_policy(rng)

    def choose(state: MatchState, seat: Seat) -> Command:
        if rng.random() < 0.02:
            others = [act for other in SEATS for act in DECIDER.legal_acts(state, other).others]
            if others:
                return rng.choice(others)
        return in_turn(state, seat)

    return choose


def lowest_policy(state: MatchState, seat: Seat) -> Command:
    """The lowest play that there is, and before play the first act."""
    acts = DECIDER.legal_acts(state, seat)
    if acts.before_play:
        return acts.before_play[0]
    lowest = acts.lowest()
    return Pass(seat) if lowest is None else lowest.command


def played_out(state: MatchState, policy: Policy) -> list[tuple[MatchState, Command, tuple[Event, ...]]]:
    """Every step to the end of the deal: the state before, the command, its events."""
    steps = []
    while state.deal is not None:
        command = policy(state, state.deal.turn)
        events = DECIDER.decide(state, command)
        steps.append((state, command, events))
        state = fold(state, events)
    return steps


def end_of(steps: list[tuple[MatchState, Command, tuple[Event, ...]]]) -> MatchState:
    """The state after the last of these steps."""
    state, _, events = steps[-1]
    return fold(state, events)
