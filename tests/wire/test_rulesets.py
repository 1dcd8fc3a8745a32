"""Rulesets on the wire."""

from __future__ import annotations

import pytest

from shuangkou.rules.ruleset import available, load
from shuangkou.wire.rulesets import ruleset_to_wire


@pytest.mark.parametrize("ruleset_id", available())
def test_a_ruleset_shows_every_option_with_its_choices_and_meaning(ruleset_id: str) -> None:
    ruleset = load(ruleset_id)
    message = ruleset_to_wire(ruleset)
    assert (message.id, message.revision, message.family) == (ruleset.id, ruleset.revision, ruleset.family)
    assert (message.name.en, message.name.zh) == (ruleset.name_en, ruleset.name_zh)
    assert message.rulings == ruleset.rulings
    assert len(message.options) == len(ruleset.option_rows)
    for shown, option in zip(message.options, ruleset.option_rows, strict=True):
        assert (shown.key, shown.value, shown.kind) == (option.key, option.value, option.kind.value)
        assert tuple(shown.allowed) == option.allowed
        assert (shown.description.en, shown.description.zh) == (option.description_en, option.description_zh)


def test_every_shown_choice_can_be_chosen() -> None:
    for option in ruleset_to_wire(load("qq")).options:
        for value in option.allowed:
            rows = load("qq").with_options({option.key: value}).option_rows
            assert next(row.value for row in rows if row.key == option.key) == value
