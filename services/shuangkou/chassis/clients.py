"""Calling other services: a channel, and metadata that says who calls and in which trace."""

from __future__ import annotations

import grpc

from shuangkou.chassis.auth import TokenFile
from shuangkou.chassis.channels import CHANNEL_OPTIONS
from shuangkou.chassis.trace import TRACEPARENT, current_trace


class ServiceClient:
    """A channel to another service; give ``metadata()`` and a timeout to every call made on it."""

    def __init__(self, target: str, token_file: TokenFile) -> None:
        self.channel = grpc.aio.insecure_channel(target, options=CHANNEL_OPTIONS)
        self._token_file = token_file

    def metadata(self) -> tuple[tuple[str, str], ...]:
        """This service's token, and the current trace."""
        authorization = ("authorization", f"Bearer {self._token_file.token()}")
        trace = current_trace()
        return (authorization,) if trace is None else (authorization, (TRACEPARENT, trace.traceparent))

    async def close(self) -> None:
        """Close the channel; running calls are cancelled."""
        await self.channel.close()
