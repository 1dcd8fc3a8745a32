"""The end of a deal that counts (§7, §8): its score, what that becomes, and what it means for the match."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from shuangkou.rules.by_seat import added
from shuangkou.rules.cards import Card
from shuangkou.rules.seats import SEATS, SIDES, Seat, Side, seats_of, side_of
from shuangkou.rules.tricks.conversion import big_points, match_points
from shuangkou.rules.tricks.deal_end import DealEnd, Feat, LastTrick, LevelsBefore, Role, deal_end
from shuangkou.rules.tricks.events import (
    DealSettled,
    DecidedBy,
    Event,
    KittyCaptured,
    MatchDecided,
    Outcome,
    SideLevels,
)
from shuangkou.rules.tricks.level_tables import gain
from shuangkou.rules.tricks.multipliers import capture
from shuangkou.rules.tricks.options import KittyMultiplier, Level, Rotation, Scoring, TricksOptions
from shuangkou.rules.tricks.order import Trump, TrumpOrder
from shuangkou.rules.tricks.point_cards import points_of
from shuangkou.rules.tricks.schedule import next_declarer
from shuangkou.rules.tricks.stakes import coins_won
from shuangkou.rules.tricks.state import DealState, MatchState, by_side, order_of
from shuangkou.rules.tricks.units import format_of
from shuangkou.rules.tricks.verdict import decided_by_deals
from shuangkou.rules.tricks.view import Standing, score_of


@dataclass(frozen=True, slots=True)
class Finish:
    """What is known when the last trick is over.

    last: who won it, and with which cards. captured: points that it brought on top. score: of the attacking
    side.
    """

    declarer: Seat
    attackers: Side
    last: LastTrick
    captured: int
    score: int
    declarer_points: int

    @property
    def declarers(self) -> Side:
        """The side that does not attack."""
        return Side(1 - self.attackers)


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a finish is worth.

    scores: by side. winner: the side that won the deal, None where neither did. deal_passes: the attackers
    take it. match: the side that won the match by this deal.
    """

    scores: tuple[int, int]
    winner: Side | None
    deal_passes: bool
    levels: SideLevels
    feat: Feat | None = None
    match: Side | None = None


def settled(state: MatchState, deal: DealState) -> tuple[Event, ...]:
    """The events that end a deal; `deal` after its last trick."""
    options, standing = state.ruleset.options, state.standing
    capturing = _capture(options, order_of(state, deal), deal)
    finish = _finish(deal, capturing)
    verdict = verdict_of(options, standing, finish)
    event = DealSettled(
        number=deal.number,
        scores=tuple(verdict.scores[side_of(seat)] for seat in SEATS),
        seed=deal.seed,
        winners=() if verdict.winner is None else seats_of(verdict.winner),
        outcome=_outcome(options, standing, deal, finish, verdict),
        coins=_coins(options, deal, verdict),
    )
    decided = _decision(options, standing_after(options, standing, event), verdict, deal.seed)
    return (
        *(() if capturing is None else (capturing,)),
        *(() if decided is None else (decided,)),
        event,
    )


def _capture(options: TricksOptions, order: TrumpOrder, deal: DealState) -> KittyCaptured | None:
    """§7.2 to §7.5; None where the attacking side did not win the last trick or nothing is captured."""
    trick, rule = deal.last_trick, options.kitty_multiplier
    winner, led = deal.leader, format_of(order, trick[0].cards)
    if winner is None or led is None or side_of(winner) != deal.attackers or rule is KittyMultiplier.NONE:
        return None
    last = next(play for play in trick if play.seat == winner)
    is_by_trick = rule is KittyMultiplier.LAST_TRICK
    cards = tuple(card for play in trick for card in play.cards) if is_by_trick else deal.kitty
    worth = capture(options, led, order.is_trump(last.cards[0]), cards)
    # The trick itself has been counted once already.
    counted = points_of(cards) if is_by_trick else 0
    return KittyCaptured(winner, cards, worth.multiplier, worth.points - counted)


