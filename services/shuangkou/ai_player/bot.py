"""The worker behind every bot: one job is one commit that leaves a bot to act."""

from __future__ import annotations

import time
from dataclasses import dataclass

from google.protobuf.message import DecodeError

from shuangkou.ai_player.decision import Decisions
from shuangkou.ai_player.metrics import AiPlayerMetrics, Outcome
from shuangkou.ai_player.patience import Patience
from shuangkou.ai_player.personas import PLAIN, Persona, UnknownPersona, persona_of
from shuangkou.ai_player.tables import ActRefused, EngineOutOfReach, MovedOn, Tables, TableUnknown
from shuangkou.ai_player.thinking import Thinking
from shuangkou.ai_player.unanswerable import ImplausibleView, NoPolicy, NotToAct
from shuangkou.chassis.logs import logger
from shuangkou.chassis.nats import Job, TryLater, Undoable, WorkQueue
from shuangkou.v1.events_pb2 import Commit
from shuangkou.v1.table_pb2 import SeatView
from shuangkou.wire.refusals import MalformedMessage
from shuangkou.wire.streams import WHOLE, Shard

# The work of an AI player that died goes to another one while the bot still has time to act.
_SILENCE_SECONDS = 2.0


def bot_commits(concurrency: int, shard: Shard = WHOLE) -> WorkQueue:
    """The commits of a shard after which a bot is to act, shared by all AI players."""
    return WorkQueue(
        stream=shard.stream,
        durable="ai-player",
        subjects=(f"{shard.root}.*.*.public.bot",),
        concurrency=concurrency,
        ack_wait=_SILENCE_SECONDS,
        retry_delay=0.25,
    )


@dataclass(frozen=True, slots=True)
class Bots:
    """Handles the deliveries of `bot_commits`. Nothing is kept: every act is decided on a fresh view."""

    tables: Tables
    decisions: Decisions
    metrics: AiPlayerMetrics
    thinking: Thinking
    patience: Patience

    async def play(self, job: Job) -> None:
        """Act for the bots that the commit leaves to act; raises for what is to be delivered again."""
        try:
            commit = Commit.FromString(job.payload)
        except DecodeError as error:
            raise Undoable(f"message {job.sequence} on {job.subject}: {error}") from None
        for seat in commit.next.seats:
            await self._play_seat(commit, seat)

    async def _play_seat(self, commit: Commit, seat: int) -> None:
        persona = PLAIN
        try:
            _check_in_time(commit)
            view = await self.tables.view(commit.table_id, seat, commit.version)
            if view.version > commit.version:
                raise MovedOn(f"the table is at version {view.version}")
            persona = persona_on(view, seat)
            thought = await self.thinking.wait(commit, view, persona)
            with self.patience.of(commit, persona) as until:
                act = await self.decisions.act(view, persona, until, is_ours=True)
            await self.tables.act(view, act)
        except (MovedOn, NotToAct) as reason:
            self.metrics.count(persona.id, Outcome.DROPPED_STALE)
            logger().debug("work_dropped", table_id=commit.table_id, seat=seat, reason=str(reason))
        except (ActRefused, MalformedMessage, ImplausibleView, NoPolicy) as reason:
            # The engine acts for the seat at its deadline; trying again would end the same way.
            self.metrics.count(persona.id, Outcome.REFUSED)
            logger().error("act_refused", table_id=commit.table_id, seat=seat, reason=str(reason))
        except TableUnknown as reason:
            self.metrics.count(persona.id, Outcome.FAILED)
            raise Undoable(str(reason)) from None
        except EngineOutOfReach as reason:
            self.metrics.count(persona.id, Outcome.FAILED)
            raise TryLater(str(reason)) from None
        else:
            self.metrics.count(persona.id, Outcome.PLAYED)
            self.metrics.answer_lag.observe(max(0.0, time.time() - commit.time_ms / 1000 - thought))


def _check_in_time(commit: Commit) -> None:
    if 0 < commit.next.deadline_ms < time.time() * 1000:
        raise MovedOn("the deadline has passed")


def persona_on(view: SeatView, seat: int) -> Persona:
    """Who plays the seat: its persona, or `plain` for a person whose seat is hosted (托管)."""
    try:
        return persona_of(view.seats[seat].occupant.persona)
    except UnknownPersona as error:
        # An engine of another release knows more of them; the seat has to be played all the same.
        logger().warning("persona_unknown", table_id=view.table_id, seat=seat, reason=str(error))
        return PLAIN
