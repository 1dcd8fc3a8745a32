"""From one deal to the next, and to the end: docs/rules/tricks.md §2.3, §2.4, §9, §10 and §12.2."""

from dataclasses import replace
from random import Random

import pytest

from kit.tricks_table import (
    DECIDER,
    RULESETS,
    SEED,
    act,
    dealt_table,
    in_play,
    new_deal,
    paced,
    plays,
    quick_policy,
    steps,
)
from shuangkou.rules.commands import Forfeit, StartDeal, Whistle
from shuangkou.rules.dealing import draw_seat
from shuangkou.rules.events import DealVoided, SeatForfeited, VoidReason
from shuangkou.rules.ruleset import TricksRuleSet, load
from shuangkou.rules.seats import SEATS, Seat, Side
from shuangkou.rules.tricks.deal_end import Feat
from shuangkou.rules.tricks.events import (
    DealSettled,
    DealStarted,
    DecidedBy,
    Event,
    ForfeitPaid,
    MatchDecided,
)
from shuangkou.rules.tricks.first_draw import first_drawer
from shuangkou.rules.tricks.options import FirstDrawer, Level
from shuangkou.rules.tricks.order import Trump
from shuangkou.rules.tricks.state import MatchState
from shuangkou.rules.tricks.verdict import lot
from shuangkou.rules.tricks.view import Standing

KITTY = "S3 S4 S6 H3 H4 H6 C3 C4"


def started(ruleset: TricksRuleSet, standing: Standing | None = None, seed: bytes = SEED) -> DealStarted:
    state = DECIDER.new_match(ruleset) if standing is None else DECIDER.resume(ruleset, standing)
    event = DECIDER.decide(state, StartDeal(seed))[0]
    assert isinstance(event, DealStarted)
    return event


def seeds(number: int) -> list[bytes]:
    rng = Random(number)
    return [rng.randbytes(32) for _ in range(60)]


def last_trick(
    id: str, hands: tuple[str, str, str, str], standing: Standing | None
) -> tuple[MatchState, DealSettled]:
    """The deal of seat 0 whose last trick these cards are; hearts are trump."""
    ruleset: TricksRuleSet = load(id)
    kitty = KITTY if ruleset.options.kitty else ""
    state, events = plays(in_play(dealt_table(ruleset, hands, kitty, 0, standing), Trump.HEARTS), *hands)
    settled = events[-1]
    assert isinstance(settled, DealSettled)
    return state, settled


@pytest.mark.parametrize("id", ["multi2", "staff25", "fanzhu", "capped60", "hook60"])
def test_any_seat_may_draw_first(id: str) -> None:
    """§2.3."""
    firsts = {started(load(id), seed=seed).first for seed in seeds(1)}
    assert firsts == ({0, 1} if load(id).options.first_drawer is FirstDrawer.SIDE_CARDS else {0, 1, 2, 3})


def test_the_highest_turned_card_draws_first() -> None:
    """§2.3: by rank with jokers on top, equal ranks by suit S, H, C, D."""
    for seed in seeds(2):
        event = started(load("capped60"), seed=seed)
        if len(event.turned) == 4:
            best = max(event.turned, key=lambda turn: (turn.card.rank, -(turn.card.suit or 0)))
            assert event.first == best.seat


def test_cuts_of_one_rank_are_cut_again() -> None:
    """§2.3: with `cut` a suit decides nothing."""
    events = [started(load("staff25"), seed=seed) for seed in seeds(3)]
    again = [event for event in events if len(event.turned) > 4]
    assert again
    for event in again:
        first = event.turned[:4]
        best = max(turn.card.rank for turn in first)
        rivals = [turn.seat for turn in first if turn.card.rank is best]
        assert [turn.seat for turn in event.turned[4 : 4 + len(rivals)]] == rivals
        assert event.first in rivals


def test_pips_are_counted_from_the_seat_that_turned() -> None:
    """§2.3: the turner is one; ace one, king thirteen; a joker is turned again."""
    for seed in seeds(4):
        event = started(load("hook60"), seed=seed)
        turner, card = event.turned[-1].seat, event.turned[-1].card
        assert turner == draw_seat(seed, "start")
        pips = 1 if card.rank == 14 else int(card.rank)
        assert pips <= 13
        assert event.first == (turner + pips - 1) % 4


def test_later_the_declarer_draws_first_or_the_next_seat() -> None:
    """§2.4."""
    later = Standing(deals_played=3, levels=(Level.FOUR, Level.SIX), declarer=Seat(2), last_first=Seat(3))
    assert started(load("capped60"), later).first == 2
    later = Standing(deals_played=3, last_first=Seat(3), first_attackers=Side(0))
    assert started(load("tian5"), later).first == 0
    assert first_drawer(load("tian5").options, later, None, SEED) == (Seat(0), ())


