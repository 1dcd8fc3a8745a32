"""The act that a commit of the public record tells of, with hidden cards where the record gives them away."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from shuangkou.rules.cards import Card
from shuangkou.rules.climbing.commands import (
    Bid,
    CallLandlord,
    DeclareCombination,
    GrabLandlord,
    MarkCard,
    Surrender,
    TakeFromKitty,
    VoteRedeal,
)
from shuangkou.rules.commands import BuryKitty, Forfeit, Pass, PlayCards, Whistle
from shuangkou.rules.seats import Seat
from shuangkou.rules.tricks.commands import DeclareTrump, DrawOn, NameShape
from shuangkou.v1 import events_pb2
from shuangkou.wire.cards import card_from_wire, cards_from_wire
from shuangkou.wire.tricks.words import shape_from_wire


class Hidden(Exception):
    """The record does not give away which cards these were."""


@dataclass(frozen=True, slots=True)
class Record:
    """The commits of one deal, from its start to its end or as far as it has come."""

    commits: Sequence[events_pb2.Commit]

    @property
    def started(self) -> events_pb2.DealStarted:
        """How it began."""
        return next(event.deal_started for event in self.events() if event.HasField("deal_started"))

    @property
    def end(self) -> events_pb2.DealSettled | events_pb2.DealVoided | None:
        """How it ended; None while it is played."""
        for event in self.commits[-1].events:
            if event.HasField("deal_settled"):
                return event.deal_settled
            if event.HasField("deal_voided"):
                return event.deal_voided
        return None

    @property
    def seed(self) -> bytes:
        """Revealed by its end."""
        return b"" if self.end is None else self.end.seed

    @property
    def is_played_out(self) -> bool:
        """Every card was played, as in each trick-taking deal with a result."""
        return isinstance(self.end, events_pb2.DealSettled) and self.end.HasField("tricks")

    @property
    def shown_kitty(self) -> tuple[Card, ...]:
        """The kitty as it was buried last, where the result shows it."""
        end = self.end
        return cards_from_wire(end.tricks.kitty) if isinstance(end, events_pb2.DealSettled) else ()

    def events(self, after: int = 0) -> Iterator[events_pb2.Event]:
        """All events of commits after a version."""
        return (event for commit in self.commits if commit.version > after for event in commit.events)

    def played(self, seat: int, after: int) -> Counter[Card]:
        """What the seat plays after a version."""
        plays = (event.cards_played for event in self.events(after) if event.HasField("cards_played"))
        return Counter(card for play in plays if play.seat == seat for card in cards_from_wire(play.cards))


Reader = Callable[[Record, events_pb2.Commit, Any, Any], Any]
"""An act from the deal, the commit, its first event and the state before it."""


def act_in(record: Record, commit: events_pb2.Commit, event: events_pb2.Event, state: Any) -> Any:
    """The command behind the commit whose first event of the rules this is; Hidden where nobody can know."""
    kind = event.WhichOneof("event") or ""
    read = _READERS.get(kind)
    if read is None:
        raise Hidden(f"nothing is known of {kind or 'an event of a later engine'}")
    return read(record, commit, getattr(event, kind), state)


def _cards(message: Any) -> tuple[Card, ...]:
    return cards_from_wire(message.cards)


def _buried(record: Record, commit: events_pb2.Commit, event: Any, state: Any) -> BuryKitty:
    """The kitty that the result shows; before that what the seat held and never played."""
    seat, hand = Seat(event.seat), Counter(state.deal.hands[event.seat])
    later = [each.kitty_buried for each in record.events(commit.version) if each.HasField("kitty_buried")]
    if not later and record.shown_kitty:
        return BuryKitty(seat, record.shown_kitty)
    rest = hand - record.played(seat, commit.version)
    is_known = record.is_played_out or rest.total() == event.number
    if any(each.seat == seat for each in later) or not is_known:
        raise Hidden("the buried cards 扣底")
    return BuryKitty(seat, tuple(sorted(rest.elements())))


def _shown(record: Record, commit: events_pb2.Commit, event: Any, state: Any) -> DeclareTrump:
    seat = Seat(event.seat)
    cards = _turned_up(record, commit) if event.is_face_down else _cards(event)
    topped = next((each.pair_topped for each in commit.events if each.HasField("pair_topped")), None)
    returned = () if topped is None else _returned(record, commit, topped, state)
    return DeclareTrump(seat, cards, returned)


def _turned_up(record: Record, commit: events_pb2.Commit) -> tuple[Card, ...]:
    shows = [
        (each.version, one.trump_declared)
        for each in record.commits
        for one in each.events
        if one.HasField("trump_declared") and one.trump_declared.is_face_down
    ]
    fixed = [one.trump_fixed for one in record.events() if one.HasField("trump_fixed")]
    revealed = [show for each in fixed for show in each.revealed]
    place = next(at for at, (version, _) in enumerate(shows) if version == commit.version)
    if len(revealed) != len(shows):
        raise Hidden("the cards that lie face down 暗叫")
    return cards_from_wire(revealed[place].cards)


def _returned(record: Record, commit: events_pb2.Commit, topped: Any, state: Any) -> tuple[Card, ...]:
    """From the plays of whichever of the two neither gives nor takes again."""
    later = [each.pair_topped for each in record.events(commit.version) if each.HasField("pair_topped")]
    busy = {seat for each in later for seat in (each.seat, each.owner)}
    taken, hands = Counter(cards_from_wire(topped.taken)), state.deal.hands
    undrawn = state.deal.undrawn
    for seat, sign in ((topped.seat, 1), (topped.owner, -1)):
        before = Counter((*hands[seat], *undrawn[seat]))
        after = record.played(seat, commit.version)
        gone = before + taken - after if sign > 0 else after - (before - taken)
        if seat not in busy and (record.is_played_out or gone.total() == _RETURNED):
            return tuple(sorted(gone.elements()))
    raise Hidden("the cards that came back for a pair 还牌")


_RETURNED: Final = 2


def _taken(_: Record, __: events_pb2.Commit, event: Any, state: Any) -> TakeFromKitty:
    seat, kitty = Seat(event.seat), tuple(state.deal.kitty)
    if event.number not in (0, len(kitty)):
        raise Hidden("the cards taken of the kitty 拿底")
    return TakeFromKitty(seat, kitty if event.number else ())


def _marked(record: Record, _: events_pb2.Commit, event: Any, __: Any) -> MarkCard:
    marks = next((each.marks_shown.marks for each in record.events() if each.HasField("marks_shown")), ())
    if event.seat >= len(marks):
        raise Hidden("the marked card 提分")
    return MarkCard(Seat(event.seat), card_from_wire(marks[event.seat]))


def _unknown(what: str) -> Reader:
    def read(*_: Any) -> Any:
        raise Hidden(what)

    return read


_READERS: Final[dict[str, Reader]] = {
    "cards_drawn": lambda *_: DrawOn(),
    "trump_declared": _shown,
    "call_passed": lambda _, __, event, ___: Pass(Seat(event.seat)),
    "passed": lambda _, __, event, ___: Pass(Seat(event.seat)),
    "kitty_buried": _buried,
    "cards_played": lambda _, __, event, ___: PlayCards(Seat(event.seat), _cards(event)),
    "throw_failed": lambda _, __, event, ___: PlayCards(Seat(event.seat), _cards(event)),
    "shape_named": lambda _, __, event, ___: NameShape(Seat(event.seat), shape_from_wire(event.shape)),
    "combination_declared": lambda _, __, event, ___: DeclareCombination(Seat(event.seat), _cards(event)),
    "bid_made": lambda _, __, event, ___: Bid(Seat(event.seat), event.points),
    "landlord_called": lambda _, __, event, ___: CallLandlord(Seat(event.seat)),
    "landlord_grabbed": lambda _, __, event, ___: GrabLandlord(Seat(event.seat)),
    "kitty_chosen": _taken,
    "hand_exchanged": _unknown("the exchanged cards 换牌"),
    "mark_set": _marked,
    "seat_forfeited": lambda _, __, event, ___: Forfeit(Seat(event.seat)),
    "surrender_offered": lambda _, __, event, ___: Surrender(Seat(event.seat)),
    "redeal_voted": lambda _, __, event, ___: VoteRedeal(Seat(event.seat)),
    "deal_voided": lambda *_: Whistle(),
}
"""By the first event of a commit, the act that caused it."""
