"""Engines go 1, 3, 1 under load: in a test for a while, and by hand for as long as wished.

PYTHONPATH=tests .venv/bin/python -m kit.scaling --tables 40 --seconds 90 --report scaling.html
"""

from __future__ import annotations

import argparse
import asyncio
import os
import platform
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from prometheus_client import CollectorRegistry

from kit.keys import Keys
from kit.nats import NatsServer
from kit.ports import free_port
from kit.service_process import Launcher, launching
from kit.waiting import eventually
from shuangkou.chassis.auth import CallerKind
from shuangkou.chassis.channels import target_of
from shuangkou.chassis.dev_keys import create_dev_keys
from shuangkou.chassis.nats import Server, connect, read
from shuangkou.cli.load import LoadOptions, drive
from shuangkou.cli.load_clients import Pace
from shuangkou.cli.load_report import Report, page
from shuangkou.cli.load_tally import Tally
from shuangkou.cli.rulebook import read_game
from shuangkou.v1.events_pb2 import Commit

REPEATABLE = {"UNAVAILABLE", "CANCELLED"}
"""Why a call is sent again. CANCELLED: it came in the very moment in which an engine stopped."""
STREAM_ENDS = REPEATABLE | {"ended"}
"""Why a stream is opened again. ended: the engine ended it, as when it stops; CANCELLED: as for a call."""
_SOME_ACTS = 60


@dataclass(frozen=True, slots=True)
class Outcome:
    """What clients saw, and how often each act of theirs is in the log, by table and command."""

    tally: Tally
    stored: Counter[tuple[str, str]]

    def complaints(self, tables: int) -> list[str]:
        """What must not be: nothing where all is well."""
        tally, answered, stored = self.tally, self.tally.acts, len(self.stored)
        found = [f"{number} × {fault}" for fault, number in tally.faults.items()]
        found += [f"call sent again for {reason}" for reason in tally.repeats.keys() - REPEATABLE]
        found += [f"stream ended for {reason}" for reason in tally.streams.keys() - STREAM_ENDS]
        found += [f"{act} is stored {times} times" for act, times in self.stored.items() if times != 1]
        # What was under way at the end was stored, too, though nobody waited for the answer.
        if not answered <= stored <= answered + tables:
            found.append(f"{answered} acts were answered, {stored} are in the log")
        return found if tally.deals else [*found, "no deal was played"]


async def scale(
    launcher: Launcher,
    keys: Keys,
    options: LoadOptions,
    addresses: Sequence[str],
    say: Callable[[str], None] = lambda _: None,
) -> Outcome:
    """Play while there are one, three, two and one engines, each for a quarter of the time at least."""

    def mint(subject: str, kind: CallerKind) -> str:
        seconds = options.seconds + 600
        is_player = kind is CallerKind.PLAYER
        return keys.player(subject, seconds) if is_player else keys.service(subject, seconds)

    async def plays_on(engines: int) -> None:
        say(f"{engines} engines, {tally.acts:,} acts, {sum(tally.repeats.values())} calls sent again")
        before = tally.acts
        await asyncio.gather(
            eventually(lambda: tally.acts >= before + _SOME_ACTS, within=options.seconds),
            asyncio.sleep(pause),
        )

    pause = options.seconds / 5
    tally = Tally()
    first = await launcher.start("engine", grpc_address=addresses[0])
    playing = asyncio.create_task(drive(target_of(addresses), mint, options, tally))
    await plays_on(1)
    second, third = await asyncio.gather(
        *(launcher.start("engine", grpc_address=address) for address in addresses[1:])
    )
    await plays_on(3)
    assert await first.stop() == 0
    await plays_on(2)
    assert await second.stop() == 0
    await plays_on(1)
    await playing
    assert third.is_running
    return Outcome(tally, await _stored_acts(launcher.nats_server))


async def _stored_acts(broker: NatsServer) -> Counter[tuple[str, str]]:
    bus = await connect(Server(broker.url), "test", CollectorRegistry())
    commits = [Commit.FromString(each.payload) async for each in read(bus, "TABLES", "table.*.*.public.*")]
    await bus.close()
    return Counter((each.table_id, each.command_id) for each in commits if each.actor.startswith("load"))


def main() -> int:
    """Exit code 1 where something is that must not be."""
    asked = _arguments()
    options = LoadOptions((read_game("qq", "", 1),), asked.tables, asked.seconds, Pace(asked.think, 2))
    ports = [asked.base_port + number if asked.base_port else free_port() for number in range(4)]
    asked.data.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=asked.data) as name:
        folder = Path(name)
        made = create_dev_keys(folder / "keys")
        keys = Keys(made.key_set_file, made.private_key_file)
        broker = NatsServer(folder / "nats")
        broker.port = ports[3]
        broker.start()
        try:
            with launching(broker, keys, folder) as launcher:
                addresses = [f"127.0.0.1:{port}" for port in ports[:3]]
                outcome = asyncio.run(scale(launcher, keys, options, addresses, _say))
        finally:
            broker.stop()
    return _tell(outcome, options, asked.report)


def _tell(outcome: Outcome, options: LoadOptions, file: Path | None) -> int:
    busy = ""
    with suppress(OSError):
        busy = f", load average {os.getloadavg()[0]:.1f}"
    machine = f"{os.cpu_count()} cores, Python {platform.python_version()}{busy}"
    report = Report(outcome.tally, machine, ("qq",), options.tables)
    for row, value in report.rows:
        _say(f"{row:22} {value}")
    _say(f"{'acts in the log':22} {len(outcome.stored):,}, {sum(outcome.stored.values()):,} times in all")
    if file is not None:
        file.write_text(page(report))
    complaints = outcome.complaints(options.tables)
    _say("\n".join(complaints) or "No act was lost, and clients saw nothing but calls and streams to repeat.")
    return 1 if complaints else 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m kit.scaling", description="Engines go 1, 3, 1 under load."
    )
    parser.add_argument("--tables", type=int, default=20, help="tables played at once (20)")
    parser.add_argument("--seconds", type=float, default=60, help="how long (60)")
    parser.add_argument("--think", type=float, default=0.05, help="seconds before each act (0.05)")
    parser.add_argument("--base-port", type=int, default=0, help="first of four ports; any free ones")
    parser.add_argument(
        "--data", type=Path, default=Path(tempfile.gettempdir()), help="where files lie meanwhile"
    )
    parser.add_argument("--report", type=Path, help="a file for the page with graphs")
    return parser.parse_args()


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
