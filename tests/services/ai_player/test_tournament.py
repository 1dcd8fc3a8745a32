"""The arena's arithmetic, held to players whose gain is known beforehand."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from itertools import count
from math import log10
from xml.etree import ElementTree

import pytest

from shuangkou.ai_player.arena import seeds_from
from shuangkou.ai_player.arena_page import as_html
from shuangkou.ai_player.arena_report import as_text, ladder_text, run_of
from shuangkou.ai_player.climbing.opponents import PLAYERS, naive
from shuangkou.ai_player.climbing.phases import act_for
from shuangkou.ai_player.ladder import elo, ladder
from shuangkou.ai_player.personas import PLAIN
from shuangkou.ai_player.players import UnknownPlayer, is_searching, names_for, player_of
from shuangkou.ai_player.tiers import BadBudget
from shuangkou.ai_player.tournament import Conduct, Played, Terms, contest, duplicate, outcome_of
from shuangkou.rules.climbing.options import ClimbingOptions, Phase
from shuangkou.rules.climbing.view import SeatView
from shuangkou.rules.commands import PlayCards, StartDeal
from shuangkou.rules.decider import decider_for
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


@pytest.mark.parametrize(("budget_ms", "late_after"), [(1, 6), (50, 55), (200, 220)])
def test_a_search_is_late_a_tenth_or_five_milliseconds_beyond_its_budget(
    budget_ms: float, late_after: float
) -> None:
    terms = Terms("qq", "strong", "instant", budget_ms)
    assert terms.most_ms("strong") == pytest.approx(late_after)
    assert terms.most_ms("veteran") == pytest.approx(late_after)
    assert terms.most_ms("instant") == terms.most_ms("plain") == 50


@pytest.mark.parametrize(("milliseconds", "is_late"), [(54, False), (56, True)])
def test_acts_beyond_the_budget_are_counted(milliseconds: int, is_late: bool) -> None:
    """A search of 50 ms on a clock on which each act takes as long as is said; nobody else is late."""
    ticks = count(step=milliseconds)
    terms = Terms("duel52", "strong", "first", 50, lambda: next(ticks) / 1000)
    played = duplicate(load("duel52"), (PLAYERS["naive"], PLAYERS["naive"]), bytes(32), terms)
    searching = played.conducts[0]
    assert searching.late == (len(searching.milliseconds) if is_late else 0)
    assert outcome_of(terms, "two", [played, played]).is_faulty


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


def test_a_report_says_what_its_number_means() -> None:
    deals = [Played(1.0, 1, 0, _quiet()), Played(-0.5, 0, 0, _quiet())]
    levels, points = (as_text(outcome_of(Terms(id, "a", "b"), "s", deals)) for id in ("multi2", "qq"))
    assert levels.startswith("a gains +0.250 levels a deal on b (95 % interval -9.280 to +9.780): nothing is")
    assert "half of the levels by which a seat of a ends a deal above one of b" in levels
    assert "won double" not in levels
    assert points.startswith("a gains +0.250 points a deal")
    assert "won double" in points
    assert "match points" in as_text(outcome_of(Terms("tian5", "a", "b"), "s", deals))


def test_deals_that_are_all_alike_have_no_interval() -> None:
    said = as_text(outcome_of(TERMS, "s", [Played(6.0, 1, 0, _quiet())] * 2))
    assert said.startswith(
        "first gains +6.000 points a deal on second (no interval: all 2 deals brought just"
    )
    assert "[6.0" not in said


def test_what_was_stopped_says_so() -> None:
    deals = [Played(1.0, 1, 0, _quiet()), Played(-0.5, 0, 0, _quiet())]
    stopped, whole = outcome_of(TERMS, "s", deals, planned=9), outcome_of(TERMS, "s", deals, planned=2)
    for said in (as_text(stopped), as_html([stopped])):
        assert "stopped early, after 2 of 9 deals" in said
    assert "stopped" not in as_text(whole) + as_html([whole])


@pytest.mark.parametrize("deals", [2, 9, 11, 1500])
@pytest.mark.parametrize("gain", [-3.0, 0.0, 0.0625])
def test_a_page_is_well_formed_whatever_was_found(deals: int, gain: float) -> None:
    found = [Played(gain * (number % 5), 1, 0, _quiet()) for number in range(deals)]
    terms = Terms("multi2", "strong", "<b>", 20)
    page = as_html([outcome_of(terms, "s", found)], run=run_of("shuangkou arena strong '<b>'"))
    tree = ElementTree.fromstring(page.removeprefix("<!doctype html>"))
    plots = tree.findall(".//svg")
    assert len(plots) == 3
    assert all(plot.get("aria-label") and plot.find("title") is not None for plot in plots)
    assert not {"nan", "inf"} & {
        word for plot in plots for node in plot.iter() for word in node.attrib.values()
    }
    assert all(plot.findall("line[@class='zero']") for plot in plots)
    assert {"script", "link", "img"}.isdisjoint({node.tag for node in tree.iter()})


def test_the_page_of_a_ladder_shows_it() -> None:
    outcome = outcome_of(TERMS, "s", [Played(1.0, 1, 0, _quiet()), Played(-0.5, 0, 0, _quiet())])
    page = as_html([outcome], ladder({("first", "second"): [1.0] * 9}))
    assert "first stands highest" in page
    assert "Elo with 95 % intervals" in page


def test_players_are_known_by_name_in_their_family() -> None:
    for id in available():
        ruleset = load(id)
        for name in names_for(ruleset):
            assert callable(player_of(ruleset, name, 10))
        with pytest.raises(UnknownPlayer):
            player_of(ruleset, "nobody", 10)
    with pytest.raises(BadBudget):
        player_of(QQ, "strong", 0)


def test_who_searches_is_known() -> None:
    for id in ("qq", "multi2"):
        searching = {name for name in names_for(load(id)) if is_searching(load(id), name)}
        assert searching == {"strong", "critic", "veteran"}


def test_a_persona_that_searches_does_what_its_search_finds() -> None:
    """The budget reaches it: on a clock that stands still it looks at all worlds there are to look at."""
    readings: list[float] = []

    def clock() -> float:
        readings.append(0.0)
        return 0.0

    decider = decider_for(QQ)
    state = decider.new_match(QQ)
    for event in decider.decide(state, StartDeal(bytes(32))):
        state = decider.evolve(state, event)
    view = decider.observe(state, decider.actors(state)[0])
    player_of(QQ, "plain", 50, clock)(QQ.options, view)
    assert not readings
    player_of(QQ, "veteran", 50, clock)(QQ.options, view)
    assert len(readings) > 10


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


@pytest.mark.parametrize("deals", [2, 20, 400])
def test_who_won_every_deal_has_no_certain_rating(deals: int) -> None:
    above, below = ladder({("a", "b"): [1.0] * deals})
    for rung in (above, below):
        assert rung.low < rung.elo < rung.high
    assert above.high - above.low > 300
    assert above.elo == pytest.approx(200 * log10((deals + 0.5) / 0.5), abs=0.5)


def test_an_interval_of_elo_is_that_of_jeffreys_for_all_or_nothing() -> None:
    """60 of 100: 0.502 to 0.692 by Jeffreys (Brown, Cai and DasGupta 2001)."""
    above, _ = ladder({("a", "b"): [1.0] * 60 + [0.0] * 40}, rounds=4000)
    low, high = (1 / (1 + 10 ** (-2 * bound / 400)) for bound in (above.low, above.high))
    assert [low, high] == pytest.approx([0.502, 0.692], abs=0.01)