def test_fixed_deals_have_their_declarers_and_levels() -> None:
    """§9.2."""
    for played, (level, seat) in enumerate(zip("2345567", [0, 1, 2, 3, 0, 1, 2], strict=True)):
        event = started(load("eight_deals"), Standing(deals_played=played, deals_voided=2))
        assert (event.first, event.declarer, event.level) == (seat, seat, Level(level))
        assert event.number == played + 3


@pytest.mark.parametrize(
    ("id", "held", "lost"), [("multi2", 2, 1), ("fanzhu", 0, 1), ("sheng_joker", 2, 1), ("hook60", 2, 1)]
)
def test_who_deals_next(id: str, held: int, lost: int) -> None:
    """§9.1."""
    standing = Standing(deals_played=3, levels=(Level.FIVE, Level.SIX), declarer=Seat(0), last_first=Seat(0))
    state, settled = last_trick(id, ("SA SA", "SQ SQ", "S7 S8", "C7 C8"), standing)
    assert not settled.outcome.deal_passes
    assert state.standing.declarer == held
    state, _ = last_trick_with(load(id), ("SQ", "SA", "S7", "C7"), standing, (0, 80))
    assert state.standing.declarer == lost


def last_trick_with(
    ruleset: TricksRuleSet, hands: tuple[str, str, str, str], standing: Standing, taken: tuple[int, int]
) -> tuple[MatchState, tuple[Event, ...]]:
    """The same with so many points taken before by each side."""
    table = in_play(dealt_table(ruleset, hands, KITTY, 0, standing), Trump.HEARTS)
    assert table.deal is not None
    return plays(replace(table, deal=replace(table.deal, taken=taken)), *hands)


def test_a_hook_throws_the_declarers_down() -> None:
    """§10.4: at J, with a jack and 85 points; the rungs that are lost count below nothing."""
    standing = Standing(deals_played=3, levels=(Level.JACK, Level.SIX), declarer=Seat(0), last_first=Seat(0))
    state, events = last_trick_with(load("hook60"), ("SQ", "HJ", "S7", "C7"), standing, (0, 85))
    settled = events[-1]
    assert isinstance(settled, DealSettled)
    assert settled.outcome.feat is Feat.HOOK
    assert state.standing.levels == (Level.TWO, Level.SIX)
    assert settled.scores == (-4, 0, -4, 0)


def test_a_hat_wins_the_match() -> None:
    """§10.3."""
    standing = Standing(deals_played=3, levels=(Level.ACE, Level.SIX), declarer=Seat(0), last_first=Seat(0))
    hands = ("CA", "SQ", "S7", "C7")
    state, events = plays(
        in_play(dealt_table(load("hook60"), hands, KITTY, 0, standing), Trump.HEARTS), *hands
    )
    assert events[-2] == MatchDecided(Side(0), DecidedBy.FEAT)
    assert state.is_over
    assert state.standing.decided == events[-2]


def test_passing_the_ace_wins_the_match() -> None:
    """§10.1."""
    standing = Standing(deals_played=9, levels=(Level.ACE, Level.SIX), declarer=Seat(0), last_first=Seat(0))
    state, _ = last_trick("multi2", ("CA", "SQ", "S7", "C7"), standing)
    assert state.standing.decided == MatchDecided(Side(0), DecidedBy.LEVEL)


def test_reaching_the_goal_wins_the_match() -> None:
    """§10.2."""
    standing = Standing(deals_played=9, levels=(Level.FIVE, Level.FIVE), declarer=Seat(0), last_first=Seat(0))
    state, _ = last_trick("sheng30", ("CA", "SQ", "S7", "C7"), standing)
    assert state.standing.decided == MatchDecided(Side(0), DecidedBy.LEVEL)


def test_deals_run_out() -> None:
    """§10.8: the higher level, else who got there first, else more points as attackers."""
    ruleset = load("multi2").with_options({"max_deals": "20"})
    standing = Standing(
        deals_played=19, levels=(Level.FIVE, Level.KING), declarer=Seat(0), last_first=Seat(0)
    )
    hands = ("CA", "SQ", "S7", "C7")
    state, _ = plays(in_play(dealt_table(ruleset, hands, KITTY, 0, standing), Trump.HEARTS), *hands)
    assert state.standing.decided == MatchDecided(Side(1), DecidedBy.DEALS)


