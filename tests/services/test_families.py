"""Services host games of any family without knowing which: one place in each chooses who knows."""

from __future__ import annotations

import re
from contextlib import suppress
from functools import reduce
from pathlib import Path

import pytest

import shuangkou
from shuangkou.ai_player.families import mind_for
from shuangkou.rules.commands import StartDeal
from shuangkou.rules.decider import decider_for
from shuangkou.rules.errors import IllegalCommand
from shuangkou.rules.ruleset import available, load
from shuangkou.rules.seats import SEATS
from shuangkou.v1.table_pb2 import ActRequest, LegalAct
from shuangkou.wire.commands import act_of
from shuangkou.wire.families import codec_for
from shuangkou.wire.refusals import MalformedMessage

SERVICES = Path(shuangkou.__file__).parent
FAMILY = re.compile(r"\b(climbing|tricks)\b", re.IGNORECASE)
HOSTS = ("engine", "matchmaking", "scoring")
MINDS = ("climbing", "tricks")
"""The packages of `ai_player` that each know one family."""


def mentions(folder: Path, apart_from: tuple[str, ...] = ()) -> dict[str, list[str]]:
    """Lines that name a family, by file."""
    found = {}
    for path in sorted(folder.rglob("*.py")):
        if path.relative_to(folder).parts[0] in apart_from:
            continue
        lines = [line for line in path.read_text("utf-8").splitlines() if FAMILY.search(line)]
        if lines:
            found[path.relative_to(folder).as_posix()] = lines
    return found


@pytest.mark.parametrize("service", HOSTS)
def test_a_host_names_no_family(service: str) -> None:
    assert mentions(SERVICES / service) == {}


def test_the_bots_choose_a_mind_in_one_place() -> None:
    assert set(mentions(SERVICES / "ai_player", apart_from=MINDS)) == {"families.py"}


@pytest.mark.parametrize(("mind", "other"), [MINDS, MINDS[::-1]])
def test_a_mind_knows_its_own_family_only(mind: str, other: str) -> None:
    for lines in mentions(SERVICES / "ai_player" / mind).values():
        assert not [line for line in lines if re.search(rf"\.{other}\b", line)]


@pytest.mark.parametrize("ruleset_id", available())
def test_an_act_of_any_game_is_refused_where_it_is_none(ruleset_id: str) -> None:
    """Whoever sends it may be mistaken about the game, and about the seats that it is played on."""
    ruleset = load(ruleset_id)
    decider = decider_for(ruleset)
    blank = decider.new_match(ruleset)
    dealt = reduce(decider.evolve, decider.decide(blank, StartDeal(bytes(32))), blank)
    for state in (blank, dealt):
        for kind in LegalAct.DESCRIPTOR.fields_by_name:
            for seat in SEATS:
                carrier = ActRequest()
                getattr(carrier, kind).SetInParent()
                with suppress(MalformedMessage, IllegalCommand):
                    decider.decide(state, act_of(carrier, seat))


@pytest.mark.parametrize("ruleset_id", available())
def test_every_ruleset_has_a_decider_a_codec_and_a_mind(ruleset_id: str) -> None:
    ruleset = load(ruleset_id)
    assert decider_for(ruleset).new_match(ruleset).deal is None
    assert callable(codec_for(ruleset).put_view)
    assert callable(mind_for(ruleset).act)
