"""Every rpc that a running process serves, found by asking it: new ones are attacked with no change here."""

from __future__ import annotations

import pkgutil
from dataclasses import dataclass
from importlib import import_module

import grpc
from google.protobuf.descriptor import Descriptor
from google.protobuf.descriptor_pool import Default
from grpc_reflection.v1alpha.reflection_pb2 import ServerReflectionRequest
from grpc_reflection.v1alpha.reflection_pb2_grpc import ServerReflectionStub

import shuangkou.v1

_OPEN = ("grpc.health.", "grpc.reflection.")
_WEIGHTS = {"Act": 30, "GetTable": 10, "ListLegalActs": 8, "WatchTable": 8, "CreateTable": 6, "SuggestAct": 6}
_USUAL_WEIGHT = 3
_OPEN_WEIGHT = 0.5
"""Every process serves these."""


@dataclass(frozen=True, slots=True)
class Rpc:
    """One method at one process. `is_open`: it asks for no token."""

    channel: grpc.aio.Channel
    path: str
    request: Descriptor
    answers_stream: bool
    takes_stream: bool
    is_open: bool

    @property
    def name(self) -> str:
        """Without its package."""
        return self.path.rpartition(".")[2]

    @property
    def weight(self) -> float:
        """How often it is attacked, compared with the others."""
        if self.is_open:
            return _OPEN_WEIGHT
        return _WEIGHTS.get(self.path.rpartition("/")[2], _USUAL_WEIGHT)


async def rpcs_of(channel: grpc.aio.Channel) -> list[Rpc]:
    """All that the process serves, health and reflection included."""
    import_module("grpc_health.v1.health_pb2")
    for module in pkgutil.iter_modules(shuangkou.v1.__path__):
        if module.name.endswith("_pb2"):
            import_module(f"shuangkou.v1.{module.name}")
    call = ServerReflectionStub(channel).ServerReflectionInfo(
        iter([ServerReflectionRequest(list_services="")])
    )
    answer = await anext(aiter(call))
    found = []
    for service in answer.list_services_response.service:
        described = Default().FindServiceByName(service.name)
        found += [
            Rpc(
                channel,
                f"/{service.name}/{method.name}",
                method.input_type,
                method.server_streaming,
                method.client_streaming,
                service.name.startswith(_OPEN),
            )
            for method in described.methods
        ]
    return found
