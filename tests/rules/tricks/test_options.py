"""The rows of the trick-taking games, and rows that cannot be played."""

from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

import shuangkou
from shuangkou.rules.cards import Rank
from shuangkou.rules.ruleset import BadOptionValue, RuleSetError, available, load, parse_ruleset
from shuangkou.rules.tricks.contradictions import contradictions
from shuangkou.rules.tricks.options import (
    KittyMultiplier,
    Level,
    MatchEnd,
    Rotation,
    Scoring,
    TricksOptions,
    Window,
)

PLAIN: TricksOptions = load("multi2").options
HOOK: TricksOptions = load("hook60").options
HEAVEN: TricksOptions = load("tian5").options
EIGHT: TricksOptions = load("eight_deals").options
ROW = (Path(shuangkou.__file__).parent / "rules/rulesets/multi2.toml").read_text("utf-8")


@pytest.mark.parametrize("id", available("tricks"))
def test_the_cards_of_a_game_come_out(id: str) -> None:
    """§2.2."""
    options = load(id).options
    assert 4 * options.hand_size + options.kitty == 54 * options.decks
    assert options.players == 4


@pytest.mark.parametrize("id", available("tricks"))
def test_a_table_may_choose_its_pace_and_clocks(id: str) -> None:
    """§2.6, §11.1."""
    allowed = dict(load(id).allowed)
    assert allowed["draw_pace_ms"] == ("0", "100", "250", "500")
    options = load(id).options
    clocks = (options.lead_seconds, options.turn_seconds, options.declare_seconds, options.bury_seconds)
    assert (*clocks, options.time_bank_seconds) == (30, 20, 10, 60, 15)
    assert options.draw_pace_ms == 0


@pytest.mark.parametrize("id", available("tricks"))
def test_nobody_overturns_without_a_kitty_to_come_back_to(id: str) -> None:
    """§3.5, §3.12: after the bury there has to be one."""
    options = load(id).options
    windows = (*options.first_window, *options.later_window)
    assert options.kitty or Window.AFTER not in windows
    assert Window.AFTER in windows or not options.stir


def test_the_levels_go_up() -> None:
    """§8.4."""
    ranks = [level.rank for level in Level if level.rank is not None]
    assert all(low < high for low, high in pairwise(ranks))
    assert ranks[-1] is Rank.ACE
    assert Level.NO_TRUMP.rank is None


def test_the_super_game_is_the_online_game_with_higher_gains() -> None:
    """sheng_super."""
    online, higher = load("sheng_online").options, load("sheng_super").options
    doubled = tuple((start, 2 * up) for start, up in online.declarer_levels)
    assert replace(online, declarer_levels=doubled, stake_doubles=True) == higher


def test_a_table_may_choose_the_number_of_deals() -> None:
    """§10.6: an even number, so that both sides attack equally often."""
    choices = [int(deals) for deals in dict(load("tian5").allowed)["deals"]]
    assert all(deals % 2 == 0 for deals in choices)
    assert load("tian5").with_options({"deals": "4"}).options.deals == 4


@pytest.mark.parametrize(
    ("options", "changes", "problem"),
    [
        (PLAIN, {"decks": 5, "hand_size": 66, "kitty": 6}, "1 to 4"),
        (PLAIN, {"kitty": 7}, "108"),
        (PLAIN, {"decks": 1, "hand_size": 12, "kitty": 6}, "two packs"),
        (PLAIN, {"ladder": ()}, "ladder"),
        (PLAIN, {"scoring": Scoring.CONVERSION}, "ladder"),
        (PLAIN, {"ladder": (Level.ACE, Level.TWO)}, "go up"),
        (PLAIN, {"ladder": (Level.TWO,)}, "go up"),
        (PLAIN, {"ladder": (Level.TWO, Level.TWO)}, "go up"),
        (HOOK, {"stops": (Level.SEVEN,)}, "stops and hard"),
        (PLAIN, {"match_end": MatchEnd.REACH, "goal": Level.TWO}, "goal"),
        (PLAIN, {"fixed_trumps": (Rank.FIVE,)}, "fixed_trumps"),
        (HOOK, {"hook_falls": (Level.TWO,)}, "as many"),
        (HOOK, {"hook_falls": (Level.TWO, Level.NINE)}, "hooks"),
        (PLAIN, {"overturn": ()}, "window"),
        (PLAIN, {"first_window": (), "later_window": ()}, "window"),
        (HEAVEN, {"stir": True}, "stir"),
        (PLAIN, {"later_window": (Window.AFTER,), "decks": 2, "hand_size": 27, "kitty": 0}, "after"),
        (PLAIN, {"joker_colour": True}, "joker_colour"),
        (HEAVEN, {"fixed_trumps": ()}, "any_pair"),
        (EIGHT, {"rotation": Rotation.PARTNER_OR_NEXT}, "fixed declarers"),
        (EIGHT, {"schedule": (), "rotation": Rotation.FIXED}, "fixed declarers"),
        (PLAIN, {"turned_place": 9}, "turned_place"),
        (PLAIN, {"hand_size": 27, "kitty": 0}, "needs a kitty"),
        (PLAIN, {"declarer_levels": ((5, 2),)}, "start at 0"),
        (PLAIN, {"attacker_levels": ((40, 0),)}, "above"),
        (PLAIN, {"attacker_levels": ()}, "tables of levels"),
        (PLAIN, {"attacker_levels": ((80, 0), (80, 1))}, "tables of levels"),
        (PLAIN, {"base_stake": 10}, "multiple of 4"),
        (PLAIN, {"throw_costs_stake": True}, "base_stake"),
        (PLAIN, {"match_end": MatchEnd.DEALS}, "deals"),
        (EIGHT, {"deals": 7}, "every deal"),
        (PLAIN, {"max_deals": 0}, "max_deals"),
        (PLAIN, {"kitty_multiplier": KittyMultiplier.NONE}, "captured"),
        (HEAVEN, {"kitty_multiplier": KittyMultiplier.FLAT}, "captured"),
        (HEAVEN, {"rotation": Rotation.PARTNER_OR_NEXT}, "roles"),
        (HEAVEN, {"match_end": MatchEnd.PASS_LAST, "deals": 0}, "ladder or by deals"),
        (PLAIN, {"high_follow": True, "decks": 3, "hand_size": 39, "kitty": 6}, "high_follow"),
    ],
)
def test_options_that_contradict_each_other(
    options: TricksOptions, changes: dict[str, Any], problem: str
) -> None:
    assert contradictions(options) == []
    assert problem in "; ".join(contradictions(replace(options, **changes)))


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("kitty = 8", "kitty = 9", "kitty"),
        ('declare = "one_open"', "", "declare"),
        ("decks = 2", "decks = 2\njokers = true", "jokers"),
        ('declare = "one_open"', 'declare = "shouting"', "declare"),
        ('overturn = "pair joker_pair"', 'overturn = "pair bomb"', "overturn"),
        ("turn_seconds = [5,", 'ladder = ["2 3 1"]\nturn_seconds = [5,', "ladder"),
    ],
)
def test_a_row_that_cannot_be_played_is_refused(old: str, new: str, problem: str) -> None:
    assert old in ROW
    with pytest.raises(RuleSetError, match=problem):
        parse_ruleset(ROW.replace(old, new))


def test_a_fixed_option_cannot_be_chosen() -> None:
    with pytest.raises(BadOptionValue, match="throws"):
        load("multi2").with_options({"throws": "false"})
    assert load("multi2").with_options({"draw_pace_ms": "250"}).chosen == {"draw_pace_ms": "250"}
