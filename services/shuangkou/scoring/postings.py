"""What a batch of facts adds to the sums: pure, and the same in whatever order they come."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from itertools import permutations

from shuangkou.rules.seats import SEATS
from shuangkou.scoring.player_results import PlayerResult, meeting, player_results
from shuangkou.scoring.schema import FACED_COUNTS, TALLY_COUNTS
from shuangkou.scoring.seasons import day_of, season_of
from shuangkou.scoring.settlement import Settlement, is_bot
from shuangkou.v1.scoring_pb2 import MatchResult

Row = dict[str, object]
_PLACES = ("", "first", "second", "third", "fourth")
_ALL_TIME = ""


def entries_of(settlement: Settlement) -> list[Row]:
    """One for each seat that is played on."""
    coins = list(settlement.stored.deal.coins) or [0] * len(SEATS)
    rows: list[Row] = []
    for result in settlement.seats:
        account = settlement.account.seats[result.seat]
        rows.append(
            {
                "table_id": settlement.stored.table_id,
                "number": settlement.number,
                "seat": result.seat,
                "player_id": result.player_id,
                "settled_ms": settlement.settled_ms,
                "points": result.points,
                "base": account.base,
                "multiplier": account.multiplier,
                "contribution": account.contribution,
                "fine": account.fine,
                "levels": account.levels,
                "coins": coins[result.seat],
                "place": result.place,
                "bombs": account.bombs,
                "is_winner": result.is_winner,
                "has_left": result.has_left,
            }
        )
    return rows


@dataclass(slots=True)
class Standing:
    """What one player adds to one board. achieved_ms: when the points last changed, 0 for never."""

    points: int = 0
    deals: int = 0
    deals_won: int = 0
    achieved_ms: int = 0


@dataclass(slots=True)
class Tally:
    """What one player adds to its results in one ruleset."""

    counts: dict[str, int] = field(default_factory=lambda: dict.fromkeys(TALLY_COUNTS, 0))
    last_ms: int = 0


def _no_meetings() -> dict[str, int]:
    return dict.fromkeys(FACED_COUNTS, 0)


@dataclass(slots=True)
class Sums:
    """What a batch adds, by the keys of the tables."""

    standings: defaultdict[tuple[str, str, str], Standing] = field(
        default_factory=lambda: defaultdict(Standing)
    )
    tallies: defaultdict[tuple[str, str], Tally] = field(default_factory=lambda: defaultdict(Tally))
    faced: defaultdict[tuple[str, str, str], dict[str, int]] = field(
        default_factory=lambda: defaultdict(_no_meetings)
    )
    days: set[tuple[str, int]] = field(default_factory=set)
    events: defaultdict[tuple[str, str, str], list[int]] = field(
        default_factory=lambda: defaultdict(lambda: [0, 0])
    )
    match_seats: set[tuple[str, str, int]] = field(default_factory=set)

    def add_deals(self, settlements: Iterable[Settlement]) -> None:
        """Deals that are entered."""
        for settlement in settlements:
            results = player_results(settlement)
            for result in results:
                self._add_standings(settlement, result)
                self._add_tally(settlement, result)
                if not settlement.is_void:
                    self.days.add((result.player_id, day_of(settlement.settled_ms)))
            if not settlement.is_void:
                self._add_meetings(settlement, results)

    def add_matches(self, matches: Iterable[MatchResult], leavers: Mapping[str, Collection[str]]) -> None:
        """Matches that are over. leavers: by table, who left a deal there, which wins no match (§1.5)."""
        for match in matches:
            left = leavers.get(match.table_id, ())
            for player_id in dict.fromkeys(filter(None, match.players)):
                has_won = int(player_id not in left and _is_winner(match, player_id))
                tally = self.tallies[player_id, match.ruleset_id]
                tally.counts["matches"] += 1
                tally.counts["matches_won"] += has_won
                tally.last_ms = max(tally.last_ms, match.ended_ms)
                self.match_seats.add((player_id, match.table_id, match.ended_ms))
                if match.event_id:
                    counts = self.events[match.event_id, match.ruleset_id, player_id]
                    counts[0] += 1
                    counts[1] += has_won

    def take_back(self, match: MatchResult, leavers: Iterable[str]) -> None:
        """The win of those of whom it becomes known after the match that they had left it."""
        for player_id in leavers:
            if _is_winner(match, player_id):
                self.tallies[player_id, match.ruleset_id].counts["matches_won"] -= 1
                if match.event_id:
                    self.events[match.event_id, match.ruleset_id, player_id][1] -= 1

    def standing_rows(self) -> list[Row]:
        """Of the boards."""
        return [
            {
                "board": board,
                "season": season,
                "player_id": player_id,
                "is_bot": is_bot(player_id),
                "points": row.points,
                "deals": row.deals,
                "deals_won": row.deals_won,
                "achieved_ms": row.achieved_ms,
            }
            for (board, season, player_id), row in sorted(self.standings.items(), key=_by_key)
        ]

    def tally_rows(self) -> list[Row]:
        """Of the results by ruleset."""
        return [
            {"player_id": player_id, "ruleset_id": ruleset_id, "last_ms": row.last_ms, **row.counts}
            for (player_id, ruleset_id), row in sorted(self.tallies.items(), key=_by_key)
        ]

    def faced_rows(self) -> list[Row]:
        """Of the meetings."""
        return [
            {"player_id": one, "other_id": other, "ruleset_id": ruleset_id, **counts}
            for (one, other, ruleset_id), counts in sorted(self.faced.items(), key=_by_key)
        ]

    def day_rows(self) -> list[Row]:
        """Of the days."""
        return [{"player_id": player_id, "day": day} for player_id, day in sorted(self.days)]

    def event_rows(self) -> list[Row]:
        """Of the matches in events."""
        return [
            {
                "event_id": event_id,
                "ruleset_id": ruleset_id,
                "player_id": player_id,
                "matches": counts[0],
                "matches_won": counts[1],
            }
            for (event_id, ruleset_id, player_id), counts in sorted(self.events.items(), key=_by_key)
        ]

    def match_seat_rows(self) -> list[Row]:
        """Of who played which match."""
        return [
            {"player_id": player_id, "table_id": table_id, "ended_ms": ended_ms}
            for player_id, table_id, ended_ms in sorted(self.match_seats)
        ]

    def _add_standings(self, settlement: Settlement, result: PlayerResult) -> None:
        boards = [settlement.stored.ruleset_id, *([settlement.family] if settlement.family else [])]
        for board in boards:
            for season in (_ALL_TIME, season_of(settlement.settled_ms)):
                row = self.standings[board, season, result.player_id]
                row.points += result.points
                row.deals += int(result.has_played)
                row.deals_won += int(result.is_winner)
                if result.points:
                    row.achieved_ms = max(row.achieved_ms, settlement.settled_ms)

    def _add_tally(self, settlement: Settlement, result: PlayerResult) -> None:
        row = self.tallies[result.player_id, settlement.stored.ruleset_id]
        row.last_ms = max(row.last_ms, settlement.settled_ms)
        counts = row.counts
        counts["points"] += result.points
        counts["coins"] += result.coins
        counts["deals"] += int(result.has_played)
        counts["deals_won"] += int(result.is_winner)
        counts["bombs"] += result.bombs
        counts["levels"] += result.levels
        counts["forfeits"] += int(result.has_left)
        if result.place:
            counts[_PLACES[result.place]] += 1
        if settlement.account.result and settlement.stored.deal.winners:
            counts[f"{settlement.account.result}s_won"] += int(result.is_winner)
            counts[f"{settlement.account.result}s_lost"] += int(result.is_loser)

    def _add_meetings(self, settlement: Settlement, results: Iterable[PlayerResult]) -> None:
        for one, other in permutations(results, 2):
            counts = self.faced[one.player_id, other.player_id, settlement.stored.ruleset_id]
            met = meeting(settlement, one, other)
            counts["deals_with"] += int(met.is_with)
            counts["won_with"] += int(met.has_won_with)
            counts["deals_against"] += int(met.is_against)
            counts["won_against"] += int(met.has_won_against)
            counts["lost_against"] += int(met.has_lost_against)


def _is_winner(match: MatchResult, player_id: str) -> bool:
    """All its seats won."""
    seats = [seat for seat, name in enumerate(match.players) if name == player_id]
    return bool(seats) and all(seat in match.winners for seat in seats)


def _by_key(item: tuple[tuple[str, ...], object]) -> tuple[str, ...]:
    return item[0]
