"""Facts under the keys of the stream, and room for all that follows from them.

Only the facts are carried over; whoever opens the ledger derives the rest from them. Going back makes the
sums of old from the entries.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any

import sqlalchemy as sa
from alembic import op

from shuangkou.v1.events_pb2 import SettlementStored
from shuangkou.wire.families import family_of

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

_ID = sa.String().with_variant(sa.String(collation="C"), "postgresql")
_Columns = list[str | sa.TextClause]
_ROW_NUMBER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
_BATCH = 1000
_BOT = "bot:"

_NEW = (
    "settlements",
    "match_ends",
    "seat_entries",
    "board_standings",
    "tallies",
    "faced",
    "days_played",
    "match_seats",
    "ratings",
    "rating_changes",
    "unrated_deals",
    "untold_ratings",
    "ledger_state",
)
_FACT = ("table_id", "number", "ruleset_id", "family", "version", "settled_ms", "settlement")
_FACED = "deals_with won_with deals_against won_against lost_against"
_TALLIED = (
    "points coins deals deals_won first second third fourth doubles_won doubles_lost singles_won "
    "singles_lost draws_won draws_lost bombs levels forfeits matches matches_won"
)


def upgrade() -> None:
    """From numbered deals to facts."""
    _create_facts()
    _create_sums()
    _create_ratings()
    _carry_facts_over()
    for name in ("standings", "entries", "deals"):
        op.drop_table(name)
    op.execute(sa.text("DELETE FROM event_standings"))


def downgrade() -> None:
    """Back to numbered deals and their sums."""
    _create_numbered()
    _number_deals()
    _sum_up()
    for name in reversed(_NEW):
        op.drop_table(name)


def _key(name: str, kind: Any = _ID) -> sa.Column[Any]:
    return sa.Column(name, kind, primary_key=True, autoincrement=False)


def _counts(names: str) -> list[sa.Column[Any]]:
    return [sa.Column(name, sa.BigInteger, nullable=False) for name in names.split()]


def _ids(names: str) -> list[sa.Column[Any]]:
    return [sa.Column(name, _ID, nullable=False) for name in names.split()]


def _flags(names: str) -> list[sa.Column[Any]]:
    return [sa.Column(name, sa.Boolean, nullable=False) for name in names.split()]


def _deal_key() -> list[sa.Column[Any]]:
    return [_key("table_id"), _key("number", sa.BigInteger)]


def _create_facts() -> None:
    op.create_table(
        "settlements",
        *_deal_key(),
        *_ids("ruleset_id family"),
        *_counts("version settled_ms"),
        sa.Column("settlement", sa.LargeBinary, nullable=False),
    )
    newest = [sa.text(f"{name} DESC") for name in ("settled_ms", "table_id", "number")]
    op.create_index("settlements_by_time", "settlements", newest)
    op.create_table(
        "match_ends",
        _key("table_id"),
        *_ids("ruleset_id"),
        *_counts("ended_ms"),
        sa.Column("ending", sa.LargeBinary, nullable=False),
    )
    op.create_table("ledger_state", _key("name"), *_ids("value"))
    op.create_table("unrated_deals", _key("settled_ms", sa.BigInteger), *_deal_key())
    op.create_table("untold_ratings", *_deal_key())


def _create_sums() -> None:
    op.create_table(
        "seat_entries",
        *_deal_key(),
        _key("seat", sa.Integer),
        *_ids("player_id"),
        *_counts("settled_ms points base multiplier contribution fine levels coins"),
        sa.Column("place", sa.Integer, nullable=False),
        sa.Column("bombs", sa.Integer, nullable=False),
        *_flags("is_winner has_left"),
    )
    newest: _Columns = [sa.text(f"{name} DESC") for name in ("settled_ms", "table_id", "number")]
    op.create_index("seat_entries_by_player", "seat_entries", ["player_id", *newest])
    op.create_table(
        "board_standings",
        *(_key(name) for name in ("board", "season", "player_id")),
        *_flags("is_bot"),
        *_counts("points deals deals_won achieved_ms"),
    )
    order: _Columns = ["board", "season", sa.text("points DESC"), "achieved_ms", "player_id", "is_bot"]
    op.create_index("board_standings_by_points", "board_standings", order)
    op.create_table("tallies", _key("player_id"), _key("ruleset_id"), *_counts(f"last_ms {_TALLIED}"))
    op.create_table(
        "faced", *(_key(name) for name in ("player_id", "other_id", "ruleset_id")), *_counts(_FACED)
    )
    op.create_table("days_played", _key("player_id"), _key("day", sa.Integer))
    op.create_table("match_seats", _key("player_id"), _key("table_id"), *_counts("ended_ms"))
    newest = [sa.text("ended_ms DESC"), sa.text("table_id DESC")]
    op.create_index("match_seats_by_time", "match_seats", ["player_id", *newest])


def _form() -> list[sa.Column[Any]]:
    doubles = [sa.Column(name, sa.Double, nullable=False) for name in ("mu", "sigma", "value")]
    return [*doubles, *_counts("deals deals_won streak longest settled_ms")]


def _create_ratings() -> None:
    op.create_table(
        "ratings",
        _key("family"),
        _key("pool", sa.Integer),
        _key("subject"),
        _key("season"),
        *_flags("is_pair"),
        *_form(),
    )
    order: _Columns = ["family", "season", "pool", "is_pair", sa.text("value DESC"), "settled_ms", "subject"]
    op.create_index("ratings_by_value", "ratings", order)
    op.create_index("ratings_by_subject", "ratings", ["subject"])
    op.create_table(
        "rating_changes",
        *_deal_key(),
        _key("subject"),
        *_ids("family"),
        sa.Column("pool", sa.Integer, nullable=False),
        *_ids("season"),
        *_flags("is_pair"),
        sa.Column("mu_before", sa.Double, nullable=False),
        sa.Column("sigma_before", sa.Double, nullable=False),
        *_form(),
    )
    op.create_index("rating_changes_by_time", "rating_changes", ["settled_ms", "table_id", "number"])
    newest: _Columns = ["subject", "family", "pool", "season", sa.text("settled_ms DESC")]
    op.create_index("rating_changes_by_subject", "rating_changes", newest)


def _carry_facts_over() -> None:
    connection = op.get_bind()
    old = sa.text(
        "SELECT id, table_id, number, settled_ms, settlement FROM deals WHERE id > :last "
        "ORDER BY id LIMIT :size"
    )
    new = sa.table("settlements", *map(sa.column, _FACT))
    last = -(2**62)
    while rows := connection.execute(old, {"last": last, "size": _BATCH}).all():
        winners = _winners(rows[0].id, rows[-1].id)
        connection.execute(sa.insert(new), [_fact(row, winners.get(row.id, [])) for row in rows])
        last = rows[-1].id


def _winners(first: int, last: int) -> dict[int, list[int]]:
    asked = sa.text(
        "SELECT deal_id, seat FROM entries WHERE is_winner AND deal_id BETWEEN :first AND :last "
        "ORDER BY deal_id, seat"
    )
    rows = op.get_bind().execute(asked, {"first": first, "last": last}).all()
    return {deal_id: [row.seat for row in group] for deal_id, group in groupby(rows, lambda row: row.deal_id)}


def _fact(row: sa.Row[Any], winners: Sequence[int]) -> dict[str, object]:
    """The oldest settlements did not say who won; their entries do."""
    stored = SettlementStored.FromString(row.settlement)
    if stored.HasField("deal") and not stored.deal.winners:
        stored.deal.winners.extend(winners)
    return {
        "table_id": row.table_id,
        "number": row.number,
        "ruleset_id": stored.ruleset_id,
        "family": family_of(stored.ruleset_id, stored.deal),
        "version": stored.version,
        "settled_ms": row.settled_ms,
        "settlement": stored.SerializeToString(deterministic=True),
    }


def _create_numbered() -> None:
    op.create_table(
        "deals",
        sa.Column("id", _ROW_NUMBER, primary_key=True),
        *_ids("table_id"),
        *_counts("number settled_ms"),
        sa.Column("settlement", sa.LargeBinary, nullable=False),
        sa.UniqueConstraint("table_id", "number", name="deals_once"),
    )
    op.create_index("deals_by_time", "deals", ["settled_ms", "id"])
    op.create_table(
        "entries",
        sa.Column("deal_id", _ROW_NUMBER, sa.ForeignKey("deals.id"), primary_key=True),
        sa.Column("seat", sa.Integer, primary_key=True),
        *_ids("ruleset_id player_id"),
        *_counts("points"),
        *_flags("is_first is_winner"),
    )
    op.create_index("entries_by_player", "entries", ["player_id", "deal_id"])
    op.create_table(
        "standings",
        _key("ruleset_id"),
        _key("player_id"),
        *_flags("is_bot"),
        *_counts("points deals deals_won firsts achieved_ms"),
    )
    order: _Columns = ["ruleset_id", sa.text("points DESC"), "achieved_ms", "player_id", "is_bot"]
    op.create_index("standings_by_points", "standings", order)
    op.create_index("standings_by_player", "standings", ["player_id"])


def _number_deals() -> None:
    """In the order in which they ended; the numbers mean nothing else."""
    op.execute(
        sa.text(
            "INSERT INTO deals (table_id, number, settled_ms, settlement) "
            "SELECT table_id, number, settled_ms, settlement FROM settlements "
            "ORDER BY settled_ms, table_id, number"
        )
    )
    op.execute(
        sa.text(
            "INSERT INTO entries (deal_id, seat, ruleset_id, player_id, points, is_first, is_winner) "
            "SELECT deals.id, e.seat, s.ruleset_id, e.player_id, e.points, e.place = 1, e.is_winner "
            "FROM seat_entries e JOIN deals ON deals.table_id = e.table_id AND deals.number = e.number "
            "JOIN settlements s ON s.table_id = e.table_id AND s.number = e.number"
        )
    )


def _sum_up() -> None:
    """As the ledger of old did; a void deal is told by its settlement alone, so deals are counted here."""
    connection = op.get_bind()
    standings: dict[tuple[str, str], dict[str, Any]] = {}
    for settled_ms, stored, entries in _deals_with_entries(connection):
        is_void = stored.HasField("voided")
        for entry in entries:
            key = (stored.ruleset_id, entry.player_id)
            row = standings.setdefault(key, _blank(*key, settled_ms))
            row["points"] += entry.points
            row["deals"] += int(not is_void)
            row["deals_won"] += int(entry.is_winner)
            row["firsts"] += int(entry.is_first)
            if entry.points:
                row["achieved_ms"] = max(row["achieved_ms"], settled_ms)
    rows = list(standings.values())
    for start in range(0, len(rows), _BATCH):
        connection.execute(
            sa.insert(sa.table("standings", *map(sa.column, rows[0]))), rows[start : start + _BATCH]
        )


def _deals_with_entries(
    connection: sa.Connection,
) -> Iterator[tuple[int, SettlementStored, list[sa.Row[Any]]]]:
    asked = sa.text(
        "SELECT deals.id, deals.settled_ms, deals.settlement, e.player_id, e.points, e.is_first, e.is_winner "
        "FROM deals JOIN entries e ON e.deal_id = deals.id ORDER BY deals.id, e.seat"
    )
    for _, group in groupby(connection.execute(asked), lambda row: row.id):
        entries = list(group)
        yield entries[0].settled_ms, SettlementStored.FromString(entries[0].settlement), entries


def _blank(ruleset_id: str, player_id: str, settled_ms: int) -> dict[str, Any]:
    counts = dict.fromkeys(("points", "deals", "deals_won", "firsts"), 0)
    is_bot = player_id.startswith(_BOT)
    return {
        "ruleset_id": ruleset_id,
        "player_id": player_id,
        "is_bot": is_bot,
        "achieved_ms": settled_ms,
        **counts,
    }
