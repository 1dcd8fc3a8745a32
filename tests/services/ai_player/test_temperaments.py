"""The six temperaments (几种心态) differ, by counting what they do in the same places."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from itertools import combinations

import pytest

from kit.core_deals import DECIDER, after, ready_to_play
from kit.effort import rounds
from shuangkou.ai_player.climbing.core_policy import Act, weights_of
from shuangkou.ai_player.climbing.mood import MOST_GRUDGES, grudges
from shuangkou.ai_player.climbing.phases import act_for
from shuangkou.ai_player.personas import PERSONAS, PLAIN, Persona, persona_of
from shuangkou.ai_player.sayings import SAYINGS, Occasion
from shuangkou.ai_player.tiers import Tier
from shuangkou.fastplay.climbing.desk import BOMB, LEAD
from shuangkou.rules.climbing.legal_acts import legal_acts_in_view
from shuangkou.rules.climbing.move_table import move_table
from shuangkou.rules.climbing.state import MatchState
from shuangkou.rules.climbing.view import SeatView, Standing
from shuangkou.rules.commands import Pass, PlayCards
from shuangkou.rules.ruleset import load
from shuangkou.rules.seats import Seat, partner

QQ = load("qq")
Counted = Callable[[SeatView], bool]


@cache
def places() -> tuple[SeatView, ...]:
    """Views in the course of deals that `plain` plays, wherever there is a choice."""
    found: list[SeatView] = []
    for number in range(rounds(few=12, many=200)):
        state: MatchState = ready_to_play(QQ, number)
        while state.deal is not None:
            view = DECIDER.observe(state, state.deal.turn)
            legal = legal_acts_in_view(QQ.options, view)
            if len(legal) + legal.may_pass > 1:
                found.append(view)
            state = after(state, act_for(QQ.options, view, PLAIN))
    return tuple(found)


@cache
def acts_of(persona: Persona) -> tuple[Act, ...]:
    """What the persona does there at once."""
    acts = [act_for(QQ.options, view, persona) for view in places()]
    return tuple(act for act in acts if isinstance(act, PlayCards | Pass))


def is_bomb(act: Act) -> bool:
    table = move_table(QQ.options)
    row = table.classify(act.cards) if isinstance(act, PlayCards) else None
    return row is not None and table.combinations[row].is_bomb


def rate(persona: str, counts: Counted, does: Callable[[Act], bool]) -> float:
    """The share of such places in which the persona does that."""
    acts = zip(places(), acts_of(persona_of(persona)), strict=True)
    found = [does(act) for view, act in acts if counts(view)]
    assert len(found) >= 40
    return sum(found) / len(found)


def has_bomb_to_play(view: SeatView) -> bool:
    return view.top is not None and any(
        play.combination.is_bomb for play in legal_acts_in_view(QQ.options, view)
    )


def is_partners_trick(view: SeatView) -> bool:
    return view.seat is not None and view.top is not None and view.top.seat == partner(view.seat)


def is_pass(act: Act) -> bool:
    return isinstance(act, Pass)


@pytest.mark.parametrize(
    "pair", tuple(combinations(PERSONAS, 2)), ids=lambda pair: f"{pair[0].id}-{pair[1].id}"
)
def test_every_two_act_differently_in_the_same_places(pair: tuple[Persona, Persona]) -> None:
    one, other = map(acts_of, pair)
    differing = sum(mine != yours for mine, yours in zip(one, other, strict=True))
    assert differing >= 0.01 * len(places())


def test_bombs_fly_from_tilt_and_stay_with_steady() -> None:
    bombing = {persona.id: rate(persona.id, has_bomb_to_play, is_bomb) for persona in PERSONAS}
    assert max(bombing, key=lambda id: bombing[id]) == "tilt"
    assert min(bombing, key=lambda id: bombing[id]) == "steady"
    assert bombing["tilt"] > 1.5 * bombing["steady"]


def test_the_veteran_leaves_more_to_its_partner_than_the_critic() -> None:
    leaving = {persona.id: rate(persona.id, is_partners_trick, is_pass) for persona in PERSONAS}
    assert leaving["veteran"] > leaving["critic"] > 0


def test_who_cares_little_strays_furthest_from_the_sound_act() -> None:
    def strays(persona: str) -> float:
        acts = zip(acts_of(persona_of(persona)), acts_of(PLAIN), strict=True)
        return sum(mine != sound for mine, sound in acts) / len(places())

    assert strays("carefree") > 0.1 > strays("veteran")


def test_they_take_their_time_in_the_order_of_their_calm() -> None:
    middle = {persona.id: sum(persona.think_seconds) / 2 for persona in PERSONAS}
    order = sorted(middle, key=lambda id: middle[id])
    assert order == ["tilt", "carefree", "plain", "critic", "veteran", "steady"]


def test_only_those_who_count_search() -> None:
    searching = {persona.id for persona in PERSONAS if persona.tier is Tier.STRONG}
    assert searching == {"critic", "veteran"}


def losing(view: SeatView, *, lost_last: bool, is_behind: bool) -> SeatView:
    """The view after other deals."""
    seat = view.seat
    assert seat is not None
    head = Seat((seat + 1) % 4) if lost_last else seat
    totals = tuple(-4 if is_behind and other % 2 == seat % 2 else 0 for other in range(4))
    return replace(view, standing=Standing(deals_played=1, totals=totals, last_head=head), history=())


def test_tilt_follows_recent_results() -> None:
    view, tilt = places()[0], persona_of("tilt")
    calm = losing(view, lost_last=False, is_behind=False)
    angry = losing(view, lost_last=True, is_behind=False)
    furious = losing(view, lost_last=True, is_behind=True)
    assert [grudges(one) for one in (calm, angry, furious)] == [0, 1, 2]
    leads = [weights_of(tilt, one)[LEAD] for one in (calm, angry, furious)]
    bombs = [weights_of(tilt, one)[BOMB] for one in (calm, angry, furious)]
    assert leads == sorted(leads)
    assert bombs == sorted(bombs, reverse=True)
    assert len(set(leads)) == len(set(bombs)) == 3
    assert (weights_of(PLAIN, calm) == weights_of(PLAIN, furious)).all()


def test_a_bomb_against_it_is_a_grudge_in_this_deal_only() -> None:
    bombed = [view for view in places() if grudges(view)]
    assert bombed
    assert all(
        any(bomb.seat % 2 != view.seat % 2 for bomb in view.bombs) for view in bombed if view.seat is not None
    )
    assert max(map(grudges, places())) <= MOST_GRUDGES


def test_lines_are_said_in_both_languages_by_who_talks() -> None:
    assert set(SAYINGS) == {persona.id for persona in PERSONAS}
    assert not SAYINGS["steady"]
    assert not SAYINGS["veteran"]
    for sayings in SAYINGS.values():
        for saying in sayings:
            assert saying.en.isascii()
            assert len(saying.en) + 2 * len(saying.zh) <= 62
            assert any("\u4e00" <= letter <= "\u9fff" for letter in saying.zh)
    assert {saying.occasion for lines in SAYINGS.values() for saying in lines} == set(Occasion)
