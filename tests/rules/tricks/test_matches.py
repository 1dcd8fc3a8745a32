"""Whole matches of random play: every one ends, nothing is lost on the way, nobody passes a hard level."""

from collections import Counter
from collections.abc import Iterable
from random import Random

import pytest

from kit.effort import rounds
from kit.tricks_table import (
    DECIDER,
    PACE,
    RULESETS,
    Step,
    after,
    default_policy,
    fold,
    paced,
    quick_policy,
    steps,
)
from shuangkou.rules.cards import full_deck
from shuangkou.rules.commands import StartDeal
from shuangkou.rules.events import DealVoided
from shuangkou.rules.ruleset import TricksRuleSet, load
from shuangkou.rules.seats import SIDES, side_of
from shuangkou.rules.tricks.events import (
    DealSettled,
    DecidedBy,
    KittyCaptured,
    MatchDecided,
    Outcome,
    Phase,
    ThrowFailed,
    TrickEnded,
)
from shuangkou.rules.tricks.options import MatchEnd, Rotation, Scoring, TricksOptions
from shuangkou.rules.tricks.point_cards import points_of
from shuangkou.rules.tricks.stakes import stake
from shuangkou.rules.tricks.state import DealState, MatchState
from shuangkou.rules.tricks.view import Standing

pytestmark = pytest.mark.timeout(rounds(120, 7200))
MOST_STEPS = 60_000


def match_of(ruleset: TricksRuleSet, number: int) -> list[Step]:
    rng = Random(number)
    return list(steps(DECIDER.new_match(ruleset), quick_policy(rng), rng))


def short(id: str) -> TricksRuleSet:
    """Twenty deals at most, where the ruleset lets a table choose so."""
    ruleset: TricksRuleSet = load(id)
    can_choose = "20" in dict(ruleset.allowed).get("max_deals", ())
    return ruleset.with_options({"max_deals": "20"}) if can_choose else ruleset


@pytest.mark.parametrize("id", RULESETS)
def test_every_match_ends_and_keeps_the_laws(id: str) -> None:
    """§7 to §10, for deals dealt at once."""
    for number in range(rounds(30, 2000)):
        ruleset = load(id) if number % 10 == 9 else short(id)
        check_match(ruleset, match_of(ruleset, number))


def test_every_match_with_a_paced_draw_ends() -> None:
    for number, id in enumerate(RULESETS[1 :: rounds(9, 1)]):
        ruleset = short(id).with_options({"draw_pace_ms": PACE})
        check_match(ruleset, match_of(ruleset, number))


def check_match(ruleset: TricksRuleSet, told: list[Step]) -> None:
    assert len(told) < MOST_STEPS
    end = after(told[-1])
    assert end.is_over
    assert end.deal is None
    check_end(ruleset.options, told, end)
    standing = told[0].before.standing
    tricks: list[TrickEnded | ThrowFailed | KittyCaptured] = []
    for step in told:
        for event in step.events:
            if isinstance(event, TrickEnded | ThrowFailed | KittyCaptured):
                tricks.append(event)
            if isinstance(event, DealSettled):
                check_settled(ruleset.options, step, event)
                check_score(event.outcome, tricks)
                tricks = []
        if step.before.deal is None:
            standing = step.before.standing
            assert standing.last_number == standing.deals_played + standing.deals_voided
    assert standing.last_number + 1 == end.standing.last_number


def check_end(options: TricksOptions, told: list[Step], end: MatchState) -> None:
    decided, standing = end.standing.decided, end.standing
    assert isinstance(decided, MatchDecided)
    assert told[-1].events[-2] == decided
    assert isinstance(told[-1].events[-1], DealSettled)
    if decided.by is DecidedBy.DEALS:
        assert standing.deals_played >= (options.deals or options.max_deals)
        is_draw = standing.totals[0] == standing.totals[1] and options.scoring is Scoring.CONVERSION
        assert (decided.winner is None) <= is_draw
    else:
        assert decided.winner is not None
        assert standing.deals_played <= options.max_deals
        assert (decided.by is DecidedBy.FEAT) == (options.match_end in (MatchEnd.HAT_ANY, MatchEnd.HAT_ALL))


def check_settled(options: TricksOptions, step: Step, event: DealSettled) -> None:
    outcome, before = event.outcome, step.before.standing
    assert sum(outcome.taken) + points_of(outcome.kitty) == 100 * options.decks
    assert outcome.score >= 0
    assert len(outcome.kitty) == options.kitty
    assert sum(event.coins) == 0
    assert all(event.scores[seat] == event.scores[seat + 2] for seat in (0, 1))
    assert {side_of(seat) for seat in event.winners} in ({0}, {1}, set())
    check_levels(options, outcome)
    check_next(options, before, outcome)
    if options.base_stake:
        amount = stake(options, outcome.overturns)
        assert step.before.deal is not None
        paid = step.before.deal.coins
        moved = [event.coins[seat] - paid[seat] for seat in range(4)]
        assert sorted(moved) == [-amount, -amount, amount, amount]


