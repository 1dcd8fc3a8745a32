"""Rows of the ledger as clients are told of them."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Row

from shuangkou.scoring.boards import RankedRow
from shuangkou.scoring.ratings import PROVISIONAL_DEALS, players_of
from shuangkou.scoring.seasons import season_bounds
from shuangkou.v1 import scoring_pb2

_PLACES = ("first", "second", "third", "fourth")


def leaderboard_row(ranked: RankedRow) -> scoring_pb2.LeaderboardRow:
    """A player in a ranking by points."""
    row = ranked.row
    return scoring_pb2.LeaderboardRow(
        rank=ranked.rank,
        player_id=row.player_id,
        points=row.points,
        deals=row.deals,
        deals_won=row.deals_won,
    )


def rating_row(ranked: RankedRow) -> scoring_pb2.RatingRow:
    """A player or a pair in a ranking by rating."""
    return scoring_pb2.RatingRow(rank=ranked.rank, rating=rating(ranked.row))


def rating(row: Row[Any]) -> scoring_pb2.Rating:
    """A rating with what tells how much it means."""
    return scoring_pb2.Rating(
        player_ids=players_of(row.subject),
        family=row.family,
        season=row.season,
        pool=row.pool,
        mu=row.mu,
        sigma=row.sigma,
        value=row.value,
        is_provisional=row.deals < PROVISIONAL_DEALS,
        deals=row.deals,
        deals_won=row.deals_won,
        streak=row.streak,
        longest_streak=row.longest,
    )


def season(name: str, ratings: int, newest: str) -> scoring_pb2.Season:
    """A season; all but the newest are archived."""
    began_ms, ends_ms = season_bounds(name)
    return scoring_pb2.Season(
        season=name, began_ms=began_ms, ends_ms=ends_ms, ratings=ratings, is_archived=name != newest
    )


def player_results(row: Row[Any]) -> scoring_pb2.PlayerResults:
    """A player's results in one ruleset."""
    places = [getattr(row, place) for place in _PLACES]
    return scoring_pb2.PlayerResults(
        ruleset_id=row.ruleset_id,
        points=row.points,
        deals=row.deals,
        deals_won=row.deals_won,
        firsts=row.first,
        places=places if any(places) else [],
        doubles=_counts(row, "doubles"),
        singles=_counts(row, "singles"),
        draws=_counts(row, "draws"),
        bombs=row.bombs,
        levels=row.levels,
        coins=row.coins,
        matches=row.matches,
        matches_won=row.matches_won,
        forfeits=row.forfeits,
        last_ms=row.last_ms,
    )


def event_results(row: Row[Any]) -> scoring_pb2.EventResults:
    """A player's matches in one event."""
    return scoring_pb2.EventResults(
        event_id=row.event_id, ruleset_id=row.ruleset_id, matches=row.matches, matches_won=row.matches_won
    )


def companion(row: Row[Any]) -> scoring_pb2.Companion:
    """What a player has played with and against another."""
    return scoring_pb2.Companion(
        player_id=row.other_id,
        deals_with=int(row.deals_with),
        won_with=int(row.won_with),
        deals_against=int(row.deals_against),
        won_against=int(row.won_against),
    )


def head_to_head(row: Row[Any]) -> scoring_pb2.HeadToHead:
    """How two players did in one ruleset."""
    return scoring_pb2.HeadToHead(
        ruleset_id=row.ruleset_id,
        deals_with=row.deals_with,
        won_with=row.won_with,
        deals_against=row.deals_against,
        won_against=row.won_against,
        lost_against=row.lost_against,
    )


def _counts(row: Row[Any], name: str) -> scoring_pb2.ResultCounts:
    won = getattr(row, f"{name}_won")
    rate = won / row.deals if row.deals else 0.0
    return scoring_pb2.ResultCounts(won=won, lost=getattr(row, f"{name}_lost"), rate=rate)
