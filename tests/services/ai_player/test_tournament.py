"""The arena's arithmetic, held to players whose gain is known beforehand."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from itertools import count
from math import log10

import pytest

from shuangkou.ai_player.arena import seeds_from
from shuangkou.ai_player.arena_page import as_html
from shuangkou.ai_player.arena_report import as_text, ladder_text
from shuangkou.ai_player.climbing.opponents import PLAYERS, naive
from shuangkou.ai_player.climbing.phases import act_for
from shuangkou.ai_player.ladder import elo, ladder
from shuangkou.ai_player.personas import PLAIN
from shuangkou.ai_player.players import UnknownPlayer, names_for, player_of
from shuangkou.ai_player.tiers import BadBudget
from shuangkou.ai_player.tournament import Conduct, Played, Terms, contest, duplicate, outcome_of
from shuangkou.rules.climbing.options import ClimbingOptions, Phase
from shuangkou.rules.climbing.view import SeatView
from shuangkou.rules.commands import PlayCards
from shuangkou.rules.ruleset import available, load
from shuangkou.wire.commands import SeatAct

QQ = load("qq")
TERMS = Terms("qq", "first", "second")


def first_out_at_once(options: ClimbingOptions, view: SeatView) -> SeatAct:
    """Plays by the rules, but says that it holds nothing else: an act that the rules refuse."""
    if view.phase is Phase.PLAY and view.seat is not None and view.top is None:
        return PlayCards(view.seat, view.hand)
    return naive(options, view)


@pytest.mark.parametrize("id", ["qq", "deluxe108", "activity54", "duel52"])
def test_a_player_gains_nothing_over_itself(id: str) -> None:
    ruleset = load(id)
    player = partial(act_for, persona=PLAIN)
    for seed in seeds_from("mirror", 3):
        played = duplicate(ruleset, (player, player), seed, replace(TERMS, ruleset=id))
        assert (played.gain, played.ahead) == (0, 0.5)
        assert played.conducts[0].illegal == played.conducts[1].illegal == 0


def test_a_rigged_player_gains_exactly_what_it_is_rigged_for() -> None:
    """Each deal is worth 4, 2 or 0 to a side; who is given every deal at +2 must show +2 with no margin."""
    deals = [Played(2.0, 1.0, 0.5, _quiet()) for _ in range(50)]
    outcome = outcome_of(TERMS, "rigged", deals)
    assert (outcome.score.mean, outcome.score.low, outcome.score.high) == (2.0, 2.0, 2.0)
    assert (outcome.won.mean, outcome.ahead.mean) == (1.0, 1.0)
    assert outcome.doubled is not None
    assert outcome.doubled.mean == 0.5


def test_who_passes_all_deal_long_loses_what_the_other_gains() -> None:
    there = duplicate(QQ, (PLAYERS["naive"], PLAYERS["passive"]), bytes(32), TERMS)
    back = duplicate(QQ, (PLAYERS["passive"], PLAYERS["naive"]), bytes(32), TERMS)
    assert there.gain == -back.gain
    assert there.ahead == 1 - back.ahead


def test_acts_against_the_rules_are_counted_and_the_deal_goes_on() -> None:
    played = duplicate(QQ, (first_out_at_once, PLAYERS["naive"]), bytes(32), TERMS)
    assert played.conducts[0].illegal > 0
    assert played.conducts[1].illegal == 0


def test_an_act_that_takes_too_long_is_late() -> None:
    """On a clock on which every act takes a second."""
    ticks = count()
    slow = replace(TERMS, clock=lambda: float(next(ticks)))
    played = duplicate(QQ, (PLAYERS["naive"], PLAYERS["naive"]), bytes(32), slow)
    assert played.conducts[0].late == len(played.conducts[0].milliseconds)


def test_contests_are_the_same_in_one_process_and_in_two() -> None:
    terms, seeds = Terms("duel52", "instant", "random"), seeds_from("apart", 6)
    alone, apart = list(contest(terms, seeds)), list(contest(terms, seeds, processes=2))
    assert [deal.gain for deal in alone] == [deal.gain for deal in apart]


def test_the_rule_policy_beats_weak_players() -> None:
    for opponent, deals in (("random", 12), ("passive", 12), ("naive", 30)):
        terms = Terms("qq", "instant", opponent)
        outcome = outcome_of(terms, "weak", list(contest(terms, seeds_from("weak", deals))))
        assert outcome.score.low > 0, opponent
        assert outcome.conducts[0].illegal == 0


def test_reports_say_the_score_and_stand_alone() -> None:
    outcome = outcome_of(TERMS, "s/0 to s/1", [Played(1.0, 1, 0, _quiet()), Played(-0.5, 0, 0, _quiet())])
    text, page = as_text(outcome), as_html([outcome], ladder({("a", "b"): [1, 0, 1]}))
    assert "+0.250" in text
    assert "illegal 0, late 0" in text
    assert page.count("<svg") == 4
    assert "http" not in page


def test_players_are_known_by_name_in_their_family() -> None:
    for id in available():
        ruleset = load(id)
        for name in names_for(ruleset):
            assert callable(player_of(ruleset, name, 10))
        with pytest.raises(UnknownPlayer):
            player_of(ruleset, "nobody", 10)
    with pytest.raises(BadBudget):
        player_of(QQ, "strong", 0)


def test_elo_is_what_bradley_and_terry_say_of_two_players() -> None:
    ratings = elo(["a", "b"], {("a", "b"): [1.0] * 75 + [0.0] * 25})
    assert ratings[0] - ratings[1] == pytest.approx(400 * log10(75.5 / 25.5), abs=0.5)


def test_a_ladder_puts_the_better_player_above_and_both_within_their_interval() -> None:
    rungs = ladder({("a", "b"): [1.0, 1.0, 0.0] * 20, ("b", "c"): [1.0, 0.5] * 20, ("a", "c"): [1.0] * 40})
    assert [rung.name for rung in rungs] == ["a", "b", "c"]
    assert all(rung.low <= rung.elo <= rung.high for rung in rungs)
    assert "a" in ladder_text(rungs)


def _quiet() -> tuple[Conduct, Conduct]:
    return Conduct([1.0]), Conduct([2.0])
