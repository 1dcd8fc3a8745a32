"""Settings read from ``SHUANGKOU_*`` environment variables; a bad one is one clear line and exit code 2."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any, Final, NoReturn, TypeVar

from pydantic import AfterValidator, Field, ValidationError
from pydantic.fields import FieldInfo
from pydantic_core import PydanticUndefined
from pydantic_settings import BaseSettings, SettingsConfigDict

PREFIX = "SHUANGKOU_"
BAD_CONFIGURATION = 2
CHECK = "--check"
"""The argument that asks whether the settings will do, and nothing more."""


OF_OTHERS: Final = frozenset(
    f"{PREFIX}{name}"
    for name in (
        # Of single services. Processes that are started together share an environment, so all let them pass.
        *("BOT_SECONDS", "IDLE_TABLE_SECONDS", "FINISHED_TABLE_SECONDS"),
        *("ENGINE_TARGET", "CONCURRENCY", "CALL_SECONDS", "SEARCH_PROCESSES", "SEARCH_MS", "THINKING"),
        *("SCORING_TARGET", "PERSONAS", "CLAIM_PATIENCE_SECONDS", "READY_CHECK_SECONDS"),
        *("UNREADY_PAUSE_SECONDS", "REMATCH_SECONDS", "ROOM_IDLE_SECONDS", "ROOM_LINK"),
        *("ENDED_TICKET_SECONDS", "DATABASE_URL"),
        # Of the command line, of the broker, and of whoever starts a process.
        *("DATA", "NATS_PASSWORD_ENGINE", "NATS_PASSWORD_MATCHMAKING", "NATS_PASSWORD_AI_PLAYER"),
        *("NATS_PASSWORD_SCORING", "NATS_PASSWORD_ANALYST", "NATS_PASSWORD_OPERATOR", "DIE_WITH_PARENT"),
        "BROUGHT_KERNELS",
    )
)
"""Variables of the suite that not every service reads."""


class LogFormat(StrEnum):
    """How log lines are written."""

    JSON = "json"
    TEXT = "text"


class LogLevel(StrEnum):
    """The least severe line that is written."""

    DEBUG = "debug"
    INFO = "info"
    WARNING = "warning"
    ERROR = "error"


def _host_and_port(text: str) -> str:
    host, _, port = text.rpartition(":")
    if not host or not port.isdigit() or int(port) > 65535:
        raise ValueError("expected HOST:PORT")
    return text


def _readable_file(path: Path) -> Path:
    if path == Path():
        raise ValueError("names no file")
    if path.is_dir():
        raise ValueError("it is a folder, not a file")
    if not path.is_file():
        raise ValueError(f"no file at {path}")
    if not os.access(path, os.R_OK):
        raise ValueError(f"may not read {path}")
    return path


_USER_AND_PASSWORD = re.compile(r"[^\s:/?#@\[\]]*(:[^\s:/?#@\[\]]*)?")
_HOST_AND_PORT = re.compile(r"([\w.-]+|\[[\da-fA-F:]+\]):\d{1,5}")


def _nats_servers(text: str) -> str:
    for server in text.split(","):
        scheme, _, rest = server.strip().rpartition("://")
        who, _, address = rest.rpartition("@")
        if not _USER_AND_PASSWORD.fullmatch(who):
            raise ValueError(
                "in a user's name or password write /, @, : and other such signs as %2F, %40, %3A"
            )
        if scheme not in ("", "nats", "tls") or not _HOST_AND_PORT.fullmatch(address):
            raise ValueError("expected nats://HOST:PORT, or several of these separated by commas")
    return text


NatsServers = Annotated[str, AfterValidator(_nats_servers)]
"""One or several servers of a NATS cluster."""
Address = Annotated[str, AfterValidator(_host_and_port)]
"""``HOST:PORT``; port 0 takes a free one."""
ExistingFile = Annotated[Path, AfterValidator(_readable_file)]
"""A file that must exist when the process starts."""


class ServiceSettings(BaseSettings):
    """What every service needs; a service subclasses it with its own fields."""

    model_config = SettingsConfigDict(env_prefix=PREFIX, extra="ignore", frozen=True)

    nats_url: NatsServers = Field(
        "nats://127.0.0.1:4222", description="NATS servers, separated by commas", repr=False
    )
    nats_user: str = Field("", description="NATS user; empty connects without one")
    nats_password: str = Field("", description="NATS password", repr=False)
    nats_tls_ca_file: ExistingFile | None = Field(
        None, description="Authority (PEM) of the NATS servers' certificates; connects by TLS or not at all"
    )
    nats_tls_cert_file: ExistingFile | None = Field(
        None, description="Certificate chain (PEM) that this service shows to NATS"
    )
    nats_tls_key_file: ExistingFile | None = Field(None, description="Its private key (PEM)")
    nats_patience_seconds: float = Field(10.0, gt=0, description="How long to try to reach NATS at start")
    stream_replicas: int = Field(1, ge=1, le=5, description="Copies of every stream; 3 in production")
    table_shards: int = Field(
        1, ge=1, le=16, description="Streams that tables are spread over, alike for all; 4 in production"
    )
    grpc_address: Address = Field("0.0.0.0:50051", description="Where the gRPC API listens")
    grpc_tls_cert_file: ExistingFile | None = Field(None, description="Certificate chain (PEM), for TLS")
    grpc_tls_key_file: ExistingFile | None = Field(None, description="Its private key (PEM)")
    grpc_tls_client_ca_file: ExistingFile | None = Field(
        None, description="Authority (PEM) of the certificates that clients must show, for mTLS"
    )
    client_tls_ca_file: ExistingFile | None = Field(
        None, description="Authority (PEM) of other services' certificates; calls them by TLS"
    )
    client_tls_cert_file: ExistingFile | None = Field(
        None, description="Certificate chain (PEM) that this service shows to others, for mTLS"
    )
    client_tls_key_file: ExistingFile | None = Field(None, description="Its private key (PEM)")
    metrics_address: Address = Field("0.0.0.0:9090", description="Where /metrics listens")
    log_level: LogLevel = Field(LogLevel.INFO, description="Least severe log line that is written")
    log_format: LogFormat = Field(LogFormat.JSON, description="json, or text for people")
    auth_keys_file: ExistingFile = Field(description="JWKS file with the public keys of token signers")
    service_token_file: ExistingFile | None = Field(
        None, description="File with the token this service shows to others; read again when it changes"
    )
    grace_seconds: float = Field(20.0, gt=0, description="Time that running calls get to finish at shutdown")
    reads_per_second: float = Field(
        50.0, ge=0, description="Get… and List… calls of one player in the long run; 0 for no limit"
    )
    writes_per_second: float = Field(20.0, ge=0, description="All other unary calls of one player")
    streams_per_second: float = Field(5.0, ge=0, description="Streams that one player opens")
    burst_seconds: float = Field(
        5.0, gt=0, description="Calls that may come at once: as many as are allowed in this time"
    )
    streams_per_player: int = Field(
        64, ge=0, description="Streams that one player may have open at once; 0 for any number"
    )
    unread_seconds: float = Field(
        30.0, gt=0, description="Time that a client may leave a stream unread before it is ended"
    )
    max_message_bytes: int = Field(65_536, ge=1024, description="Largest request accepted")
    stream_max_age_seconds: float = Field(3600.0, gt=0, description="Age at which a server stream is ended")
    max_connection_age_seconds: float = Field(
        7200.0, gt=0, description="Age at which a client connection is told to reconnect"
    )


S = TypeVar("S", bound=ServiceSettings)


def read_settings(settings_type: type[S], program: str, arguments: Sequence[str]) -> S:
    """The settings from the environment; prints and exits on ``--help`` (0) or bad configuration (2).

    With ``--check`` it exits in any case.
    """
    if "--help" in arguments or "-h" in arguments:
        sys.stdout.write(describe(settings_type, program))
        raise SystemExit(0)
    checks_only = list(arguments) == [CHECK]
    if arguments and not checks_only:
        _stop(program, f"unknown argument {arguments[0]!r}; settings come from the environment, see --help")
    complaints = unknown_variables(os.environ, settings_type)
    try:
        settings = settings_type()
    except ValidationError as error:
        complaints += [_complaint(settings_type, problem) for problem in error.errors()]
    except ValueError as error:
        complaints.append(str(error))
    if complaints:
        _stop(program, "; ".join(complaints))
    if checks_only:
        raise SystemExit(0)
    return settings


def unknown_variables(names: Iterable[str], settings_type: type[ServiceSettings]) -> list[str]:
    """A complaint about each name that begins as ours do and that no part of the suite reads."""
    known = sorted(OF_OTHERS | {_variable(field) for field in settings_type.model_fields})
    return [
        f"{name} is unknown; {_closest(name.upper(), known)}"
        for name in sorted(names)
        if name.upper().startswith(PREFIX) and name.upper() not in known
    ]


def _closest(name: str, known: Iterable[str]) -> str:
    """By what follows the prefix, which all of them have."""
    endings = [each.removeprefix(PREFIX) for each in known]
    close = get_close_matches(name.removeprefix(PREFIX), endings, 1)
    return f"the closest known name is {PREFIX}{close[0]}" if close else "no known name is like it"


def describe(settings_type: type[ServiceSettings], program: str) -> str:
    """Every variable with its default and meaning, as ``--help`` prints it."""
    lines = [f"usage: {program}", "", "Settings are environment variables:", ""]
    for name, field in settings_type.model_fields.items():
        lines.append(f"  {_variable(name)}")
        lines.append(f"      {field.description or ''} [{_default(field)}]")
    return "\n".join(lines) + "\n"


def _variable(name: str) -> str:
    return f"{PREFIX}{name.upper()}"


def _default(field: FieldInfo) -> str:
    if field.default is PydanticUndefined:
        return "required"
    return f"default: {field.default}" if field.default not in (None, "") else "default: none"


def _complaint(settings_type: type[ServiceSettings], problem: Any) -> str:
    place = ".".join(str(part) for part in problem["loc"])
    message = str(problem["msg"]).removeprefix("Value error, ")
    if problem["type"] == "missing":
        return f"{_variable(place)} is required"
    if not settings_type.model_fields[str(problem["loc"][0])].repr:
        # It may hold a password.
        return f"{_variable(place)}: {message}"
    return f"{_variable(place)}={problem['input']!r}: {message}"


def _stop(program: str, complaint: str) -> NoReturn:
    sys.stderr.write(f"{program}: bad configuration: {complaint}\n")
    raise SystemExit(BAD_CONFIGURATION)
