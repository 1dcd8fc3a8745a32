"""`make chaos`: a storm of any length from a seed, which is printed."""

from __future__ import annotations

import argparse
import asyncio
import json
import logging
import secrets
import sys
import tempfile
from pathlib import Path

import structlog

from kit.chaos.persons import Habits
from kit.chaos.processes import Place, Size
from kit.chaos.run import Plan, run
from kit.chaos.storm import MISHAPS, Weather
from kit.keys import Keys
from kit.nursery import nursery
from shuangkou.chassis.dev_keys import create_dev_keys

_CLUSTER_NODES = 3
_PATIENCE_SECONDS = 90.0
_FAMILIES = {"kills": "kill engine", "leader": "kill broker"}


def main() -> int:
    """Exit code 1 when there are findings."""
    asked = _arguments()
    # The checker's own connection says what the storm says anyway.
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.ERROR))
    _say(f"seed {asked.seed}")
    weather = Weather(asked.seconds, asked.only, asked.calm, asked.outage)
    size = Size(asked.engines, _CLUSTER_NODES if asked.cluster else 1, asked.shards)
    with tempfile.TemporaryDirectory() as folder, nursery() as begin:
        made = create_dev_keys(Path(folder) / "keys")
        keys = Keys(made.key_set_file, made.private_key_file)
        plan = Plan(asked.seed, asked.tables, weather, size, Habits(_PATIENCE_SECONDS, asked.think))
        place = Place(Path(folder), keys, begin)
        report = asyncio.run(run(plan, place, _say))
    _say("\n".join(report.lines()))
    if asked.report:
        asked.report.write_text(json.dumps(report.as_json(), indent=2, ensure_ascii=False) + "\n")
    return 1 if report.findings else 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="make chaos", description=__doc__)
    parser.add_argument("--seed", type=int, default=secrets.randbelow(2**32), help="default: a new one")
    parser.add_argument("--seconds", type=float, default=60, help="how long the storm blows (60)")
    parser.add_argument("--tables", type=int, default=40, help="tables played at once (40)")
    parser.add_argument("--engines", type=int, default=3, help="engine processes (3)")
    parser.add_argument("--shards", type=int, default=1, help="streams that tables are spread over (1)")
    parser.add_argument("--cluster", action="store_true", help="three brokers that lose their leader")
    parser.add_argument("--calm", type=float, default=1.0, help="most seconds between two mishaps (1)")
    parser.add_argument("--outage", type=float, default=0.5, help="most seconds that a broker is down (0.5)")
    parser.add_argument("--think", type=float, default=0.0, help="mean seconds before an act (0)")
    known = f"kills, leader, {', '.join(MISHAPS)}"
    parser.add_argument("--only", type=_mishaps, default=(), help=f"mishaps, between commas: {known}")
    parser.add_argument("--report", type=Path, help="a file for the report as JSON")
    return parser.parse_args()


def _mishaps(listed: str) -> tuple[str, ...]:
    names = tuple(_FAMILIES.get(name.strip(), name.strip()) for name in listed.split(","))
    for name in names:
        if name not in MISHAPS:
            raise argparse.ArgumentTypeError(f"no mishap {name!r}")
    return names


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


sys.exit(main())
