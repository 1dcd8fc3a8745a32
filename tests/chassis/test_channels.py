"""A client of several replicas does not notice that one of them dies."""

from __future__ import annotations

import json
from itertools import islice
from pathlib import Path

from shuangkou.chassis.channels import CHANNEL_OPTIONS, attempts

_DOCS = Path(__file__).parents[2] / "docs" / "clients.md"


def test_the_second_attempt_comes_at_once_and_later_ones_after_at_most_half_a_second() -> None:
    first, *later = islice(attempts(), 12)
    assert (first.seconds, first.pause) == (2.0, 0.0)
    assert all(0 < attempt.pause <= 0.5 for attempt in later)
    assert [attempt.seconds for attempt in later[:3]] == [4.0, 8.0, 8.0]


def test_what_is_recommended_is_what_we_do() -> None:
    text = _DOCS.read_text()
    options = dict(CHANNEL_OPTIONS)
    config = text.partition("```json\n")[2].partition("```")[0]
    assert json.loads(config) == json.loads(str(options.pop("grpc.service_config")))
    del options["grpc.enable_http_proxy"]
    for name, value in options.items():
        assert f"| `{name}` | {value} |" in text
