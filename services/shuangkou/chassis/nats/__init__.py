"""JetStream as the suite uses it: checked appends, atomic batches, timers, direct reads, shared work."""

from shuangkou.chassis.nats.appending import append, append_batch, schedule
from shuangkou.chassis.nats.connection import Bus, Server, connect
from shuangkou.chassis.nats.errors import (
    ApiRefused,
    AppendTimeout,
    NatsFailure,
    NoResponse,
    NotConnected,
    NotNow,
    NotThere,
    ServerTooOld,
    StoreFull,
    Unanswered,
    UnfitStream,
    Unreachable,
    WrongLastSequence,
)
from shuangkou.chassis.nats.messages import Expectation, NewMessage, StoredMessage
from shuangkou.chassis.nats.reading import (
    last_message,
    last_message_for_sure,
    message_at,
    next_message,
    read,
    read_last_of_each,
)
from shuangkou.chassis.nats.streams import check_stream, ensure_stream, ensure_streams, purge_subject
from shuangkou.chassis.nats.work import Job, TryLater, Undoable, Worker, WorkQueue, delete_consumer

__all__ = [
    "ApiRefused",
    "AppendTimeout",
    "Bus",
    "Expectation",
    "Job",
    "NatsFailure",
    "NewMessage",
    "NoResponse",
    "NotConnected",
    "NotNow",
    "NotThere",
    "Server",
    "ServerTooOld",
    "StoreFull",
    "StoredMessage",
    "TryLater",
    "Unanswered",
    "Undoable",
    "UnfitStream",
    "Unreachable",
    "WorkQueue",
    "Worker",
    "WrongLastSequence",
    "append",
    "append_batch",
    "check_stream",
    "connect",
    "delete_consumer",
    "ensure_stream",
    "ensure_streams",
    "last_message",
    "last_message_for_sure",
    "message_at",
    "next_message",
    "purge_subject",
    "read",
    "read_last_of_each",
    "schedule",
]
