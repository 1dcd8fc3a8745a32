"""The chance of a draw is openskill's."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from openskill.models import PlackettLuce

from shuangkou.matchmaking.quality import Skill, draw_probability

SKILLS = st.builds(Skill, st.floats(0, 60), st.floats(0.5, 10))
SIDES = st.integers(1, 2).flatmap(
    lambda size: st.tuples(*(st.lists(SKILLS, min_size=size, max_size=size) for _ in range(2)))
)


@given(SIDES)
def test_it_is_what_openskill_predicts(sides: tuple[list[Skill], list[Skill]]) -> None:
    model = PlackettLuce()
    teams = [[model.rating(mu=skill.mu, sigma=skill.sigma) for skill in side] for side in sides]
    assert draw_probability(*sides) == pytest.approx(model.predict_draw(teams), abs=1e-9)
