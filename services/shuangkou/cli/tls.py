"""TLS from the command line to services that ask for it, by the variables that services read as well."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import grpc

from shuangkou.chassis.clients import open_channel
from shuangkou.chassis.settings import PREFIX
from shuangkou.chassis.tls import BadCertificates, client_tls
from shuangkou.cli.problem import BAD_INPUT, Problem

CA: Final = f"{PREFIX}CLIENT_TLS_CA_FILE"
CERTIFICATE: Final = f"{PREFIX}CLIENT_TLS_CERT_FILE"
KEY: Final = f"{PREFIX}CLIENT_TLS_KEY_FILE"


def channel_to(target: str, options: Sequence[tuple[str, Any]]) -> grpc.aio.Channel:
    """A channel, by TLS where one of the variables is set; Problem when a file is bad."""
    named = (os.environ.get(variable) for variable in (CA, CERTIFICATE, KEY))
    ca, certificate, key = (Path(name) if name else None for name in named)
    try:
        return open_channel(target, client_tls(ca, certificate, key), options)
    except BadCertificates as error:
        raise Problem(str(error), BAD_INPUT) from None
