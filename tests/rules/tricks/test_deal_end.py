"""The levels after a deal, hats and hooks (§10.1 to §10.5)."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shuangkou.rules.cards import CARDS, Card
from shuangkou.rules.notation import parse_cards
from shuangkou.rules.ruleset import available, load
from shuangkou.rules.tricks.deal_end import DealEnd, Feat, LastTrick, LevelsBefore, Role, deal_end
from shuangkou.rules.tricks.ladder import advance
from shuangkou.rules.tricks.level_tables import gain
from shuangkou.rules.tricks.options import Level, TricksOptions

HOOK: TricksOptions = load("hook60").options
CAPPED: TricksOptions = load("capped60").options
WITH_LADDER = st.sampled_from([load(id).options for id in available("tricks") if load(id).options.ladder])


def ended(options: TricksOptions, levels: str, score: int, last: str) -> DealEnd:
    """levels: of declarers and attackers. last: `dec SA SA`, who won the last trick with what."""
    declarers, attackers = map(Level, levels.split())
    side, _, cards = last.partition(" ")
    role = {"dec": Role.DECLARERS, "def": Role.ATTACKERS}[side]
    trick = LastTrick(role, parse_cards(cards))
    return deal_end(options, LevelsBefore(declarers, attackers), score, gain(options, score), trick)


@pytest.mark.parametrize(
    ("options", "last", "is_worn"),
    [
        (CAPPED, "dec SA", True),
        (CAPPED, "dec SA SK", True),
        (CAPPED, "dec SK SK", False),
        (CAPPED, "dec BJ", False),
        (HOOK, "dec DA DA", True),
        (HOOK, "dec DA DK", False),
        (HOOK, "dec BJ BJ", False),
        (HOOK, "def DA", False),
    ],
)
def test_a_hat_is_worn_with_level_cards(options: TricksOptions, last: str, is_worn: bool) -> None:
    """§10.3: with any, or with all."""
    expected = DealEnd(Level.ACE, Level.KING)
    hat = replace(expected, winner=Role.DECLARERS, feat=Feat.HAT)
    assert ended(options, "A K", 40, last) == (hat if is_worn else expected)


@pytest.mark.parametrize("options", [CAPPED, HOOK])
def test_a_hat_needs_the_deal_and_the_last_level(options: TricksOptions) -> None:
    """§10.3."""
    assert ended(options, "A 5", 80, "dec SA").winner is None
    assert ended(options, "K 5", 40, "dec SA") == DealEnd(Level.ACE, Level.FIVE)


def test_the_plain_game_knows_no_feats() -> None:
    """§10.1."""
    plain: TricksOptions = load("multi2").options
    assert ended(plain, "A A", 0, "dec SA") == DealEnd(Level.ACE, Level.ACE, Role.DECLARERS)
    assert ended(plain, "J A", 90, "def SJ") == DealEnd(Level.JACK, Level.ACE)


def test_a_jack_hooks_to_the_bottom() -> None:
    """§10.4: the attackers take their gain beside it."""
    assert ended(HOOK, "J 5", 85, "def SJ SJ") == DealEnd(Level.TWO, Level.FIVE, feat=Feat.HOOK)
    assert ended(HOOK, "J 5", 165, "def SJ") == DealEnd(Level.TWO, Level.TEN, feat=Feat.HOOK)
    assert ended(HOOK, "J 5", 85, "dec SJ") == DealEnd(Level.JACK, Level.FIVE)
    assert ended(HOOK, "J 5", 80, "def SJ") == DealEnd(Level.JACK, Level.FIVE)
    assert ended(HOOK, "J 5", 85, "def SJ SQ") == DealEnd(Level.JACK, Level.FIVE)
    assert ended(HOOK, "T 5", 85, "def SJ") == DealEnd(Level.TEN, Level.FIVE)
    assert ended(HOOK, "T 5", 85, "def ST") == DealEnd(Level.TEN, Level.FIVE)


def test_an_ace_hooks_to_the_ten_unless_both_are_there() -> None:
    """§10.4, §10.5."""
    assert ended(HOOK, "A K", 90, "def CA") == DealEnd(Level.TEN, Level.KING, feat=Feat.HOOK)
    assert ended(HOOK, "A A", 90, "def CA CA") == DealEnd(
        Level.ACE, Level.ACE, Role.ATTACKERS, Feat.REVERSE_HAT
    )
    assert ended(HOOK, "A A", 80, "def CA").winner is None
    assert ended(HOOK, "J J", 85, "def CJ") == DealEnd(Level.TWO, Level.JACK, feat=Feat.HOOK)


def test_attackers_who_reach_the_goal_have_won() -> None:
    """§10.2."""
    one_pack: TricksOptions = load("single54").options
    assert ended(one_pack, "5 K", 60, "def SK") == DealEnd(Level.FIVE, Level.ACE, Role.ATTACKERS)
    assert ended(one_pack, "Q 5", 0, "dec SK") == DealEnd(Level.ACE, Level.FIVE, Role.DECLARERS)


@given(
    WITH_LADDER,
    st.tuples(st.integers(0, 12), st.integers(0, 12)),
    st.integers(0, 80).map(lambda fives: 5 * fives),
    st.sampled_from(Role),
    st.lists(st.sampled_from(CARDS), min_size=1, max_size=3),
)
def test_without_a_feat_the_table_decides(
    options: TricksOptions, places: tuple[int, int], score: int, winner: Role, cards: list[Card]
) -> None:
    """§8.4; and nobody leaves the ladder."""
    declarers, attackers = (options.ladder[place % len(options.ladder)] for place in places)
    earned = gain(options, score)
    last = LastTrick(winner, cards)
    end = deal_end(options, LevelsBefore(declarers, attackers), score, earned, last)
    assert {end.declarers, end.attackers} <= {*options.ladder}
    if end.feat is None:
        rise = advance(options, declarers, earned.declarers_up, as_declarers=True)
        assert (end.declarers, end.winner is Role.DECLARERS) == (rise.level, rise.is_won)
        assert end.attackers is advance(options, attackers, earned.attackers_up, as_declarers=False).level
    else:
        assert options.hook_levels or end.feat is Feat.HAT


@pytest.mark.parametrize("feat", Feat)
def test_feats_have_a_chinese_name(feat: Feat) -> None:
    assert not feat.name_zh.isascii()
