"""What a deal brought to each player, once for each, however many seats it sat on: pure."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

from shuangkou.rules.seats import SEATS, side_of
from shuangkou.scoring.settlement import SeatResult, Settlement


@dataclass(frozen=True, slots=True)
class PlayerResult:
    """A deal as one player's. Rulings: docs/rules/ratings.md §1.

    points, coins, bombs: of all its seats. levels: of its side, or of both. place: its best one, 0 where
    there are none, it played against itself or it left. has_played: the deal counts as one of its deals.
    is_winner, is_loser: neither where nobody won, or it played against itself.
    """

    player_id: str
    seats: tuple[SeatResult, ...]
    points: int
    coins: int
    bombs: int
    levels: int
    place: int
    has_played: bool
    is_winner: bool
    is_loser: bool
    has_left: bool


@dataclass(frozen=True, slots=True)
class Meeting:
    """What a deal with a result was between two players, each on one seat or on several."""

    is_with: bool
    has_won_with: bool
    is_against: bool
    has_won_against: bool
    has_lost_against: bool


def player_results(deal: Settlement) -> list[PlayerResult]:
    """One for each player, in the order of their first seats."""
    by_player: dict[str, list[SeatResult]] = {}
    for result in deal.seats:
        by_player.setdefault(result.player_id, []).append(result)
    return [_result(deal, tuple(seats)) for seats in by_player.values()]


def meeting(deal: Settlement, one: PlayerResult, other: PlayerResult) -> Meeting:
    """What the deal was between two different players, as the first one sees it."""
    pairs = list(product(one.seats, other.seats))
    with_it = [pair for pair in pairs if _are_partners(deal, *pair)]
    against = [pair for pair in pairs if pair not in with_it]
    return Meeting(
        is_with=bool(with_it),
        has_won_with=bool(with_it) and all(mine.is_winner and its.is_winner for mine, its in with_it),
        is_against=bool(against),
        has_won_against=bool(against) and all(_beats(mine, its) for mine, its in against),
        has_lost_against=bool(against) and all(_beats(its, mine) for mine, its in against),
    )


def _result(deal: Settlement, seats: tuple[SeatResult, ...]) -> PlayerResult:
    accounts = {result.seat: deal.account.seats[result.seat] for result in seats}
    coins = deal.stored.deal.coins
    # Both seats of a side go up together.
    sides = {side_of(SEATS[seat]) if deal.has_partners else seat: seat for seat in accounts}
    is_one_side = len({(result.is_winner, result.is_loser) for result in seats}) == 1
    is_one_side = is_one_side and not (deal.has_partners and len(sides) > 1)
    has_left = any(result.has_left for result in seats)
    return PlayerResult(
        player_id=seats[0].player_id,
        seats=seats,
        points=sum(result.points for result in seats),
        coins=sum(coins[seat] for seat in accounts) if coins else 0,
        bombs=sum(account.bombs for account in accounts.values()),
        levels=sum(accounts[seat].levels for seat in sides.values()),
        place=min(result.place for result in seats) if is_one_side and not has_left else 0,
        has_played=has_left or not deal.is_void,
        is_winner=is_one_side and seats[0].is_winner,
        is_loser=has_left or (is_one_side and seats[0].is_loser),
        has_left=has_left,
    )


def _are_partners(deal: Settlement, one: SeatResult, other: SeatResult) -> bool:
    return deal.has_partners and side_of(SEATS[one.seat]) == side_of(SEATS[other.seat])


def _beats(one: SeatResult, other: SeatResult) -> bool:
    """Who stays has beaten an opponent who leaves, whichever side the deal was won by."""
    return not one.has_left and (other.has_left or (one.is_winner and not other.is_winner))
