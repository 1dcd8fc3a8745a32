"""What a ledger enters of a trick-taking deal, and whether the rules make the same of its facts."""

from collections.abc import Sequence

from shuangkou.rules.ruleset import TricksRuleSet
from shuangkou.rules.seats import SEATS, seats_of, side_of
from shuangkou.rules.tricks.options import Level
from shuangkou.rules.tricks.schedule import scheduled
from shuangkou.rules.tricks.settlement import verdict_on
from shuangkou.v1 import events_pb2, scoring_pb2
from shuangkou.wire.accounts import PLAIN, TIE, WIDE, DealAccount, SeatAccount
from shuangkou.wire.refusals import MalformedMessage
from shuangkou.wire.tricks.outcomes import settled_from_wire
from shuangkou.wire.tricks.words import FEATS, level_from_wire

_NOTHING = (0, 0, 0, 0)


def account_of(deal: events_pb2.DealSettled) -> DealAccount:
    """By seat; where levels are climbed the points are the rungs that a side went up."""
    climbs = bool(deal.tricks.levels_before) and all(deal.tricks.levels_before)
    seats = [SeatAccount(base=points, levels=points if climbs else 0) for points in deal.scores]
    apart = abs(deal.scores[0] - deal.scores[1])
    margin = min(WIDE, max(1, apart)) if climbs else PLAIN
    return DealAccount(tuple(seats), margin=margin if deal.winners else TIE)


def counts_acts(_: TricksRuleSet) -> bool:
    """A settlement of this family repeats all that it is made of."""
    return False


def contradiction(
    ruleset: TricksRuleSet, deal: events_pb2.DealSettled, _: Sequence[events_pb2.Event] = ()
) -> str:
    """What the rules make else of the facts of the deal (§7.1, §8), empty where they agree."""
    told = settled_from_wire(deal)
    try:
        score, verdict = verdict_on(ruleset.options, told.outcome)
    except (AssertionError, LookupError, ValueError) as error:
        raise MalformedMessage("request/bad_settlement", f"no deal of this game ends so: {error!r}") from None
    winners = () if verdict.winner is None else seats_of(verdict.winner)
    scores = tuple(verdict.scores[side_of(seat)] for seat in SEATS)
    ours = (score, scores, winners, verdict.levels, verdict.deal_passes)
    outcome = told.outcome
    theirs = (outcome.score, told.scores, told.winners, outcome.levels_after, outcome.deal_passes)
    if ours != theirs:
        return f"the rules make {ours} of a deal that was told as {theirs}"
    return f"coins {told.coins} do not sum to zero" if sum(told.coins) else ""


def void_contradiction(_: TricksRuleSet, deal: events_pb2.DealVoided) -> str:
    """The same for a void deal, which is worth nothing (§12.2)."""
    scores = tuple(deal.scores)
    return "" if scores == _NOTHING else f"a void deal is worth nothing, not {scores}"


def sheet_line(deal: events_pb2.DealSettled) -> scoring_pb2.SheetLine:
    """Level, declaring side, small points of the other, what the seats get, a feat of the last trick."""
    outcome = deal.tricks
    feat = FEATS.find(outcome.feat)
    return scoring_pb2.SheetLine(
        number=deal.number,
        level=_level_text(level_from_wire(outcome.level)),
        declaring_side=1 - outcome.attackers,
        small_points=outcome.score,
        points=deal.scores,
        remark=f"{feat.value.replace('_', ' ')} {feat.name_zh}" if feat else "",
    )


def scheduled_lines(ruleset: TricksRuleSet) -> list[scoring_pb2.SheetLine]:
    """The first two columns of the printed sheet, where levels and declarers are fixed (§9.2)."""
    numbers = range(1, len(ruleset.options.schedule) + 1)
    deals = [scheduled(ruleset.options, number) for number in numbers]
    return [
        scoring_pb2.SheetLine(level=_level_text(deal.level), declaring_side=side_of(deal.declarer))
        for deal in deals
    ]


def _level_text(level: Level | None) -> str:
    """As on the cards."""
    return "" if level is None else "10" if level is Level.TEN else level.value
