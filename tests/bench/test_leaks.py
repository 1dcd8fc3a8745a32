"""An engine's memory over a hundred thousand acts, ten thousand given-up streams and ten thousand tables."""

from pathlib import Path

import pytest

from bench.soak import Growth, Soak, growth
from bench.suite import Callers, broker_and_launcher, client_of
from kit.keys import Keys

ACTS = 100_000
WATCHES = 10_000
TABLES = 10_000


@pytest.mark.timeout(3600)
async def test_memory_grows_with_nothing(keys: Keys, tmp_path: Path) -> None:
    """One engine does it all, one after another."""
    grown: list[Growth] = []
    with broker_and_launcher(keys, tmp_path) as launcher:
        process = await launcher.start("engine", idle_table_seconds="1")
        async with client_of(process, Callers.made_with(keys)) as engine:
            soak = Soak(engine)
            for what, work, total in (
                ("acts (tables played out)", soak.acts, ACTS),
                ("watches cancelled", soak.watches, WATCHES),
                ("tables opened", soak.tables, TABLES),
            ):
                grown.append(await growth(what, process, work, total))
                print(f"\n{grown[-1]}", end="")
    print("\n(what, how many, memory after the warm-up, at the end, bytes for each)")
