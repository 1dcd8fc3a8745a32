"""What a deal does to the ratings of those who played it: pure. Rulings: docs/rules/ratings.md."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import IntEnum

from openskill.models import PlackettLuce

from shuangkou.rules.seats import SIDES, seats_of
from shuangkou.scoring.seasons import season_of
from shuangkou.scoring.settlement import SeatResult, Settlement
from shuangkou.wire.accounts import NARROW, PLAIN, TIE, WIDE

PROVISIONAL_DEALS = 20
"""With fewer in its season a rating is provisional."""

_MU = 25.0
_SIGMA = _MU / 3
_KEPT = 0.5
_FADED = _SIGMA / 2
_WEIGHTS = {TIE: 1.0, NARROW: 0.75, PLAIN: 1.0, WIDE: 1.25}
_JOINT = "+"

Subject = str
"""A player, or two joined by + in alphabetical order: no name holds one."""


class Pool(IntEnum):
    """Whose deals a rating is made of, by the numbers that they have on the wire."""

    PEOPLE = 1
    BOTS = 2


@dataclass(frozen=True, slots=True)
class Form:
    """What a subject is rated at in a season. streak, longest: deals won in a row, over all seasons."""

    season: str
    mu: float = _MU
    sigma: float = _SIGMA
    deals: int = 0
    deals_won: int = 0
    streak: int = 0
    longest: int = 0

    @property
    def value(self) -> float:
        """What is ranked: a skill that is almost certainly reached."""
        return self.mu - 3 * self.sigma

    def in_season(self, season: str) -> Form:
        """The same at the start of a later season: half way back to the middle, and less certain."""
        if season == self.season:
            return self
        mu = _MU + (self.mu - _MU) * _KEPT
        sigma = min(_SIGMA, math.hypot(self.sigma, _FADED))
        return replace(self, season=season, mu=mu, sigma=sigma, deals=0, deals_won=0)


@dataclass(frozen=True, slots=True)
class Team:
    """Who won or lost together. rank: 1 is best, equal ranks are a tie."""

    subjects: tuple[Subject, ...]
    rank: int
    has_won: bool


@dataclass(frozen=True, slots=True)
class Bout:
    """One comparison of teams. rated: the subjects whose ratings it changes."""

    teams: tuple[Team, ...]
    weight: float
    rated: frozenset[Subject]


def is_pair(subject: Subject) -> bool:
    """Whether it is two players."""
    return _JOINT in subject


def players_of(subject: Subject) -> list[str]:
    """One player, or two."""
    return subject.split(_JOINT)


def joined(names: Sequence[str]) -> Subject:
    """One player as it is, or a pair."""
    return _JOINT.join(sorted(names))


def pool_of(settlement: Settlement) -> Pool:
    """Tables with a bot are rated apart."""
    return Pool.BOTS if any(result.is_bot for result in settlement.seats) else Pool.PEOPLE


def bouts_of(settlement: Settlement) -> list[Bout]:
    """None for a deal that says nothing about skill."""
    if not settlement.family:
        return []
    if settlement.leavers:
        return [_lost_by(settlement, leaver) for leaver in settlement.leavers]
    if settlement.is_void or len(settlement.seats) < 2:
        return []
    if not settlement.has_partners:
        return [_bout(_each_alone(settlement), _WEIGHTS[PLAIN])]
    weight = _WEIGHTS[settlement.account.margin]
    return [_bout(_sides(settlement, pairs), weight) for pairs in (False, True)]


def subjects_of(settlement: Settlement) -> set[Subject]:
    """All whose ratings the deal needs."""
    return {subject for bout in bouts_of(settlement) for team in bout.teams for subject in team.subjects}


def rated(settlement: Settlement, forms: Mapping[Subject, Form]) -> dict[Subject, tuple[Form, Form]]:
    """Before and after for everybody whose rating the deal changes. forms: of all that have one."""
    season = season_of(settlement.settled_ms)
    changes: dict[Subject, tuple[Form, Form]] = {}
    for bout in bouts_of(settlement):
        before = {
            subject: forms.get(subject, Form(season)).in_season(season)
            for team in bout.teams
            for subject in team.subjects
        }
        for subject, after in _after(bout, before).items():
            changes[subject] = (before[subject], after)
    return changes


def _after(bout: Bout, before: Mapping[Subject, Form]) -> dict[Subject, Form]:
    model = PlackettLuce()
    teams = [
        [model.rating(before[subject].mu, before[subject].sigma) for subject in team.subjects]
        for team in bout.teams
    ]
    made = model.rate(teams, ranks=[float(team.rank) for team in bout.teams])
    is_decided = any(team.has_won for team in bout.teams)
    after = {}
    for team, ratings in zip(bout.teams, made, strict=True):
        for subject, rating in zip(team.subjects, ratings, strict=True):
            if subject in bout.rated:
                form = before[subject]
                mu = form.mu + bout.weight * (rating.mu - form.mu)
                streak = form.streak + 1 if team.has_won else 0 if is_decided else form.streak
                after[subject] = Form(
                    season=form.season,
                    mu=mu,
                    sigma=rating.sigma,
                    deals=form.deals + 1,
                    deals_won=form.deals_won + int(team.has_won),
                    streak=streak,
                    longest=max(form.longest, streak),
                )
    return after


def _bout(teams: tuple[Team, ...], weight: float) -> Bout:
    return Bout(teams, weight, _seen_once(teams))


def _seen_once(teams: Iterable[Team]) -> frozenset[Subject]:
    """A name that sits on several seats is not rated: it would win and lose at once."""
    seen = Counter(subject for team in teams for subject in team.subjects)
    return frozenset(subject for subject, times in seen.items() if times == 1)


def _sides(settlement: Settlement, pairs: bool) -> tuple[Team, ...]:
    won = settlement.stored.deal.winners
    by_seat = {result.seat: result.player_id for result in settlement.seats}
    teams = []
    for side in SIDES:
        names = [by_seat[seat] for seat in seats_of(side) if seat in by_seat]
        has_won = any(seat in won for seat in seats_of(side))
        rank = 1 if has_won or not won else 2
        teams.append(Team((joined(names),) if pairs else tuple(names), rank, has_won))
    return tuple(teams)


def _each_alone(settlement: Settlement) -> tuple[Team, ...]:
    points = [result.points for result in settlement.seats]
    return tuple(
        Team((result.player_id,), 1 + sum(other > result.points for other in points), result.is_winner)
        for result in settlement.seats
    )


def _lost_by(settlement: Settlement, leaver: SeatResult) -> Bout:
    """逃跑: a clear loss for who left, and nothing for anybody else, whatever became of the deal."""
    others = [result for result in settlement.seats if result.seat != leaver.seat]
    if settlement.has_partners:
        mates = [result for result in others if (result.seat - leaver.seat) % 2 == 0]
        against = [result for result in others if result not in mates]
        teams = [_team([leaver, *mates], 2, has_won=False), _team(against, 1, has_won=True)]
    else:
        teams = [_team([leaver], 2, has_won=False), *(_team([other], 1, has_won=True) for other in others)]
    return Bout(tuple(teams), _WEIGHTS[WIDE], _seen_once(teams) & {leaver.player_id})


def _team(results: Iterable[SeatResult], rank: int, has_won: bool) -> Team:
    return Team(tuple(result.player_id for result in results), rank, has_won)
