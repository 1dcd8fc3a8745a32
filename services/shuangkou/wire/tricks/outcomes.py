"""How a trick-taking deal or match ended, between protobuf and the rules."""

from collections.abc import Iterable

from shuangkou.rules.seats import SIDES
from shuangkou.rules.tricks.events import DealSettled, MatchDecided, Outcome
from shuangkou.rules.tricks.view import Standing
from shuangkou.v1 import events_pb2, tricks_pb2
from shuangkou.wire.cards import cards_from_wire, cards_to_wire
from shuangkou.wire.outcomes import points_from_wire, side_from_wire
from shuangkou.wire.refusals import MalformedMessage
from shuangkou.wire.seats import seat_from_wire, seats_from_wire
from shuangkou.wire.tricks.words import (
    DECIDED_BY,
    FEATS,
    TRUMPS,
    coins_from_wire,
    coins_to_wire,
    level_from_wire,
    level_to_wire,
    levels_from_wire,
    maybe_seat,
    maybe_side,
    pair_from_wire,
)


def decided_to_wire(event: MatchDecided) -> tricks_pb2.MatchDecided:
    """Who won the match, and by what."""
    return tricks_pb2.MatchDecided(winner=event.winner, by=DECIDED_BY.to_wire(event.by))


def decided_from_wire(message: tricks_pb2.MatchDecided) -> MatchDecided:
    """MalformedMessage for one that no engine writes."""
    winner = maybe_side(message.winner, message.HasField("winner"))
    return MatchDecided(winner, DECIDED_BY.from_wire(message.by, "by"))


def settled_to_wire(event: DealSettled) -> events_pb2.DealSettled:
    """Without players and totals, which the table adds."""
    return events_pb2.DealSettled(
        number=event.number,
        scores=event.scores,
        seed=event.seed,
        forfeited=event.forfeited,
        winners=event.winners,
        coins=coins_to_wire(event.coins),
        tricks=_outcome_to_wire(event.outcome),
    )


def settled_from_wire(message: events_pb2.DealSettled) -> DealSettled:
    """The settlement as the rules know it; MalformedMessage for one that no engine writes."""
    if message.WhichOneof("outcome") != "tricks":
        raise MalformedMessage(
            "request/bad_settlement", "a settlement of this game has a trick-taking outcome"
        )
    return DealSettled(
        number=message.number,
        scores=points_from_wire(message.scores),
        seed=message.seed,
        winners=seats_from_wire(message.winners),
        outcome=_outcome_from_wire(message.tricks),
        coins=coins_from_wire(message.coins),
        forfeited=seats_from_wire(message.forfeited),
    )


def _outcome_to_wire(outcome: Outcome) -> tricks_pb2.TricksOutcome:
    return tricks_pb2.TricksOutcome(
        declarer=outcome.declarer,
        attackers=outcome.attackers,
        trump=TRUMPS.to_wire(outcome.trump),
        level=level_to_wire(outcome.level),
        score=outcome.score,
        taken=outcome.taken,
        fines=outcome.fines,
        captured=outcome.captured,
        kitty=cards_to_wire(outcome.kitty),
        deal_passes=outcome.deal_passes,
        levels_before=[level_to_wire(level) for level in outcome.levels_before],
        levels_after=[level_to_wire(level) for level in outcome.levels_after],
        overturns=outcome.overturns,
        next_declarer=outcome.next_declarer,
        feat=tricks_pb2.FEAT_UNSPECIFIED if outcome.feat is None else FEATS.to_wire(outcome.feat),
    )


def _outcome_from_wire(message: tricks_pb2.TricksOutcome) -> Outcome:
    return Outcome(
        declarer=seat_from_wire(message.declarer),
        attackers=side_from_wire(message.attackers),
        trump=TRUMPS.from_wire(message.trump, "trump"),
        level=level_from_wire(message.level),
        score=message.score,
        taken=pair_from_wire(message.taken),
        fines=pair_from_wire(message.fines),
        captured=message.captured,
        kitty=cards_from_wire(message.kitty),
        deal_passes=message.deal_passes,
        levels_before=levels_from_wire(message.levels_before),
        levels_after=levels_from_wire(message.levels_after),
        overturns=message.overturns,
        next_declarer=maybe_seat(message.next_declarer, message.HasField("next_declarer")),
        feat=FEATS.from_wire(message.feat, "feat") if message.feat else None,
    )


def handover_to_wire(standing: Standing) -> events_pb2.Handover:
    """What a standing holds beside points and numbers, which stand elsewhere."""
    decided = standing.decided
    tricks = tricks_pb2.TricksHandover(
        levels=[level_to_wire(level) for level in standing.levels],
        reached_in=standing.reached_in,
        attacking_points=standing.attacking_points,
        coins=coins_to_wire(standing.coins),
        declarer=standing.declarer,
        last_first=standing.last_first,
        dealt_again=standing.dealt_again,
        first_attackers=standing.first_attackers,
        decided=None if decided is None else decided_to_wire(decided),
    )
    return events_pb2.Handover(deals_voided=standing.deals_voided, tricks=tricks)


def standing_from_wire(message: events_pb2.Handover, deals_played: int, totals: Iterable[int]) -> Standing:
    """The standing of which `message` is a part; MalformedMessage for one that no engine writes."""
    tricks = message.tricks
    nothing = (0,) * len(SIDES)
    return Standing(
        deals_played=deals_played,
        totals=tuple(totals),
        deals_voided=message.deals_voided,
        levels=levels_from_wire(tricks.levels or nothing),
        reached_in=pair_from_wire(tricks.reached_in or nothing),
        attacking_points=pair_from_wire(tricks.attacking_points or nothing),
        coins=coins_from_wire(tricks.coins),
        declarer=maybe_seat(tricks.declarer, tricks.HasField("declarer")),
        last_first=maybe_seat(tricks.last_first, tricks.HasField("last_first")),
        dealt_again=tricks.dealt_again,
        first_attackers=maybe_side(tricks.first_attackers, tricks.HasField("first_attackers")),
        decided=decided_from_wire(tricks.decided) if tricks.HasField("decided") else None,
    )
