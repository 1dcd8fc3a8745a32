"""Numbers of enumerations that no message of ours has."""

from __future__ import annotations

import pytest

from shuangkou.rules.tricks.events import Phase
from shuangkou.wire.refusals import MalformedMessage
from shuangkou.wire.tricks.words import PHASES, trump_from_wire


def test_a_number_that_means_nothing_is_refused_with_the_field_and_what_is_allowed() -> None:
    with pytest.raises(MalformedMessage) as refused:
        PHASES.from_wire(3, "tricks.phase")
    said = str(refused.value)
    assert said.startswith("tricks.phase: 3 is no DealPhase here, only ")
    assert all(f"{int(PHASES.to_wire(phase))} {phase.name}" in said for phase in Phase)
    with pytest.raises(MalformedMessage, match=r"^trump: 99 is no Trump here, only 1 SPADES, "):
        trump_from_wire(99)
