"""What is told of a player is what a person works out from the deals one by one, on both databases."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

import pytest

from kit.ledgers import at_rest, derived_anew, settlements
from kit.settling import a_season, finishing, settling_commit, voiding_commit
from shuangkou.scoring.boards import Boards, PointsQuestion
from shuangkou.scoring.derivation import open_ledger
from shuangkou.scoring.ledger import Ledger
from shuangkou.scoring.records import Records
from shuangkou.scoring.schema import FACED_COUNTS, TALLY_COUNTS
from shuangkou.scoring.settlement import Settlement

_CHINA = timedelta(hours=8)
_PLACES = ("first", "second", "third", "fourth")


def seats_of(deal: Settlement, player_id: str) -> list[int]:
    """Where the player sat, on several seats perhaps."""
    return [seat for seat, name in enumerate(deal.ending.players) if name == player_id]


def won(deal: Settlement, seat: int) -> bool:
    """Who leaves has lost, whichever side the deal was won by."""
    return seat in deal.stored.deal.winners and seat not in deal.ending.forfeited


def results_by_hand(season: Sequence[Settlement], player_id: str) -> Counter[str]:
    """Sums over all deals of the player, each counted once."""
    told: Counter[str] = Counter()
    for deal in season:
        seats = seats_of(deal, player_id)
        if not seats:
            continue
        has_left = any(seat in deal.ending.forfeited for seat in seats)
        told["points"] += sum(deal.ending.scores[seat] for seat in seats)
        told["forfeits"] += has_left
        told["deals"] += has_left or not deal.is_void
        if deal.is_void or len({seat % 2 for seat in seats}) > 1:
            continue
        has_won = all(won(deal, seat) for seat in seats)
        told["deals_won"] += has_won
        order = list(deal.stored.deal.climbing.finish_order)
        told[_PLACES[min(map(order.index, seats))]] += not has_left
        if deal.stored.deal.winners:
            told["doubles_won" if has_won else "doubles_lost"] += 1
    return told


def meetings_by_hand(season: Sequence[Settlement], one: str, other: str) -> Counter[str]:
    """Every deal with a result once with and once against each other, as their seats lie."""
    told: Counter[str] = Counter()
    for deal in season:
        if deal.is_void or one == other:
            continue
        left = deal.ending.forfeited
        pairs = [(mine, its) for mine in seats_of(deal, one) for its in seats_of(deal, other)]
        for kind in ("with", "against"):
            some = [(mine, its) for mine, its in pairs if (kind == "with") == (mine % 2 == its % 2)]
            told[f"deals_{kind}"] += bool(some)
            if not some:
                continue
            if kind == "with":
                told["won_with"] += all(won(deal, mine) and won(deal, its) for mine, its in some)
                continue
            beaten = [its in left or (won(deal, mine) and not won(deal, its)) for mine, its in some]
            lost = [mine in left or (won(deal, its) and not won(deal, mine)) for mine, its in some]
            stayed = [mine not in left for mine, _ in some]
            its_stayed = [its not in left for _, its in some]
            told["won_against"] += all(beaten) and all(stayed)
            told["lost_against"] += all(lost) and all(its_stayed)
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


async def counted(ledger: Ledger, player_id: str) -> dict[str, int]:
    """What of a player's only row of results is not 0."""
    [row] = await Records(ledger.database).tallies(player_id)
    return {name: row._mapping[name] for name in TALLY_COUNTS if row._mapping[name]}


async def test_who_leaves_has_lost_in_every_list_whichever_side_won(ledger: Ledger) -> None:
    """docs/rules/ratings.md §1.5, 逃跑: also against those who stayed; the partner has won."""
    left = settling_commit(number=2, time_ms=2_000)
    left.events[-1].deal_settled.forfeited.append(0)
    void = voiding_commit(number=3, time_ms=3_000)
    await ledger.store(settlements([settling_commit(), left, void]))
    await at_rest(ledger)
    alice, carol, bob = [await counted(ledger, name) for name in ("alice", "carol", "bob")]
    assert (alice["deals"], alice["deals_won"], alice["forfeits"], alice["doubles_lost"]) == (3, 1, 2, 1)
    assert (carol["deals"], carol["deals_won"], carol["doubles_won"]) == (3, 2, 2)
    assert (bob["deals"], bob["doubles_lost"]) == (2, 2)
    board = await Boards(ledger.database).points(PointsQuestion("qq", "", False), None, 9)
    won = {ranked.row.player_id: (ranked.row.deals, ranked.row.deals_won) for ranked in board.rows}
    assert won == {"alice": (3, 1), "carol": (3, 2), "bob": (2, 0), "dave": (2, 0)}
    records = Records(ledger.database)
    [rating] = await records.ratings("alice")
    assert (rating.deals, rating.deals_won, rating.streak, rating.longest) == (3, 1, 0, 1)
    [met] = await records.head_to_head("alice", "bob")
    assert (met.deals_against, met.won_against, met.lost_against) == (2, 1, 1)
    [met] = await records.head_to_head("bob", "alice")
    assert (met.deals_against, met.won_against, met.lost_against) == (2, 1, 1)
    [met] = await records.head_to_head("alice", "carol")
    assert (met.deals_with, met.won_with) == (2, 1)


