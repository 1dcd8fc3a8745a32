"""`make hostile`: any number of hostile requests from a seed, which is printed."""

from __future__ import annotations

import argparse
import asyncio
import secrets
import sys
import tempfile
from pathlib import Path

from kit.hostile.run import Plan, run
from kit.keys import Keys
from shuangkou.chassis.dev_keys import create_dev_keys


def main() -> int:
    """Exit code 1 when there are findings."""
    parser = argparse.ArgumentParser(prog="make hostile", description=__doc__)
    parser.add_argument("--seed", type=int, default=secrets.randbelow(2**32), help="default: a new one")
    parser.add_argument("--requests", type=int, default=1_000_000, help="how many (1,000,000)")
    asked = parser.parse_args()
    _say(f"seed {asked.seed}")
    with tempfile.TemporaryDirectory() as folder:
        made = create_dev_keys(Path(folder) / "keys")
        keys = Keys(made.key_set_file, made.private_key_file)
        report = asyncio.run(run(Plan(asked.seed, asked.requests), keys, Path(folder), _say))
    _say("\n".join(report.lines()))
    return 1 if report.findings else 0


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


sys.exit(main())
