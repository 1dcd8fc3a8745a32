"""The composition root of the AI players."""

from functools import partial

from shuangkou.ai_player.advisor import AdvisorService
from shuangkou.ai_player.bot import Bots, bot_commits
from shuangkou.ai_player.decision import Decisions
from shuangkou.ai_player.metrics import AiPlayerMetrics
from shuangkou.ai_player.patience import Patience
from shuangkou.ai_player.search_pool import SearchPool
from shuangkou.ai_player.settings import AiPlayerSettings
from shuangkou.ai_player.tables import Tables
from shuangkou.ai_player.thinking import Thinking
from shuangkou.chassis.app import App
from shuangkou.chassis.nats import check_stream
from shuangkou.v1.ai_pb2_grpc import add_AdvisorServiceServicer_to_server
from shuangkou.wire.streams import WHOLE, shards, wrong_spread


async def bind(app: App[AiPlayerSettings]) -> None:
    """Advise, and play the seats of bots."""
    settings = app.settings
    check = partial(check_stream, app.bus, WHOLE.stream, wrong_spread(settings.table_shards))
    await check()
    metrics = AiPlayerMetrics(app.registry)
    pool = SearchPool(settings.search_processes, metrics)
    app.on_close(pool.close)
    decisions = Decisions(metrics, pool, settings.search_ms)
    await decisions.prepare()
    app.serve(add_AdvisorServiceServicer_to_server, AdvisorService(decisions))
    tables = Tables(app.client(settings.engine_target), settings.call_seconds)
    thinking = Thinking(settings.thinking, settings.concurrency // 2)
    bots = Bots(tables, decisions, metrics, thinking, Patience(settings.concurrency // 4))
    for shard in shards(settings.table_shards):
        app.work_on(bot_commits(settings.concurrency, shard), bots.play, check)