@pytest.mark.parametrize("order", [[0, 1], [1, 0], [0, 0, 1, 1]])
async def test_who_left_a_deal_of_a_match_has_not_won_it(ledger: Ledger, order: Sequence[int]) -> None:
    """docs/rules/ratings.md §1.5: whenever it becomes known that it left; the partner has won it."""
    left, last = settling_commit(time_ms=1_000), finishing(settling_commit(number=2, time_ms=2_000), winner=0)
    left.events[-1].deal_settled.forfeited.append(0)
    deals = settlements([left, last])
    for place in order:
        await ledger.store([deals[place]])
    records = Records(ledger.database)
    for name, won in (("alice", 0), ("bob", 0), ("carol", 1)):
        told = await counted(ledger, name)
        assert (told["matches"], told.get("matches_won", 0)) == (1, won)
        [event] = await records.event_results(name)
        assert (event.matches, event.matches_won) == (1, won)
    alice = await counted(ledger, "alice")
    # The place of the deal that somebody else finished is none of the leaver's.
    assert (alice["deals"], alice["first"]) == (2, 1)
    [match] = (await records.matches("alice", None, 9)).matches
    assert list(match.winners) == [0, 2]
    assert await at_rest(ledger) == await derived_anew(ledger)


async def test_a_match_and_a_deal_that_was_left_may_be_entered_at_once(
    ledger: Ledger, database_url: str
) -> None:
    """By two replicas: whichever ends later sees the other."""
    async with open_ledger(database_url) as other:
        for number in range(6):
            left, last = settling_commit(f"t{number}"), finishing(settling_commit(f"t{number}", 2), winner=0)
            left.events[-1].deal_settled.forfeited.append(0)
            one, two = settlements([left, last])
            await asyncio.gather(ledger.store([one]), other.store([two]))
    alice = await counted(ledger, "alice")
    assert (alice["matches"], alice.get("matches_won", 0)) == (6, 0)


async def test_who_only_sat_at_a_void_deal_has_no_rank(ledger: Ledger) -> None:
    """docs/rules/ratings.md §2.1; its share of the fines counts from its first deal on."""
    await ledger.store(settlements([finishing(voiding_commit(), winner=1)]))
    boards, question = Boards(ledger.database), PointsQuestion("qq", "", include_bots=True)
    ranked = (await boards.points(question, None, 9)).rows
    assert [each.row.player_id for each in ranked] == ["alice", "carol"]
    assert not (await boards.points_from(question, "dave", 9)).rows
    dave = await counted(ledger, "dave")
    assert (dave["points"], dave["matches"], dave["matches_won"]) == (10, 1, 1)
    await ledger.store(settlements([settling_commit("t2")]))
    [first, *_] = (await boards.points(question, None, 9)).rows
    assert (first.row.player_id, first.row.points, first.row.deals) == ("dave", 8, 1)


async def test_a_deal_counts_once_for_a_bot_on_several_seats(ledger: Ledger) -> None:
    """docs/rules/ratings.md §1.6: against itself no win and no loss, on one side its better place."""
    bot = "bot:plain"
    await ledger.store(settlements([finishing(settling_commit(players=[bot] * 4), winner=0)]))
    assert await counted(ledger, bot) == {"deals": 1, "matches": 1}
    await ledger.store(settlements([settling_commit("t2", players=("alice", bot, "carol", bot))]))
    told = await counted(ledger, bot)
    assert (told["deals"], told["points"], told["doubles_lost"], told["third"]) == (2, -4, 1, 1)
    await ledger.store(settlements([settling_commit("t3", players=(bot, "alice", bot, "carol"))]))
    told = await counted(ledger, bot)
    assert (told["deals"], told["deals_won"], told["first"], told["doubles_won"]) == (3, 1, 1, 1)
    await ledger.store(settlements([settling_commit("t4", players=("alice", bot, bot, bot))]))
    [met] = await Records(ledger.database).head_to_head("alice", bot)
    assert (met.deals_with, met.won_with) == (1, 1)
    assert (met.deals_against, met.won_against, met.lost_against) == (3, 2, 1)
