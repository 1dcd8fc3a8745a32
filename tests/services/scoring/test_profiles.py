"""What is told of a player is what a person works out from the deals one by one, on both databases."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

import pytest

from kit.ledgers import at_rest, settlements
from kit.settling import a_season
from shuangkou.scoring.ledger import Ledger
from shuangkou.scoring.records import Records
from shuangkou.scoring.schema import FACED_COUNTS
from shuangkou.scoring.settlement import Settlement

_CHINA = timedelta(hours=8)
_PLACES = ("first", "second", "third", "fourth")


def seats_of(deal: Settlement, player_id: str) -> list[int]:
    """Where the player sat, on several seats perhaps."""
    return [seat for seat, name in enumerate(deal.ending.players) if name == player_id]


def results_by_hand(season: Sequence[Settlement], player_id: str) -> Counter[str]:
    """Sums over all deals of the player."""
    told: Counter[str] = Counter()
    for deal in season:
        for seat in seats_of(deal, player_id):
            has_won = seat in deal.stored.deal.winners
            told["points"] += deal.ending.scores[seat]
            told["forfeits"] += seat in deal.ending.forfeited
            if not deal.is_void:
                told["deals"] += 1
                told["deals_won"] += has_won
                told[_PLACES[list(deal.stored.deal.climbing.finish_order).index(seat)]] += 1
                if deal.stored.deal.winners:
                    told["doubles_won" if has_won else "doubles_lost"] += 1
    return told


def meetings_by_hand(season: Sequence[Settlement], one: str, other: str) -> Counter[str]:
    """Every pair of seats of a deal with a result, one of each."""
    told: Counter[str] = Counter()
    for deal in season:
        if deal.is_void or one == other:
            continue
        for mine in seats_of(deal, one):
            for theirs in seats_of(deal, other):
                i_won, they_won = (seat in deal.stored.deal.winners for seat in (mine, theirs))
                if mine % 2 == theirs % 2:
                    told["deals_with"] += 1
                    told["won_with"] += i_won
                else:
                    told["deals_against"] += 1
                    told["won_against"] += i_won and not they_won
                    told["lost_against"] += they_won and not i_won
    return told


def streaks_by_hand(season: Sequence[Settlement], player_id: str, has_bots: bool) -> tuple[int, int]:
    """The current one and the longest, over the deals in the order in which they ended."""
    streak = longest = 0
    for deal in sorted(season, key=lambda deal: deal.key):
        seats, names = seats_of(deal, player_id), deal.ending.players
        if any(name.startswith("bot:") for name in names) != has_bots or not seats:
            continue
        left, winners = deal.ending.forfeited, deal.stored.deal.winners
        if len(seats) > 1:
            continue
        if left:
            streak = 0 if seats[0] in left else streak
        elif not deal.is_void and winners:
            streak = streak + 1 if seats[0] in winners else 0
        longest = max(longest, streak)
    return streak, longest


def days_by_hand(season: Sequence[Settlement], player_id: str) -> int:
    """Dates in China on which a deal with a result ended."""
    mine = [deal for deal in season if seats_of(deal, player_id) and not deal.is_void]
    return len({(datetime.fromtimestamp(deal.settled_ms / 1000, UTC) + _CHINA).date() for deal in mine})


@pytest.mark.parametrize("seed", [21, 22])
async def test_a_profile_is_what_the_deals_add_up_to(ledger: Ledger, seed: int) -> None:
    season = settlements(a_season(seed, deals=80))
    await ledger.store(season)
    await at_rest(ledger)
    records = Records(ledger.database)
    players = sorted({name for deal in season for name in deal.ending.players})
    for player_id in players:
        [row] = await records.tallies(player_id)
        by_hand = results_by_hand(season, player_id)
        assert {name: row._mapping[name] for name in by_hand} == by_hand
        assert await records.days_played(player_id) == days_by_hand(season, player_id)
        for rating in await records.ratings(player_id):
            expected = streaks_by_hand(season, player_id, has_bots=rating.pool == 2)
            assert (rating.streak, rating.longest) == expected
        for other in players:
            meetings = meetings_by_hand(season, player_id, other)
            rows = await records.head_to_head(player_id, other)
            told = Counter({name: sum(row._mapping[name] for row in rows) for name in FACED_COUNTS})
            assert told == meetings
        company = await records.company(player_id)
        met = [meetings_by_hand(season, player_id, other) for other in players]
        assert company.partners == sum(each["deals_with"] > 0 for each in met)
        assert company.opponents == sum(each["deals_against"] > 0 for each in met)
