"""`make chaos`: a storm of any length from a seed, which is printed."""

from __future__ import annotations

import argparse
import asyncio
import secrets
import sys
import tempfile
from pathlib import Path

from kit.chaos.run import Plan, run
from kit.keys import Keys
from shuangkou.chassis.dev_keys import create_dev_keys


def main() -> int:
    """Exit code 1 when there are findings."""
    parser = argparse.ArgumentParser(prog="make chaos", description=__doc__)
    parser.add_argument("--seed", type=int, default=secrets.randbelow(2**32), help="default: a new one")
    parser.add_argument("--seconds", type=float, default=60, help="how long the storm blows (60)")
    parser.add_argument("--tables", type=int, default=40, help="tables played at once (40)")
    parser.add_argument("--engines", type=int, default=3, help="engine processes (3)")
    asked = parser.parse_args()
    _say(f"seed {asked.seed}")
    plan = Plan(asked.seed, asked.seconds, asked.tables, asked.engines)
    with tempfile.TemporaryDirectory() as folder:
        made = create_dev_keys(Path(folder) / "keys")
        keys = Keys(made.key_set_file, made.private_key_file)
        report = asyncio.run(run(plan, keys, Path(folder), _say))
    _say("\n".join(report.lines()))
    return 1 if report.findings else 0


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


sys.exit(main())
