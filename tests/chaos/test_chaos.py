"""Nothing that was answered is lost, doubled or reordered while processes die, freeze and go unheard.

`make chaos` does the same for longer; the modules `kit.chaos.laws_of_*` name the laws.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from kit.chaos.persons import Habits
from kit.chaos.processes import Place
from kit.chaos.run import Plan, run
from kit.chaos.storm import Weather
from kit.keys import Keys
from kit.service_process import Begin

_SEED = 20
_IMPATIENT = Habits(patience_seconds=5, think_seconds=0)


@pytest.fixture
def place(tmp_path: Path, keys: Keys, begin: Begin) -> Place:
    """Where this run takes place."""
    return Place(tmp_path, keys, begin)


def _silent(_line: str) -> None:
    """Progress is for people who wait."""


@pytest.mark.timeout(300)
async def test_a_suite_under_fire_keeps_every_answered_act(place: Place) -> None:
    report = await run(Plan(_SEED, at_once=12, weather=Weather(seconds=12)), place, _silent)
    assert not report.findings, "\n".join(report.lines())
    assert report.mishaps["kill engine"]
    assert len(report.history.acks) > 500


_LOST = frozenset(("acked is stored", "nobody sees what is not stored"))
_DOUBLED = frozenset(("versions are 1, 2, 3, …", "a turn has one winner", "a command is done once"))


@pytest.mark.timeout(300)
@pytest.mark.parametrize(
    ("mutation", "mishap", "laws"),
    [
        ("unchecked", "lose answer", _DOUBLED),
        ("early", "kill engine", _LOST | {"a table is answered for"}),
        ("credulous", "lose publish", _LOST),
        ("forgetful", "kill engine", frozenset(("refused changes nothing",)) | _DOUBLED),
        ("deaf", "kill scoring", frozenset(("a stream has no gap and no repeat",))),
        ("indiscreet", "kill ai_player", frozenset(("hidden cards stay hidden",))),
        ("double", "kill matchmaking", frozenset(("a deal is settled once",))),
    ],
)
async def test_a_service_without_a_safeguard_is_found_out(
    place: Place, mutation: str, mishap: str, laws: frozenset[str]
) -> None:
    weather = Weather(seconds=2, mishaps=(mishap,), longest_calm=0.5)
    plan = Plan(_SEED, at_once=4, weather=weather, habits=_IMPATIENT, mutation=mutation)
    report = await run(plan, place, _silent)
    assert laws & {finding.law for finding in report.findings}, "\n".join(report.lines())
