"""A command that calls too often waits as long as it is told."""

from __future__ import annotations

from dataclasses import replace

from google.protobuf.wrappers_pb2 import StringValue
from prometheus_client import CollectorRegistry

from kit.echo import SERVICE
from kit.echo_server import LIMITS, running
from kit.keys import Keys
from shuangkou.chassis.throttle import Rate, RpcClass
from shuangkou.cli.clients import Clients


async def test_one_call_too_many_is_made_again(keys: Keys, registry: CollectorRegistry) -> None:
    trouble: list[None] = []
    limits = replace(LIMITS, rates={RpcClass.WRITE: Rate(4, 0.25)})
    async with running(keys, registry, limits) as served:
        clients = Clients([served.channel] * 4, served.token, lambda: trouble.append(None))
        say = served.channel.unary_unary(
            f"/{SERVICE}/Say", StringValue.SerializeToString, StringValue.FromString
        )
        for word in ("one", "two", "three"):
            answer: StringValue = await clients.ask(say, StringValue(value=word))
            assert answer.value == word
    refused = registry.get_sample_value("shuangkou_rpc_throttled_total", {"rpc_class": "write"})
    assert refused is not None
    assert refused >= 2
    assert not trouble
