"""Calling other services: a channel, and metadata that says who calls and in which trace."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import grpc

from shuangkou.chassis.auth import TokenFile
from shuangkou.chassis.channels import CHANNEL_OPTIONS
from shuangkou.chassis.tls import ClientTls
from shuangkou.chassis.trace import TRACEPARENT, current_trace


def open_channel(
    target: str, tls: ClientTls | None, options: Sequence[tuple[str, Any]] = ()
) -> grpc.aio.Channel:
    """A channel by TLS where that is given; BadCertificates."""
    if tls is None:
        return grpc.aio.insecure_channel(target, options=options)
    return grpc.aio.secure_channel(target, tls.credentials(), options=options)


class ServiceClient:
    """A channel to another service; give ``metadata()`` and a timeout to every call made on it."""

    def __init__(self, target: str, token_file: TokenFile, tls: ClientTls | None = None) -> None:
        """Raises BadCertificates."""
        self.channel = open_channel(target, tls, CHANNEL_OPTIONS)
        self._token_file = token_file

    def metadata(self) -> tuple[tuple[str, str], ...]:
        """This service's token, and the current trace."""
        authorization = ("authorization", f"Bearer {self._token_file.token()}")
        trace = current_trace()
        return (authorization,) if trace is None else (authorization, (TRACEPARENT, trace.traceparent))

    async def close(self) -> None:
        """Close the channel; running calls are cancelled."""
        await self.channel.close()
