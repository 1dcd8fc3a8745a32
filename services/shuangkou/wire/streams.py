"""The JetStream streams that services share. The engine makes them: no other user of the broker may."""

from nats.js.api import RePublish, StorageType, StreamConfig, StreamSource, SubjectTransform

TABLES = "TABLES"
SCORES = "SCORES"
MATCHES = "MATCHES"
EVENTS = "EVENTS"

_IDS = "{{wildcard(1)}}.{{wildcard(2)}}"


def tables_stream(replicas: int) -> StreamConfig:
    """One append-only log per table; its public commits are republished once they are stored."""
    return StreamConfig(
        name=TABLES,
        description="One append-only log per table",
        subjects=["table.>"],
        storage=StorageType.FILE,
        num_replicas=replicas,
        allow_direct=True,
        allow_atomic=True,
        deny_delete=True,
        republish=RePublish(src="table.*.*.public.*", dest=f"live.{_IDS}.{{{{wildcard(3)}}}}"),
    )


def scores_stream(replicas: int) -> StreamConfig:
    """A message for each deal stored in the ledger, and for each that changed ratings."""
    return _kept(SCORES, "Settlements stored in the ledger, and ratings", replicas, "score.>", "rating.>")


def matches_stream(replicas: int) -> StreamConfig:
    """A message for each table made from tickets."""
    return _kept(MATCHES, "Tables made from tickets", replicas, "match.>")


def events_stream(replicas: int) -> StreamConfig:
    """Everything public, copied by the broker, which looks for a missing source only seconds later."""
    return StreamConfig(
        name=EVENTS,
        description="Everything public, for analysts",
        storage=StorageType.FILE,
        num_replicas=replicas,
        allow_direct=True,
        deny_delete=True,
        sources=[
            _source(TABLES, "table.*.*.public.*", f"events.table.{_IDS}"),
            StreamSource(
                name=SCORES,
                subject_transforms=[
                    SubjectTransform(src="score.*.*.*", dest=f"events.score.{_IDS}"),
                    SubjectTransform(src="rating.*.*.*", dest=f"events.rating.{_IDS}"),
                ],
            ),
            _source(MATCHES, "match.*.*", f"events.match.{_IDS}"),
        ],
    )


def public_streams(replicas: int) -> tuple[StreamConfig, ...]:
    """All of them, sources before what copies them."""
    return (
        tables_stream(replicas),
        scores_stream(replicas),
        matches_stream(replicas),
        events_stream(replicas),
    )


def _kept(name: str, description: str, replicas: int, *subjects: str) -> StreamConfig:
    return StreamConfig(
        name=name,
        description=description,
        subjects=list(subjects),
        storage=StorageType.FILE,
        num_replicas=replicas,
        allow_direct=True,
        deny_delete=True,
    )


def _source(stream: str, pattern: str, target: str) -> StreamSource:
    return StreamSource(name=stream, subject_transforms=[SubjectTransform(src=pattern, dest=target)])
