"""The client that docs/clients.md shows does what is said of it."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from kit.bot_tables import Tables
from kit.keys import Keys
from kit.service_process import Launcher, ServiceProcess
from kit.waiting import eventually
from shuangkou.v1.ai_pb2 import SuggestActResponse
from shuangkou.v1.table_pb2 import ActRequest

SECTION = (Path(__file__).parents[3] / "docs" / "clients.md").read_text().partition("## Advice")[2]


def shown() -> Callable[..., Awaitable[list[str]]]:
    """The function of the example."""
    (example,) = re.findall(r"```python\n(.*?)```", SECTION, re.DOTALL)
    names: dict[str, Any] = {}
    exec(compile(example, "docs/clients.md", "exec"), names)  # our own document
    found: Callable[..., Awaitable[list[str]]] = names["advice"]
    return found


async def test_the_example_gets_advice(
    launcher: Launcher, engine: ServiceProcess, tables: Tables, keys: Keys
) -> None:
    ai_player = await launcher.start("ai_player", engine_target=engine.target)
    table_id = await tables.open("host", "plain", "plain", "plain")

    async def is_hosts_turn() -> bool:
        return 0 in (await tables.view(table_id)).next.seats

    await eventually(is_hosts_turn, 120)
    lines = await shown()(engine.target, ai_player.target, keys.player("host"), table_id, 0)
    assert lines
    assert len({*lines}) == len(lines)
    assert all(
        re.match(r"(play_cards|pass_turn)( [+-]\S+ ± \S+ points)?: [a-z].* · ", line) for line in lines
    )


@pytest.mark.parametrize("code", re.findall(r"`(ai/\w+)`", SECTION))
def test_refusals_that_are_named_exist(code: str) -> None:
    advisor = Path(__file__).parents[3] / "services" / "shuangkou" / "ai_player" / "advisor.py"
    assert f'"{code}"' in advisor.read_text()


@pytest.mark.parametrize("field", SuggestActResponse.DESCRIPTOR.fields_by_name)
def test_a_suggestion_fits_into_an_act(field: str) -> None:
    own, act = (message.DESCRIPTOR.fields_by_name[field] for message in (SuggestActResponse, ActRequest))
    assert own.message_type is act.message_type
