"""The composition root of the scoring service."""

from __future__ import annotations

from contextlib import AsyncExitStack

from shuangkou.chassis.app import App
from shuangkou.scoring.database import open_database
from shuangkou.scoring.ledger import Ledger
from shuangkou.scoring.metrics import ScoringMetrics
from shuangkou.scoring.recorder import Recorder, settling_commits
from shuangkou.scoring.service import ScoringService
from shuangkou.scoring.settings import ScoringSettings
from shuangkou.v1.scoring_pb2_grpc import add_ScoringServiceServicer_to_server
from shuangkou.wire.streams import shards

_POSTGRESQL_WRITERS = 8
# SQLite has one writer at a time, and those that wait for it poll.
_SQLITE_WRITERS = 1


async def bind(app: App[ScoringSettings]) -> None:
    """Open the ledger, serve it, and enter what is settled."""
    resources = AsyncExitStack()
    app.on_close(resources.aclose)
    database = await resources.enter_async_context(open_database(app.settings.database_url))
    ledger = Ledger(database)

    app.serve(add_ScoringServiceServicer_to_server, ScoringService(ledger))
    writers = _SQLITE_WRITERS if database.dialect.name == "sqlite" else _POSTGRESQL_WRITERS
    recorder = Recorder(app.bus, ledger, ScoringMetrics(app.registry))
    for shard in shards(app.settings.table_shards):
        app.work_on(settling_commits(writers, shard), recorder.record)
