"""What a ledger enters of a climbing deal, and whether the rules make the same of its facts."""

from collections import Counter
from collections.abc import Sequence

from shuangkou.rules.climbing.events import DealSettled, Result
from shuangkou.rules.climbing.move_table import move_table
from shuangkou.rules.climbing.options import Scoring
from shuangkou.rules.climbing.reckoning import follows_from_acts, reckonings
from shuangkou.rules.climbing.record import winners_by_place
from shuangkou.rules.climbing.settlement import DealRecord, fines, settle
from shuangkou.rules.decider import decider_for
from shuangkou.rules.ruleset import RuleSet
from shuangkou.rules.seats import SEATS
from shuangkou.v1 import events_pb2, scoring_pb2
from shuangkou.wire.accounts import NARROW, PLAIN, TIE, WIDE, DealAccount, SeatAccount
from shuangkou.wire.climbing.events import acts_from_wire
from shuangkou.wire.climbing.outcomes import RESULTS, settled_from_wire
from shuangkou.wire.refusals import MalformedMessage

_MARGINS = {Result.DOUBLE: WIDE, Result.SINGLE: PLAIN, Result.DRAW: NARROW, Result.WIN: PLAIN}


def account_of(deal: events_pb2.DealSettled) -> DealAccount:
    """By seat, with the place and the bombs of each."""
    outcome = deal.climbing
    result = RESULTS.find(outcome.result)
    bombs = Counter(bomb.seat for bomb in outcome.bombs)
    places = {seat: place for place, seat in enumerate(outcome.finish_order, start=1)}
    scores = list(outcome.breakdown) or [
        events_pb2.SeatScore(base=points, multiplier=1) for points in deal.scores
    ]
    seats = [
        SeatAccount(
            base=scores[seat].base,
            multiplier=scores[seat].multiplier,
            contribution=scores[seat].contribution,
            fine=scores[seat].fine,
            place=places.get(seat, 0),
            bombs=bombs[seat],
        )
        for seat in SEATS
    ]
    named = "" if result in (None, Result.WIN) else result.value
    return DealAccount(tuple(seats), named, _MARGINS[result] if result and deal.winners else TIE)


def counts_acts(ruleset: RuleSet) -> bool:
    """Whether the points of a deal are for what was played or held in it (§11, §13)."""
    return follows_from_acts(ruleset.options)


def contradiction(
    ruleset: RuleSet, deal: events_pb2.DealSettled, acts: Sequence[events_pb2.Event] = ()
) -> str:
    """What the rules make else of the facts of the deal (§7.1, §9.1), empty where they agree.

    acts: the public events of a deal that `counts_acts`, from its start on. Without them only the parts of
    its scores are looked at.
    """
    told = settled_from_wire(move_table(ruleset.options), deal)
    fined = fines(ruleset.options, told.forfeited)
    for seat, part in enumerate(told.breakdown):
        if part.total != told.scores[seat] or part.fine != fined[seat]:
            return f"seat {seat} scores {told.scores[seat]}, made of {part}, with a fine of {fined[seat]}"
    if ruleset.options.scoring is Scoring.PLACES:
        return _by_places(ruleset, told)
    return _by_acts(ruleset, told, acts) if acts and counts_acts(ruleset) else ""


def void_contradiction(ruleset: RuleSet, deal: events_pb2.DealVoided) -> str:
    """The same for a void deal, in which nothing counts but the fines (§9.2)."""
    fined = fines(ruleset.options, tuple(SEATS[seat] for seat in deal.forfeited))
    return "" if tuple(deal.scores) == fined else f"the fines are {fined}, not {tuple(deal.scores)}"


def sheet_line(deal: events_pb2.DealSettled) -> scoring_pb2.SheetLine:
    """The points, and how the deal ended where places tell it."""
    result = RESULTS.find(deal.climbing.result)
    remark = "" if result in (None, Result.WIN) else f"{result.value} {result.name_zh}"
    return scoring_pb2.SheetLine(number=deal.number, points=deal.scores, remark=remark)


def scheduled_lines(_: RuleSet) -> list[scoring_pb2.SheetLine]:
    """No game of this family has a schedule."""
    return []


def _by_places(ruleset: RuleSet, told: DealSettled) -> str:
    record = DealRecord(told.finish_order, bombs=told.bombs, forfeited=told.forfeited)
    made = settle(ruleset.options, record)
    winners = winners_by_place(ruleset.options, told.finish_order)
    ours = (made.result, made.base, made.multiplier, made.scores, winners)
    theirs = (told.result, told.base, told.multiplier, told.scores, told.winners)
    return "" if ours == theirs else f"the rules make {ours} of a deal that was told as {theirs}"


def _by_acts(ruleset: RuleSet, told: DealSettled, acts: Sequence[events_pb2.Event]) -> str:
    before = decider_for(ruleset).new_match(ruleset)
    try:
        made = list(reckonings(before, acts_from_wire(before.table, acts), told.seed))
    except (AssertionError, LookupError, ValueError) as error:
        raise MalformedMessage("request/bad_settlement", f"no deal of this game goes so: {error!r}") from None
    return "" if told in made else f"the rules make {made[:1]} of the acts of a deal that was told as {told}"
