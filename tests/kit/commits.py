"""Commits of a table made by hand, for what reads them."""

from __future__ import annotations

import hashlib

from shuangkou.rules import ruleset
from shuangkou.rules.climbing.events import (
    ContributionBooked,
    DealVoided,
    FaceCardShown,
    SeatsSwapped,
    VoidReason,
)
from shuangkou.rules.climbing.move_table import move_table
from shuangkou.rules.notation import parse_cards
from shuangkou.rules.seats import SEATS
from shuangkou.v1 import events_pb2
from shuangkou.wire.climbing import event_to_wire
from shuangkou.wire.combinations import combination_to_wire, play_of

SEED = bytes(range(32))


def combination(cards: str, ruleset_id: str = "qq") -> events_pb2.Combination:
    """What these cards are."""
    table = move_table(ruleset.load(ruleset_id).options)
    row = table.classify(parse_cards(cards))
    assert row is not None, cards
    return combination_to_wire(table.combinations[row])


def played(seat: int, cards: str, ruleset_id: str = "qq") -> events_pb2.Event:
    """A seat plays cards."""
    play = play_of(move_table(ruleset.load(ruleset_id).options), SEATS[seat], parse_cards(cards))
    return event_to_wire(play)


def face_card_shown(card: str, first: int, second: int) -> events_pb2.Event:
    """A face-up card, dealt to two seats."""
    return event_to_wire(FaceCardShown(parse_cards(card)[0], SEATS[first], SEATS[second]))


def seats_swapped(one: int, other: int) -> events_pb2.Event:
    """Two players change places."""
    return event_to_wire(SeatsSwapped((SEATS[one], SEATS[other])))


def contribution_booked(seat: int, stars: int, each: int) -> events_pb2.Event:
    """A bomb earns points from every other seat."""
    amounts = tuple(3 * each if other == seat else -each for other in range(4))
    return event_to_wire(ContributionBooked(SEATS[seat], stars, amounts))


def deal_voided(seed: bytes = SEED) -> events_pb2.Event:
    """East and West left the deal."""
    scores = (-8, 8, -8, 8)
    event = event_to_wire(DealVoided(1, VoidReason.FORFEITS, scores, seed, (SEATS[0], SEATS[2])))
    event.deal_voided.totals.extend(scores)
    event.deal_voided.players.extend(["alice", "bot:plain", "bot:plain", "bot:plain"])
    return event


def passed(seat: int) -> events_pb2.Event:
    """A seat passes."""
    return events_pb2.Event(passed=events_pb2.Passed(seat=seat))


def deal_started(leader: int) -> events_pb2.Event:
    """A deal of 27 cards each."""
    return events_pb2.Event(
        deal_started=events_pb2.DealStarted(
            number=1, seed_hash=hashlib.sha256(SEED).digest(), leader=leader, hand_sizes=[27] * 4
        )
    )


def deal_settled(seed: bytes = SEED) -> events_pb2.Event:
    """East and West win a double with a bomb of five."""
    bomb = events_pb2.BombPlayed(seat=0, combination=combination("8 8 8 8 8"))
    return events_pb2.Event(
        deal_settled=events_pb2.DealSettled(
            number=1,
            scores=[8, -8, 8, -8],
            players=["alice", "bot:plain", "bot:plain", "bot:plain"],
            totals=[12, -12, 12, -12],
            seed=seed,
            climbing=events_pb2.ClimbingOutcome(
                result=events_pb2.DEAL_RESULT_DOUBLE,
                finish_order=[0, 2, 1, 3],
                multiplier=2,
                base=4,
                bombs=[bomb],
            ),
        )
    )


def commit(*events: events_pb2.Event, version: int = 1, ruleset_id: str = "qq") -> events_pb2.Commit:
    """One commit with these events."""
    return events_pb2.Commit(table_id="t" * 20, ruleset_id=ruleset_id, version=version, events=events)
