"""What hostile callers sent and were answered, compared with the log at the end."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field

import grpc
from google.protobuf.message import DecodeError
from grpc_status import rpc_status

from kit.hostile.callers import Pretence
from kit.hostile.rpcs import Rpc
from shuangkou.v1.errors_pb2 import Refusal
from shuangkou.v1.events_pb2 import Commit
from shuangkou.v1.table_pb2 import ActRequest, CreateTableRequest

OK = grpc.StatusCode.OK
_FAULTS = frozenset((grpc.StatusCode.INTERNAL, grpc.StatusCode.UNKNOWN, grpc.StatusCode.DATA_LOSS))
_UNKNOWN_OUTCOME = frozenset(
    (grpc.StatusCode.CANCELLED, grpc.StatusCode.DEADLINE_EXCEEDED, grpc.StatusCode.UNAVAILABLE)
)
_HASTY = frozenset((grpc.StatusCode.CANCELLED, grpc.StatusCode.DEADLINE_EXCEEDED))
_OWN_ACTORS = frozenset(("engine", "ai_player", "matchmaking"))
"""Services that act by themselves while the suite is attacked."""

CommandKey = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Attack:
    """One call. `hasty`: the caller gives up before an answer may have come."""

    rpc: Rpc
    raw: bytes
    caller: Pretence
    hasty: bool = False


@dataclass(slots=True)
class Record:
    """All of it. `answers`: how each command ended, by its actor and its id."""

    outcomes: Counter[str] = field(default_factory=Counter)
    by_rpc: Counter[str] = field(default_factory=Counter)
    findings: Counter[str] = field(default_factory=Counter)
    examples: dict[str, str] = field(default_factory=dict)
    answers: dict[CommandKey, set[grpc.StatusCode]] = field(default_factory=lambda: defaultdict(set))

    def find(self, law: str, example: str) -> None:
        """A law was broken."""
        self.findings[law] += 1
        self.examples.setdefault(law, example)

    def ended(self, attack: Attack, code: grpc.StatusCode, error: grpc.aio.AioRpcError | None) -> None:
        """A call ended so; `error` is None for a good end."""
        self.outcomes[code.name] += 1
        self.by_rpc[attack.rpc.name] += 1
        key = _command_key(attack)
        if key is not None:
            self.answers[key].add(code)
        about = f"{attack.rpc.path} as {attack.caller.name or attack.caller.metadata!r}: {attack.raw[:300]!r}"
        if code is OK:
            if not attack.caller.holds and not attack.rpc.is_open:
                self.find("a bad token is refused", about)
        elif code in _FAULTS:
            self.find(f"no {code.name}", f"{about} → {error and error.details()}")
        elif code in _HASTY:
            if not attack.hasty:
                self.find("every call is answered in time", about)
        elif error is not None and not attack.rpc.is_open and not _explains(error):
            self.find("a refusal explains itself", f"{about} → {code.name} {error.details()}")

    def compare(self, commits: Iterable[Commit]) -> int:
        """Look for each commit's cause among the answers, and for the commit of what was accepted.

        Returns how many commits there are.
        """
        heads: dict[str, int] = defaultdict(int)
        stored: set[CommandKey] = set()
        for commit in commits:
            heads[commit.table_id] += 1
            key = (commit.actor, commit.command_id)
            stored.add(key)
            about = f"table {commit.table_id} version {commit.version} by {key}"
            if commit.version != heads[commit.table_id]:
                self.find("versions are 1, 2, 3, …", about)
            if commit.actor not in _OWN_ACTORS and not self.answers.get(key, set()) & {OK, *_UNKNOWN_OUTCOME}:
                self.find("what was refused changed nothing", about)
        for key, codes in self.answers.items():
            if OK in codes and key not in stored:
                self.find("what was accepted is stored", f"{key}")
        return sum(heads.values())


def _explains(error: grpc.aio.AioRpcError) -> bool:
    """Whether our own detail is in the status."""
    status = rpc_status.from_call(error)
    refusal = Refusal()
    if status is None or not status.details or not status.details[0].Unpack(refusal):
        return False
    return "/" in refusal.code and bool(refusal.explanation)


_COMMANDS: dict[str, type[ActRequest | CreateTableRequest]] = {
    "Act": ActRequest,
    "CreateTable": CreateTableRequest,
}


def _command_key(attack: Attack) -> CommandKey | None:
    method = attack.rpc.path.rpartition("/")[2]
    kind: type[ActRequest | CreateTableRequest] | None = _COMMANDS.get(method)
    if kind is None or not attack.caller.holds:
        return None
    try:
        return attack.caller.name, kind.FromString(attack.raw).command_id
    except DecodeError:
        return None
