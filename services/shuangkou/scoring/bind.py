"""The composition root of the scoring service."""

from __future__ import annotations

from contextlib import AsyncExitStack
from functools import partial

from alembic.util.exc import CommandError
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from shuangkou.chassis.app import App, StartFailure
from shuangkou.chassis.ledger_address import shown
from shuangkou.chassis.nats import check_stream
from shuangkou.scoring.acts import Acts
from shuangkou.scoring.boards import Boards
from shuangkou.scoring.bookmark import PageTokens
from shuangkou.scoring.derivation import open_ledger
from shuangkou.scoring.intake import Intake
from shuangkou.scoring.metrics import ScoringMetrics
from shuangkou.scoring.older_tables import OlderTables
from shuangkou.scoring.openings import Openings
from shuangkou.scoring.page_key import page_key
from shuangkou.scoring.rater import Rater
from shuangkou.scoring.recorder import Recorder, settling_commits
from shuangkou.scoring.records import Records
from shuangkou.scoring.scribe import Scribe
from shuangkou.scoring.service import ScoringService
from shuangkou.scoring.settings import ScoringSettings
from shuangkou.scoring.teller import Teller
from shuangkou.v1.scoring_pb2_grpc import add_ScoringServiceServicer_to_server
from shuangkou.wire.streams import WHOLE, shards, wrong_spread


async def bind(app: App[ScoringSettings]) -> None:
    """Open the ledger, serve it, enter what is settled, and keep the ratings up with it."""
    check = partial(check_stream, app.bus, WHOLE.stream, wrong_spread(app.settings.table_shards))
    await check()
    resources = AsyncExitStack()
    app.on_close(resources.aclose)
    address = app.settings.database_url
    try:
        ledger = await resources.enter_async_context(open_ledger(address))
        tokens = PageTokens(await page_key(ledger.database))
    except (DBAPIError, PoolTimeout, CommandError) as error:
        raise StartFailure(_complaint(address, error)) from None
    database, metrics = ledger.database, ScoringMetrics(app.registry)

    service = ScoringService(Records(database), Boards(database), tokens)
    app.serve(add_ScoringServiceServicer_to_server, service)
    recorder = Recorder(app.bus, Intake(ledger), Openings(app.bus), Acts(app.bus), metrics)
    scribe = Scribe(Rater(database), Teller(app.bus, database), metrics)
    app.in_background("ratings", scribe.keep_up(recorder.entered))
    app.in_background("older tables", OlderTables(ledger, Openings(app.bus)).keep_learning())
    for shard in shards(app.settings.table_shards):
        app.work_on(settling_commits(shard=shard), recorder.record, check)


def _complaint(address: str, error: Exception) -> str:
    reason = " ".join(str(getattr(error, "orig", None) or error).split())
    return f"the ledger at {shown(address)} cannot be opened: {reason}"
