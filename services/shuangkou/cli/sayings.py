"""What bots say at a table: lines of their personas that follow from what everybody sees."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from shuangkou.cli.words import BOMBS, Words, has_partners
from shuangkou.v1 import ai_pb2, events_pb2, table_pb2


@dataclass(frozen=True, slots=True)
class Character(Words):
    """What a persona is called, and what it says."""

    sayings: tuple[ai_pb2.Saying, ...] = ()


class Chorus:
    """Hears a table commit by commit and answers for its bots; who plays for a person is silent."""

    def __init__(self, personas: Mapping[str, Words]) -> None:
        self._personas = personas
        self._seats = [""] * 4
        self._top: int | None = None
        self._has_partners = True

    def begin(self, view: table_pb2.SeatView) -> None:
        """Start in the middle of a table."""
        self._seats = [""] * 4
        for state in view.seats:
            self._seats[state.seat] = state.occupant.persona

    def hear(self, commit: events_pb2.Commit) -> Iterator[tuple[int, Words]]:
        """Who says what after the commit; of several lines for one occasion the version tells which."""
        self._has_partners = has_partners(commit.ruleset_id)
        for event in commit.events:
            for seat, occasion in self._occasions(event):
                lines = [saying.text for saying in self._sayings(seat) if saying.occasion == occasion]
                if lines:
                    chosen = lines[commit.version % len(lines)]
                    yield seat, Words(chosen.en, chosen.zh)

    def _sayings(self, seat: int) -> tuple[ai_pb2.Saying, ...]:
        persona = self._personas.get(self._seats[seat])
        return persona.sayings if isinstance(persona, Character) else ()

    def _occasions(self, event: events_pb2.Event) -> Iterator[tuple[int, ai_pb2.Occasion.ValueType]]:
        match event.WhichOneof("event"):
            case "seat_taken":
                self._seats[event.seat_taken.seat] = event.seat_taken.persona
            case "seats_swapped":
                one, other = event.seats_swapped.seats
                self._seats[one], self._seats[other] = self._seats[other], self._seats[one]
            case "trick_ended" | "deal_started":
                self._top = None
            case "cards_played" if event.cards_played.HasField("combination"):
                yield from self._played(event.cards_played)
            case "seat_went_out" if self._has_partners:
                yield (event.seat_went_out.seat + 2) % 4, ai_pb2.OCCASION_PARTNER_GOES_OUT
            case "deal_settled" if not _is_drawn(event.deal_settled):
                for seat in range(4):
                    won = seat in event.deal_settled.winners
                    yield seat, ai_pb2.OCCASION_WINS if won else ai_pb2.OCCASION_LOSES

    def _played(self, play: events_pb2.CardsPlayed) -> Iterator[tuple[int, ai_pb2.Occasion.ValueType]]:
        top, is_bomb = self._top, play.combination.kind in BOMBS
        if not play.is_discard:
            self._top = play.seat
        if is_bomb:
            yield play.seat, ai_pb2.OCCASION_BOMBS
            if top is not None and not self._are_partners(top, play.seat):
                yield top, ai_pb2.OCCASION_IS_BOMBED
        elif top is not None and self._are_partners(top, play.seat) and not play.is_discard:
            yield top, ai_pb2.OCCASION_IS_BEATEN_BY_PARTNER

    def _are_partners(self, one: int, other: int) -> bool:
        return self._has_partners and other == (one + 2) % 4


def _is_drawn(deal: events_pb2.DealSettled) -> bool:
    """Nobody has won (平扣), even if somebody went out first."""
    return not deal.winners or deal.climbing.result == events_pb2.DEAL_RESULT_DRAW
