"""How an engine's memory grows with what it has done, once it has done so much of it that it is warm."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from itertools import count
from statistics import linear_regression

import grpc

from bench.scripted import PLAYERS, ScriptedAct
from bench.suite import Engine
from kit.metrics_page import sampled
from kit.service_process import ServiceProcess
from kit.waiting import eventually
from shuangkou.v1 import table_pb2

STEPS = 12
_AT_ONCE = 16
_SETTLE_SECONDS = 120.0
_TOO_SLOW = (grpc.StatusCode.ABORTED, grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.DEADLINE_EXCEEDED)

Work = Callable[[int], Awaitable[int]]
"""Does at least so much of something, and says how much it was."""


@dataclass(frozen=True, slots=True)
class Growth:
    """`samples`: how much was done, and the bytes that the engine held then, after each step."""

    what: str
    samples: tuple[tuple[int, int], ...]

    @property
    def per_unit(self) -> float:
        """Bytes for each unit of work after the warm-up: the slope of the straight line that fits best."""
        xs, ys = zip(*self._warm, strict=True)
        return linear_regression(xs, ys).slope

    @property
    def _warm(self) -> tuple[tuple[int, int], ...]:
        return self.samples[len(self.samples) // 3 :]

    def __str__(self) -> str:
        done, held = self.samples[-1]
        begin, first = self._warm[0]
        return (
            f"| {self.what:<28} | {done:>8,} | {first / 2**20:>6.1f} MiB after {begin:,} "
            f"| {held / 2**20:>6.1f} MiB | {self.per_unit:>8.1f} |"
        )


async def growth(what: str, process: ServiceProcess, work: Work, total: int, steps: int = STEPS) -> Growth:
    """Do so much of it in steps; between two of them everything may leave the engine's memory."""
    done, samples = 0, []
    for _ in range(steps):
        done += await work(total // steps)
        await eventually(lambda: _is_idle(process), within=_SETTLE_SECONDS)
        samples.append((done, process.resident_bytes))
    return Growth(what, tuple(samples))


async def _is_idle(process: ServiceProcess) -> bool:
    names = ("shuangkou_engine_tables_warm", "shuangkou_engine_watch_streams")
    return not any([await asyncio.to_thread(sampled, process, name) for name in names])


class Soak:
    """Work for one engine."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._numbers = count()

    async def acts(self, wanted: int) -> int:
        """Whole deals of four people, each at a table of its own, which is then over."""
        done = 0
        while done < wanted:
            scripts = [await self._engine.new_script() for _ in range(_AT_ONCE)]
            done += sum(await asyncio.gather(*(self._play(script) for script in scripts)))
        return done

    async def watches(self, wanted: int) -> int:
        """Streams of one table that are given up after their first message."""
        table_id = (await self._engine.new_script(1))[0].request.table_id
        await self._at_once(wanted, lambda: self._watch(table_id))
        return wanted

    async def tables(self, wanted: int) -> int:
        """Tables at which two sit down and wait for others."""
        await self._at_once(wanted, self._table)
        return wanted

    async def _play(self, script: list[ScriptedAct]) -> int:
        """How many acts were made: on a loaded machine the engine acts first, or its broker is too slow."""
        for done, act in enumerate(script):
            try:
                await self._engine.play([act])
            except grpc.aio.AioRpcError as error:
                if error.code() not in _TOO_SLOW:
                    raise
                return done
        return len(script)

    async def _watch(self, table_id: str) -> None:
        request = table_pb2.WatchTableRequest(table_id=table_id)
        stream = self._engine.stub.WatchTable(request, metadata=self._engine.callers.service)
        assert (await anext(aiter(stream))).HasField("snapshot")
        stream.cancel()

    async def _table(self) -> None:
        stub, callers = self._engine.stub, self._engine.callers
        seat = table_pb2.SeatAssignment(seat=0, occupant=table_pb2.Occupant(player_id=PLAYERS[0]))
        opening = table_pb2.CreateTableRequest(
            command_id=f"soak-{next(self._numbers)}", ruleset_id="qq", seats=[seat], deals=1
        )
        table_id = (await stub.CreateTable(opening, timeout=20, metadata=callers.service)).table_id
        sitting_down = table_pb2.ActRequest(
            table_id=table_id, seat=1, command_id="sit", take_seat=table_pb2.TakeSeat()
        )
        await stub.Act(sitting_down, timeout=20, metadata=callers.players[1])

    async def _at_once(self, wanted: int, one: Callable[[], Awaitable[None]]) -> None:
        left = iter(range(wanted))

        async def worker() -> None:
            for _ in left:
                await one()

        await asyncio.gather(*(worker() for _ in range(_AT_ONCE)))
