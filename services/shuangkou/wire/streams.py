"""The JetStream streams that services share. The engine makes them: no other user of the broker may.

Tables may be spread over several streams, their shards: whoever leads a stream in a cluster then serves
only its share of the tables. Shard 0 is TABLES itself, so a suite with one shard looks as if there were none.
"""

from binascii import crc32
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from nats.js.api import RePublish, StorageType, StreamConfig, StreamSource, SubjectTransform

SCORES = "SCORES"
MATCHES = "MATCHES"
EVENTS = "EVENTS"

_IDS = "{{wildcard(1)}}.{{wildcard(2)}}"
_SPREAD = "shuangkou_table_shards"


@dataclass(frozen=True, slots=True)
class Shard:
    """One of the streams that hold tables, by its number from 0."""

    number: int = 0

    @property
    def stream(self) -> str:
        """The stream's name."""
        return f"TABLES-{self.number}" if self.number else "TABLES"

    @property
    def root(self) -> str:
        """What the subjects of its tables begin with; ruleset, table and part follow."""
        return f"tables.{self.number}" if self.number else "table"


WHOLE = Shard()
"""The only shard of a suite with one."""


def shards(count: int) -> tuple[Shard, ...]:
    """All shards of a suite that spreads its tables over ``count`` streams."""
    return tuple(map(Shard, range(count)))


def shard_of(table_id: str, count: int) -> Shard:
    """Where a table is: every service finds the same one of ``count``, and a table never moves."""
    return Shard(crc32(table_id.encode()) % count)


def spread_over(metadata: Mapping[str, str]) -> int:
    """How many shards the makers of a stream with this metadata counted."""
    return int(metadata.get(_SPREAD, "1"))


def wrong_spread(count: int) -> Callable[[Mapping[str, str]], str]:
    """A judge of TABLES: whether its tables are spread over ``count`` streams, as this process was told.

    A table is found by a hash of its id: who counts otherwise looks for tables where they are not.
    """

    def judge(metadata: Mapping[str, str]) -> str:
        spread = spread_over(metadata)
        if spread == count:
            return ""
        return (
            f"SHUANGKOU_TABLE_SHARDS={count}, but the tables of this broker are spread over {spread}: "
            f"set it to {spread}, or begin with an empty broker"
        )

    return judge


def tables_stream(replicas: int, shard: Shard = WHOLE, shard_count: int = 1) -> StreamConfig:
    """One append-only log per table; its public commits are republished once they are stored."""
    return StreamConfig(
        name=shard.stream,
        description="One append-only log per table",
        subjects=[f"{shard.root}.>"],
        storage=StorageType.FILE,
        num_replicas=replicas,
        allow_direct=True,
        allow_atomic=True,
        metadata={_SPREAD: str(shard_count)},
        deny_delete=True,
        republish=RePublish(src=f"{shard.root}.*.*.public.*", dest=f"live.{_IDS}.{{{{wildcard(3)}}}}"),
    )


def scores_stream(replicas: int) -> StreamConfig:
    """A message for each deal stored in the ledger, and for each that changed ratings."""
    return _kept(SCORES, "Settlements stored in the ledger, and ratings", replicas, "score.>", "rating.>")


def matches_stream(replicas: int) -> StreamConfig:
    """A message for each table made from tickets."""
    return _kept(MATCHES, "Tables made from tickets", replicas, "match.>")


def events_stream(replicas: int, shard_count: int = 1) -> StreamConfig:
    """Everything public, copied by the broker, which looks for a missing source only seconds later."""
    return StreamConfig(
        name=EVENTS,
        description="Everything public, for analysts",
        storage=StorageType.FILE,
        num_replicas=replicas,
        allow_direct=True,
        deny_delete=True,
        sources=[
            *(
                _source(shard.stream, f"{shard.root}.*.*.public.*", f"events.table.{_IDS}")
                for shard in shards(shard_count)
            ),
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


def public_streams(replicas: int, shard_count: int = 1) -> tuple[StreamConfig, ...]:
    """All of them, sources before what copies them."""
    return (
        *(tables_stream(replicas, shard, shard_count) for shard in shards(shard_count)),
        scores_stream(replicas),
        matches_stream(replicas),
        events_stream(replicas, shard_count),
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
