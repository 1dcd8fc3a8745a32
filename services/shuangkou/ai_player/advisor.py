"""AdvisorService over gRPC."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import grpc

from shuangkou.ai_player.advice import Advice
from shuangkou.ai_player.decision import Decisions
from shuangkou.ai_player.personas import PERSONAS, Persona, UnknownPersona, persona_of
from shuangkou.ai_player.sayings import SAYINGS, Saying
from shuangkou.ai_player.unanswerable import ImplausibleView, NoPolicy, NotToAct
from shuangkou.chassis.errors import FailedPrecondition, InvalidArgument
from shuangkou.v1 import ai_pb2, ai_pb2_grpc, table_pb2
from shuangkou.wire.commands import SeatAct, put_act
from shuangkou.wire.refusals import MalformedMessage

USUAL_ACTS, MOST_ACTS = 3, 12
_TO_ANSWER_SECONDS = 0.02
"""Of a caller's time, what the way back and the rule policy's act need."""

_Context = grpc.aio.ServicerContext[Any, Any]


@dataclass(frozen=True, slots=True)
class AdvisorService(ai_pb2_grpc.AdvisorServiceServicer):
    """Advises any authenticated caller on the view that it brings."""

    decisions: Decisions

    async def SuggestAct(  # noqa: N802  # gRPC's name
        self, request: ai_pb2.SuggestActRequest, context: _Context
    ) -> ai_pb2.SuggestActResponse:
        """One legal act for the seat of the view."""
        return await self.suggest(request, _until(context))

    async def suggest(
        self, request: ai_pb2.SuggestActRequest, until: float | None = None
    ) -> ai_pb2.SuggestActResponse:
        """The answer to SuggestAct, or Refused. until: when it is needed, as in `Decisions.act`."""
        with _refusing():
            act = await self.decisions.act(request.view, persona_of(request.persona), until)
        return _act_to_wire(act)

    async def WeighActs(  # noqa: N802  # gRPC's name
        self, request: ai_pb2.WeighActsRequest, context: _Context
    ) -> ai_pb2.WeighActsResponse:
        """The best acts for the seat of the view."""
        return await self.weigh(request, _until(context))

    async def weigh(
        self, request: ai_pb2.WeighActsRequest, until: float | None = None
    ) -> ai_pb2.WeighActsResponse:
        """The answer to WeighActs, or Refused. until: when it is needed, as in `Decisions.act`."""
        if not 0 <= request.most <= MOST_ACTS:
            raise InvalidArgument(
                "ai/bad_number", f"at most {MOST_ACTS} acts are weighed, not {request.most}"
            )
        with _refusing():
            persona = persona_of(request.persona)
            found = await self.decisions.advise(request.view, persona, request.most or USUAL_ACTS, until)
        return ai_pb2.WeighActsResponse(acts=[_advice_to_wire(advice) for advice in found])

    async def ListPersonas(  # noqa: N802  # gRPC's name
        self, _request: ai_pb2.ListPersonasRequest, _context: _Context
    ) -> ai_pb2.ListPersonasResponse:
        """All personas."""
        return ai_pb2.ListPersonasResponse(personas=[_persona_to_wire(persona) for persona in PERSONAS])


def _until(context: _Context) -> float:
    """When the caller needs its answer, on the clock of the event loop."""
    return asyncio.get_running_loop().time() + context.time_remaining() - _TO_ANSWER_SECONDS


@contextmanager
def _refusing() -> Iterator[None]:
    """What the caller did wrong, as a refusal."""
    try:
        yield
    except UnknownPersona as error:
        raise InvalidArgument("ai/unknown_persona", str(error)) from None
    except NotToAct as error:
        raise FailedPrecondition("ai/not_to_act", str(error)) from None
    except NoPolicy as error:
        raise FailedPrecondition("ai/no_advice", str(error)) from None
    except (MalformedMessage, ImplausibleView) as error:
        raise InvalidArgument("ai/bad_view", str(error)) from None


def _act_to_wire(act: SeatAct) -> ai_pb2.SuggestActResponse:
    answer = ai_pb2.SuggestActResponse()
    put_act(answer, act)
    return answer


def _advice_to_wire(advice: Advice) -> ai_pb2.WeighedAct:
    return ai_pb2.WeighedAct(
        act=_act_to_wire(advice.act),
        worth=advice.worth,
        points=advice.points,
        points_error=advice.error,
        worlds=advice.worlds,
        reason=table_pb2.Text(en=advice.reason_en, zh=advice.reason_zh),
        unit=ai_pb2.PointsUnit.Value(f"POINTS_UNIT_{advice.unit.name}"),
    )


def _persona_to_wire(persona: Persona) -> ai_pb2.Persona:
    return ai_pb2.Persona(
        id=persona.id,
        name=table_pb2.Text(en=persona.name_en, zh=persona.name_zh),
        description=table_pb2.Text(en=persona.description_en, zh=persona.description_zh),
        sayings=[_saying_to_wire(saying) for saying in SAYINGS[persona.id]],
    )


def _saying_to_wire(saying: Saying) -> ai_pb2.Saying:
    occasion = ai_pb2.Occasion.Value(f"OCCASION_{saying.occasion.name}")
    return ai_pb2.Saying(occasion=occasion, text=table_pb2.Text(en=saying.en, zh=saying.zh))