def check_score(outcome: Outcome, tricks: list[TrickEnded | ThrowFailed | KittyCaptured]) -> None:
    """§7.1, §7.2: recounted from what was told trick by trick."""
    score, winner = 0, None
    for event in tricks:
        match event:
            case TrickEnded():
                winner = event.winner
                score += event.points if side_of(winner) == outcome.attackers else 0
            case ThrowFailed():
                score += -event.fine if side_of(event.seat) == outcome.attackers else event.fine
            case KittyCaptured():
                assert event.seat == winner
                assert side_of(event.seat) == outcome.attackers
                score += event.points
    assert outcome.score == max(0, score)


def check_levels(options: TricksOptions, outcome: Outcome) -> None:
    """§8.4 to §8.6: nobody jumps over a stop, and only declarers leave a hard level."""
    for side in SIDES:
        before, now = outcome.levels_before[side], outcome.levels_after[side]
        if before is None or now is None:
            assert not options.ladder
            continue
        low, high = options.ladder.index(before), options.ladder.index(now)
        stops = {*options.stops, *options.hard, options.ladder[-1]}
        assert not stops & {*options.ladder[low + 1 : high]}
        hard = {*options.hard, options.ladder[-1]}
        if before in hard and high > low:
            assert side != outcome.attackers
            assert not outcome.deal_passes
        if high < low:
            assert before in options.hook_levels
            assert side != outcome.attackers


def check_next(options: TricksOptions, before: Standing, outcome: Outcome) -> None:
    """§9."""
    declarer, following = outcome.declarer, outcome.next_declarer
    match options.rotation:
        case Rotation.FIXED:
            assert declarer == before.deals_played % 4
            assert outcome.level is options.schedule[before.deals_played]
        case Rotation.ROLES_ALTERNATE:
            assert following is None
            if before.first_attackers is not None:
                assert outcome.attackers == (before.first_attackers + before.deals_played) % 2
        case Rotation.PARTNER_OR_NEXT | Rotation.SAME_OR_NEXT:
            assert following is not None
            assert (side_of(following) == side_of(declarer)) == (not outcome.deal_passes)
            assert outcome.level is before.levels[side_of(declarer)]


@pytest.mark.parametrize("id", RULESETS)
def test_defaults_alone_play_a_deal(id: str) -> None:
    """§11.2: the fallback of every seat is accepted wherever it is asked."""
    for number in range(rounds(1, 100)):
        state, rng = DECIDER.new_match(load(id)), Random(number)
        for step in steps(state, default_policy, rng):
            if any(isinstance(event, DealSettled) for event in step.events):
                break


@pytest.mark.parametrize("id", RULESETS)
def test_all_cards_are_somewhere(id: str) -> None:
    """§1.1: undrawn, in a hand, in the kitty or played; and hands hold as many as everybody is told."""
    ruleset: TricksRuleSet = paced(id)
    options, rng = ruleset.options, Random(7)
    deck = Counter(full_deck(options.decks))
    for number, step in enumerate(steps(DECIDER.new_match(ruleset), quick_policy(rng), rng)):
        deal = step.before.deal
        if deal is not None and number % 3 == 0:
            assert Counter(everywhere(deal)) == deck
            assert tuple(map(len, deal.hands)) == deal.hand_sizes
            assert all(hand == tuple(sorted(hand)) for hand in deal.hands)
            assert len(deal.kitty) == deal.kitty_size
            assert {len(pile) for pile in deal.undrawn} == {deal.cards_left}
        if any(isinstance(event, DealSettled) for event in step.events):
            break


def everywhere(deal: DealState) -> Iterable[int]:
    for pile in (*deal.hands, *deal.undrawn, deal.kitty, *(play.cards for play in deal.history)):
        yield from pile


def test_a_trick_takes_equally_many_cards_from_everybody() -> None:
    """§6.1."""
    for id in RULESETS:
        rng = Random(11)
        for step in steps(DECIDER.new_match(load(id)), quick_policy(rng), rng):
            deal = step.before.deal
            if deal is not None and deal.trick:
                assert {len(play.cards) for play in deal.trick} == {len(deal.trick[0].cards)}
            if any(isinstance(event, DealSettled) for event in step.events):
                break


def test_a_deal_dealt_again_is_the_same_deal_of_the_match() -> None:
    """§2.7, §3.9: a sixth deal in a row without a show is played with spades."""
    state, seeds = DECIDER.new_match(load("tian5")), Random(3)
    for again in range(5):
        state, last = all_pass(state, seeds.randbytes(32))
        assert isinstance(last, DealVoided)
        assert state.standing.dealt_again == again + 1
        assert state.standing.deals_played == 0
    state, last = all_pass(state, seeds.randbytes(32))
    assert state.deal is not None
    assert state.deal.phase is Phase.PLAY
    assert state.deal.trump is not None
    assert state.deal.trump.value == "S"
    assert state.deal.declarer == (state.deal.first + 1) % 4  # the first drawer attacks


def all_pass(state: MatchState, seed: bytes) -> tuple[MatchState, object]:
    events = DECIDER.decide(state, StartDeal(seed))
    state = fold(state, events)
    while state.deal is not None and state.deal.phase is Phase.CLOSING:
        (seat,) = DECIDER.actors(state)
        events = DECIDER.decide(state, DECIDER.fallback(state, seat))
        state = fold(state, events)
    return state, events[-1]