def test_eight_deals_may_end_level() -> None:
    """§10.6: equal big points and equal points taken are a draw."""
    standing = Standing(deals_played=7, totals=(-25, 25, -25, 25), last_first=Seat(2))
    state, settled = last_trick("eight_deals", ("CA", "SQ", "S7", "C7"), standing)
    assert settled.scores == (25, -25, 25, -25)
    assert state.standing.decided == MatchDecided(None, DecidedBy.DEALS)


def test_no_deal_starts_when_the_time_is_over() -> None:
    """§10.7: the higher level wins."""
    standing = Standing(deals_played=3, levels=(Level.FOUR, Level.FIVE), reached_in=(2, 3), declarer=Seat(0))
    state = DECIDER.resume(load("sheng30"), standing)
    state, events = act(state, StartDeal(SEED, elapsed_s=1800))
    assert events == (MatchDecided(Side(1), DecidedBy.TIME),)
    assert state.is_over
    in_time = DECIDER.resume(load("sheng30"), standing), DECIDER.new_match(load("multi2"))
    for state, elapsed_s in zip(in_time, (1799, 10**6), strict=True):
        assert isinstance(DECIDER.decide(state, StartDeal(SEED, elapsed_s=elapsed_s))[0], DealStarted)


@pytest.mark.parametrize(
    ("reached", "points", "winner"),
    [((2, 3), (0, 99), 0), ((3, 2), (99, 0), 1), ((0, 0), (60, 80), 1), ((0, 0), (80, 60), 0)],
)
def test_a_deal_that_the_whistle_stops_is_void(
    reached: tuple[int, int], points: tuple[int, int], winner: int
) -> None:
    """§10.7: on equal levels who reached it first, else more points as attackers."""
    standing = Standing(
        deals_played=3,
        levels=(Level.FIVE, Level.FIVE),
        reached_in=reached,
        attacking_points=points,
        declarer=Seat(0),
        last_first=Seat(0),
    )
    hands = ("CA S9", "SQ S8", "S7 C8", "C7 C9")
    state, _ = plays(in_play(dealt_table(load("sheng30"), hands, KITTY, 0, standing), Trump.HEARTS), "CA")
    state, events = act(state, Whistle())
    assert events == (
        MatchDecided(Side(winner), DecidedBy.TIME),
        DealVoided(4, VoidReason.TIME_UP, (0, 0, 0, 0), SEED),
    )
    assert state.standing.deals_played == 3
    assert state.standing.levels == (Level.FIVE, Level.FIVE)


def test_a_lot_decides_when_nothing_else_does() -> None:
    """§10.9: drawn from the seed of the last deal."""
    assert {lot(seed) for seed in seeds(5)} == {0, 1}
    state = new_deal(load("sheng30"))
    assert act(state, Whistle())[1][0] == MatchDecided(lot(SEED), DecidedBy.TIME)
    assert act(DECIDER.new_match(load("sheng30")), Whistle())[0].is_over


@pytest.mark.parametrize("id", RULESETS)
def test_who_leaves_loses_the_match_for_its_side(id: str) -> None:
    """§12.2."""
    state, events = act(new_deal(load(id)), Forfeit(Seat(3)))
    stake = load(id).options.base_stake
    paid = (ForfeitPaid(Seat(3), (stake, stake, stake, -3 * stake)),) if stake else ()
    assert events == (
        SeatForfeited(Seat(3)),
        *paid,
        MatchDecided(Side(0), DecidedBy.FORFEIT),
        DealVoided(1, VoidReason.FORFEITS, (0, 0, 0, 0), SEED, (Seat(3),)),
    )
    assert state.is_over
    assert state.deal is None
    assert state.standing.coins == (stake, stake, stake, -3 * stake)
    assert state.standing.deals_voided == 1


@pytest.mark.parametrize("id", RULESETS)
def test_a_match_goes_on_from_its_standing(id: str) -> None:
    """What one deal hands on is all that the next needs."""
    rng = Random(2)
    for step in steps(DECIDER.new_match(paced(id)), quick_policy(rng), rng):
        before = step.before
        if before.deal is None and before.standing.deals_played == 2:
            resumed = DECIDER.resume(before.ruleset, before.standing, before.settled, before.voided)
            assert resumed == before
            bare = DECIDER.resume(before.ruleset, before.standing)
            assert DECIDER.decide(bare, step.command) == step.events
            return


def test_between_deals_nobody_acts_and_nothing_is_seen() -> None:
    state = DECIDER.new_match(load("multi2"))
    assert DECIDER.actors(state) == ()
    assert DECIDER.time_limit_ms(state) == 0
    assert DECIDER.clock_command(state) is None
    for seat in (*SEATS, None):
        view = DECIDER.observe(state, seat)
        assert (view.in_progress, view.hand, view.deal_number) == (False, (), 0)
    assert not DECIDER.legal_acts(state, Seat(0))
