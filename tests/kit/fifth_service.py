"""A whole service on the chassis: gRPC, shared work, a background task, its own settings and metric."""

from __future__ import annotations

import asyncio
from pathlib import Path

from nats.js.api import StreamConfig
from prometheus_client import Counter
from pydantic import Field

from kit.echo import Echo, add_echo_to_server
from shuangkou.chassis import nats
from shuangkou.chassis.app import App, run
from shuangkou.chassis.settings import ServiceSettings

STREAM = StreamConfig(name="FIFTH", subjects=["fifth.>"])
QUEUE = nats.WorkQueue("FIFTH", "fifth", ("fifth.do",))


class FifthSettings(ServiceSettings):
    """The one setting of its own."""

    diary_file: Path = Field(description="Where closers and jobs are noted")
    fifth_fails: bool = Field(False, description="Whether the background task dies")


async def bind(app: App[FifthSettings]) -> None:
    """The composition root."""
    jobs = Counter("shuangkou_fifth_jobs_total", "Jobs noted", registry=app.registry)

    def note(line: str) -> None:
        with app.settings.diary_file.open("a") as diary:
            diary.write(f"{line}\n")

    async def handle(job: nats.Job) -> None:
        note(job.payload.decode())
        jobs.inc()

    async def closed(name: str) -> None:
        note(f"{name} closed")

    async def background() -> None:
        await asyncio.sleep(0)
        if app.settings.fifth_fails:
            raise RuntimeError("the background task died")
        await asyncio.Event().wait()

    await nats.ensure_stream(app.bus, STREAM)
    app.on_close(lambda: closed("first"))
    app.on_close(lambda: closed("second"))
    app.work_on(QUEUE, handle, prepare=lambda: nats.ensure_stream(app.bus, STREAM))
    app.in_background("fifth", background())
    app.serve(add_echo_to_server, Echo())


if __name__ == "__main__":
    run("fifth", FifthSettings, bind)
