"""The six temperaments (几种心态) differ in tricks too, by counting what they do in the same places."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from itertools import combinations

import pytest

from kit.core_tricks import ready_to_play
from kit.effort import rounds
from kit.tricks_table import DECIDER, fold
from shuangkou.ai_player.personas import PERSONAS, PLAIN, Persona, persona_of
from shuangkou.ai_player.tricks.core_policy import weights_of
from shuangkou.ai_player.tricks.phases import act_for
from shuangkou.fastplay.tricks.desk import DRAW, LEADS
from shuangkou.rules.commands import PlayCards
from shuangkou.rules.ruleset import TricksRuleSet, load
from shuangkou.rules.seats import partner
from shuangkou.rules.tricks.events import Phase
from shuangkou.rules.tricks.legal_acts import legal_acts_in_view
from shuangkou.rules.tricks.point_cards import points_of
from shuangkou.rules.tricks.view import SeatView, Standing

MULTI2: TricksRuleSet = load("multi2")
OPTIONS = MULTI2.options


@cache
def places() -> tuple[SeatView, ...]:
    """Views in the course of deals that `plain` plays, wherever cards are to be played."""
    found: list[SeatView] = []
    for number in range(rounds(few=10, many=200)):
        state = ready_to_play(MULTI2, number)
        while state.deal is not None:
            view = DECIDER.observe(state, DECIDER.actors(state)[0])
            if view.phase is Phase.PLAY:
                found.append(view)
            state = fold(state, DECIDER.decide(state, act_for(OPTIONS, view, PLAIN)))
    return tuple(found)


@cache
def plays_of(persona: Persona) -> tuple[PlayCards, ...]:
    """What the persona plays there at once."""
    acts = [act_for(OPTIONS, view, persona) for view in places()]
    return tuple(act for act in acts if isinstance(act, PlayCards))


def rate(
    persona: Persona, counts: Callable[[SeatView], bool], does: Callable[[SeatView, PlayCards], bool]
) -> float:
    """The share of such places in which the persona does that."""
    found = [does(view, act) for view, act in zip(places(), plays_of(persona), strict=True) if counts(view)]
    assert len(found) >= 40
    return sum(found) / len(found)


def may_feed(view: SeatView) -> bool:
    """The partner takes the trick so far, and the seat can add points or not."""
    if view.seat is None or not view.trick or view.best != partner(view.seat):
        return False
    follows = legal_acts_in_view(OPTIONS, view).follows
    return follows is not None and len({bool(points_of(cards)) for cards in follows.plays}) == 2


def feeds(_: SeatView, act: PlayCards) -> bool:
    return bool(points_of(act.cards))


def strays(persona: Persona) -> float:
    """How often it plays something else than the sound play."""
    acts = zip(plays_of(persona), plays_of(PLAIN), strict=True)
    return sum(mine != sound for mine, sound in acts) / len(places())


@pytest.mark.parametrize(
    "pair", tuple(combinations(PERSONAS, 2)), ids=lambda pair: f"{pair[0].id}-{pair[1].id}"
)
def test_every_two_play_differently_in_the_same_places(pair: tuple[Persona, Persona]) -> None:
    one, other = map(plays_of, pair)
    differing = sum(mine != yours for mine, yours in zip(one, other, strict=True))
    assert differing >= 0.005 * len(places())


def test_who_cares_little_or_too_much_strays_far_from_the_sound_play() -> None:
    straying = {persona.id: strays(persona) for persona in PERSONAS}
    wild = {id for id, share in straying.items() if share > 0.15}
    assert wild == {"carefree", "tilt"}
    assert all(straying[id] < 0.08 for id in straying.keys() - wild)


def test_tilt_throws_its_points_after_its_partner_and_steady_keeps_them() -> None:
    feeding = {id: rate(persona_of(id), may_feed, feeds) for id in ("steady", "plain", "tilt")}
    assert feeding["steady"] < feeding["tilt"] - 0.05
    assert feeding["steady"] <= feeding["plain"] <= feeding["tilt"]


def test_tilt_wants_the_lead_and_trumps_more_once_it_is_behind() -> None:
    view, tilt = places()[0], persona_of("tilt")
    level = replace(view, standing=Standing(deals_played=1))
    behind = replace(view, standing=Standing(deals_played=1, totals=(-2, -2, -2, -2)))
    for weight in (LEADS, DRAW):
        assert weights_of(tilt, behind)[weight] > weights_of(tilt, level)[weight]
        assert weights_of(tilt, level)[weight] > weights_of(PLAIN, level)[weight]
    assert (weights_of(PLAIN, behind) == weights_of(PLAIN, level)).all()