def _finish(deal: DealState, capturing: KittyCaptured | None) -> Finish:
    declarer, attackers = deal.declarer, deal.attackers
    assert declarer is not None  # TrumpFixed comes after DeclarerNamed
    assert attackers is not None
    captured = 0 if capturing is None else capturing.points
    kept = points_of(deal.kitty) if capturing is None else 0
    last = next(play for play in deal.last_trick if play.seat == deal.leader)
    role = Role.ATTACKERS if side_of(last.seat) == attackers else Role.DECLARERS
    return Finish(
        declarer=declarer,
        attackers=attackers,
        last=LastTrick(role, last.cards),
        captured=captured,
        score=max(0, score_of(attackers, deal.taken, deal.fines) + captured),
        declarer_points=deal.taken[1 - attackers] + kept,
    )


def _by_levels(options: TricksOptions, standing: Standing, finish: Finish) -> Verdict:
    """§8.1, §8.2, §8.4 to §8.6, §10.1 to §10.5."""
    earned = gain(options, finish.score, finish.declarer_points)
    before = standing.levels
    declarers, attackers = before[finish.declarers], before[finish.attackers]
    assert declarers is not None  # a ladder is climbed
    assert attackers is not None
    end = deal_end(options, LevelsBefore(declarers, attackers), finish.score, earned, finish.last)
    after = _by_role(finish, end.declarers, end.attackers)
    return Verdict(
        scores=(_rungs(options, before[0], after[0]), _rungs(options, before[1], after[1])),
        winner=finish.attackers if earned.deal_passes else finish.declarers,
        deal_passes=earned.deal_passes,
        levels=after,
        feat=end.feat,
        match=_match_winner(finish, end),
    )


def _by_role(finish: Finish, declarers: Level, attackers: Level) -> SideLevels:
    return (attackers, declarers) if finish.attackers == SIDES[0] else (declarers, attackers)


def _rungs(options: TricksOptions, before: Level | None, after: Level | None) -> int:
    """How many rungs a side went up."""
    if before is None or after is None:
        return 0
    return options.ladder.index(after) - options.ladder.index(before)


def _match_winner(finish: Finish, end: DealEnd) -> Side | None:
    if end.winner is None:
        return None
    return finish.attackers if end.winner is Role.ATTACKERS else finish.declarers


def _by_conversion(_: TricksOptions, standing: Standing, finish: Finish) -> Verdict:
    """§8.3."""
    worth = big_points(finish.score)
    return Verdict(
        scores=by_side(by_side((0, 0), finish.attackers, worth), finish.declarers, -worth),
        winner=finish.attackers if worth > 0 else finish.declarers,
        deal_passes=worth > 0,
        levels=standing.levels,
    )


_PAR = 100
"""The score at which neither side gets match points (§8.7)."""


def _by_match_points(_: TricksOptions, standing: Standing, finish: Finish) -> Verdict:
    """§8.7; neither side has won a deal that ends at par."""
    worth, over = match_points(finish.score), finish.score - _PAR
    ahead = finish.attackers if over > 0 else finish.declarers
    return Verdict(
        scores=by_side(by_side((0, 0), finish.attackers, worth.attackers), finish.declarers, worth.holders),
        winner=ahead if over else None,
        deal_passes=over > 0,
        levels=standing.levels,
    )


_SCORINGS: dict[Scoring, Callable[[TricksOptions, Standing, Finish], Verdict]] = {
    Scoring.LEVELS: _by_levels,
    Scoring.TOTALS: _by_levels,
    Scoring.CONVERSION: _by_conversion,
    Scoring.MATCH_POINTS: _by_match_points,
}
"""How a deal is scored, by the option `scoring`."""


def verdict_of(options: TricksOptions, standing: Standing, finish: Finish) -> Verdict:
    """What a finish is worth where the sides stand so (§8)."""
    return _SCORINGS[options.scoring](options, standing, finish)


