"""Up the ladder of levels (§8.4 to §8.6)."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shuangkou.rules.ruleset import available, load
from shuangkou.rules.tricks.ladder import Rise, advance
from shuangkou.rules.tricks.options import Level, MatchEnd, TricksOptions

LADDERS: dict[str, TricksOptions] = {
    id: load(id).options for id in available("tricks") if load(id).options.ladder
}
WITH_LADDER = st.sampled_from(sorted(LADDERS))


def one_by_one(options: TricksOptions, level: Level, up: int, as_declarers: bool) -> Level:
    """A slow way up: rung by rung, looking at each whether it lets the side go on."""
    for step in range(up):
        place = options.ladder.index(level)
        is_last = place == len(options.ladder) - 1
        is_hard = is_last or level in options.hard
        is_stop = is_hard or level in options.stops
        if is_last or (step > 0 and is_stop) or (is_hard and not as_declarers):
            return level
        level = options.ladder[place + 1]
    return level


@given(WITH_LADDER, st.integers(0, 12), st.integers(0, 12), st.booleans())
def test_a_side_goes_up_rung_by_rung(id: str, place: int, up: int, as_declarers: bool) -> None:
    """§8.4 to §8.6, against the slow way."""
    options = LADDERS[id]
    level = options.ladder[place % len(options.ladder)]
    assert advance(options, level, up, as_declarers).level is one_by_one(options, level, up, as_declarers)


@given(WITH_LADDER, st.integers(0, 12), st.integers(0, 12), st.booleans())
def test_no_gain_passes_a_hard_level_or_a_stop(id: str, place: int, up: int, as_declarers: bool) -> None:
    """§8.5, §8.6."""
    options = LADDERS[id]
    start = place % len(options.ladder)
    rise = advance(options, options.ladder[start], up, as_declarers)
    passed = options.ladder[start + 1 : options.ladder.index(rise.level)]
    assert not {*options.hard, *options.stops} & {*passed}
    left_hard = rise.level is not options.ladder[start] and options.ladder[start] in options.hard
    assert as_declarers or not left_hard


@given(WITH_LADDER, st.lists(st.tuples(st.integers(0, 8), st.booleans()), max_size=30))
def test_a_side_never_goes_down_and_wins_only_at_the_end(id: str, gains: list[tuple[int, bool]]) -> None:
    """§10.1, §10.2."""
    options, level = LADDERS[id], LADDERS[id].ladder[0]
    for up, as_declarers in gains:
        rise = advance(options, level, up, as_declarers)
        assert options.ladder.index(rise.level) >= options.ladder.index(level)
        if rise.is_won and options.match_end is MatchEnd.PASS_LAST:
            assert as_declarers
            assert level is options.ladder[-1]
        level = rise.level


def test_the_last_level_is_won_by_declarers_only() -> None:
    """§10.1: to pass the ace."""
    plain = LADDERS["multi2"]
    assert advance(plain, Level.KING, 3, as_declarers=True) == Rise(Level.ACE)
    assert advance(plain, Level.ACE, 3, as_declarers=False) == Rise(Level.ACE)
    assert advance(plain, Level.ACE, 0, as_declarers=True) == Rise(Level.ACE)
    assert advance(plain, Level.ACE, 1, as_declarers=True) == Rise(Level.ACE, is_won=True)


def test_a_hard_level_below_the_last() -> None:
    """§8.6."""
    capped = LADDERS["capped60"]
    assert advance(capped, Level.TWO, 3, as_declarers=False) == Rise(Level.TWO)
    assert advance(capped, Level.TWO, 7, as_declarers=True) == Rise(Level.NINE)


def test_a_stop_may_be_left_by_attackers() -> None:
    """§8.5: only hard levels are left as declarers."""
    final = LADDERS["notrump_final"]
    assert advance(final, Level.QUEEN, 3, as_declarers=False) == Rise(Level.ACE)
    assert advance(final, Level.ACE, 1, as_declarers=False) == Rise(Level.NO_TRUMP)


@pytest.mark.parametrize("as_declarers", [True, False])
def test_a_goal_is_won_when_it_is_reached_by_whomever(as_declarers: bool) -> None:
    """§10.2."""
    half_hour, one_pack = LADDERS["sheng30"], LADDERS["single54"]
    assert advance(half_hour, Level.FIVE, 1, as_declarers) == Rise(Level.SIX, is_won=True)
    assert advance(half_hour, Level.FOUR, 4, as_declarers) == Rise(Level.EIGHT, is_won=True)
    assert advance(half_hour, Level.FOUR, 1, as_declarers) == Rise(Level.FIVE)
    assert advance(one_pack, Level.QUEEN, 5, as_declarers) == Rise(Level.ACE, is_won=True)


def test_a_hat_needs_more_than_levels() -> None:
    """§10.3."""
    for id in ("capped60", "hook60"):
        assert advance(LADDERS[id], Level.ACE, 3, as_declarers=True) == Rise(Level.ACE)
    without = replace(LADDERS["hook60"], match_end=MatchEnd.PASS_LAST)
    assert advance(without, Level.ACE, 3, as_declarers=True).is_won