def verdict_on(options: TricksOptions, told: Outcome) -> tuple[int, Verdict]:
    """The score of the attacking side and what it is worth, made anew of the public facts of a deal.

    That are the points of the tricks, what the last brought, the fines, the kitty, the levels before, and
    whether the last trick was a feat.
    """
    score = max(0, score_of(told.attackers, told.taken, told.fines) + told.captured)
    kept = 0 if told.captured else points_of(told.kitty)
    finish = Finish(
        declarer=told.declarer,
        attackers=told.attackers,
        last=_last_trick_told(told),
        captured=told.captured,
        score=score,
        declarer_points=told.taken[1 - told.attackers] + kept,
    )
    return score, verdict_of(options, Standing(levels=told.levels_before), finish)


def _last_trick_told(told: Outcome) -> LastTrick:
    """One that is the feat which is told, or none: jokers are of no level."""
    level = told.levels_before[1 - told.attackers]
    if told.feat is None or level is None:
        return LastTrick(Role.DECLARERS, (Card.BIG_JOKER,))
    role = Role.DECLARERS if told.feat is Feat.HAT else Role.ATTACKERS
    return LastTrick(role, tuple(card for card in Card if card.rank is level.rank)[:1])


def _outcome(
    options: TricksOptions, standing: Standing, deal: DealState, finish: Finish, verdict: Verdict
) -> Outcome:
    has_next = options.rotation is not Rotation.ROLES_ALTERNATE
    following = next_declarer(options, finish.declarer, verdict.deal_passes) if has_next else None
    return Outcome(
        declarer=finish.declarer,
        attackers=finish.attackers,
        trump=deal.trump or Trump.NONE,
        level=deal.level,
        score=finish.score,
        taken=deal.taken,
        fines=deal.fines,
        captured=finish.captured,
        kitty=deal.kitty,
        deal_passes=verdict.deal_passes,
        levels_before=standing.levels,
        levels_after=verdict.levels,
        overturns=deal.auction.overturns,
        next_declarer=following,
        feat=verdict.feat,
    )


def _coins(options: TricksOptions, deal: DealState, verdict: Verdict) -> tuple[int, ...]:
    """§8.8."""
    if verdict.winner is None:
        return deal.coins
    return added(deal.coins, coins_won(options, verdict.winner, deal.auction.overturns))


def _decision(options: TricksOptions, after: Standing, verdict: Verdict, seed: bytes) -> MatchDecided | None:
    """A match that is won comes before one whose deals are over (§10.6)."""
    if verdict.match is not None:
        return MatchDecided(verdict.match, DecidedBy.LEVEL if verdict.feat is None else DecidedBy.FEAT)
    return decided_by_deals(options, after, seed)


def standing_after(options: TricksOptions, earlier: Standing, event: DealSettled) -> Standing:
    """What the deal hands on to the next."""
    outcome, played = event.outcome, earlier.deals_played + 1
    is_first = options.rotation is Rotation.ROLES_ALTERNATE and earlier.first_attackers is None
    return replace(
        earlier,
        deals_played=played,
        totals=added(earlier.totals, event.scores),
        levels=outcome.levels_after,
        reached_in=(_reached(earlier, outcome, SIDES[0]), _reached(earlier, outcome, SIDES[1])),
        attacking_points=by_side(earlier.attacking_points, outcome.attackers, outcome.score),
        coins=added(earlier.coins, event.coins),
        declarer=outcome.next_declarer,
        dealt_again=0,
        first_attackers=outcome.attackers if is_first else earlier.first_attackers,
    )


def _reached(earlier: Standing, outcome: Outcome, side: Side) -> int:
    """The number of the counted deal in which the side got to its level."""
    is_same = outcome.levels_before[side] is outcome.levels_after[side]
    return earlier.reached_in[side] if is_same else earlier.deals_played + 1


def after_settlement(state: MatchState, deal: DealState, event: DealSettled) -> MatchState:
    """Between two deals."""
    standing = standing_after(state.ruleset.options, state.standing, event)
    standing = replace(standing, last_first=deal.first)
    return replace(state, deal=None, settled=event, voided=None, standing=standing)
