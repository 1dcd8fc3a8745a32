"""A card that was not played is known to the seat that holds it and to engines, and to nobody else."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from google.protobuf.message import Message

from kit.chaos.hands import deals, hands_after
from kit.chaos.history import History, Stored
from shuangkou.v1.cards_pb2 import Card
from shuangkou.v1.events_pb2 import Commit, Hand, SecretCommit

Broken = tuple[str, str, str]

_LAW = "hidden cards stay hidden"
_TELLING_CARDS = 20
"""So many cards of a hand in a row are no play."""
_OPEN = frozenset(("cards_played", "deal_settled", "deal_voided"))
"""Events with cards that everyone has seen, in the games of a run."""
_CARD = Card.DESCRIPTOR.full_name


def secrets_hold(history: History, stored: Stored) -> Iterator[Broken]:
    """All that is broken."""
    needles = {table_id: _needles(secrets) for table_id, secrets in stored.secrets.items()}
    for subject, payload in (*stored.public, *history.heard):
        table_id = next((word for word in subject.split(".") if word in needles), "")
        for needle in needles.get(table_id, ()):
            if needle in payload:
                yield _LAW, table_id, f"a hand is readable on {subject}"
                break
    for table_id, commits in stored.commits.items():
        yield from _shows_only_plays(table_id, commits)
        yield from _keeps_seed(table_id, commits, stored.secrets.get(table_id, ()))
    yield from _watchers_see_their_own(history, stored, needles)


def _needles(secrets: Sequence[SecretCommit]) -> list[bytes]:
    """What a message that holds a hand, or most of one, contains."""
    found = []
    for deal in deals(secrets).values():
        for hand in deal.hands:
            for first in range(max(0, len(hand.cards) - _TELLING_CARDS) + 1):
                window = Hand(cards=hand.cards[first : first + _TELLING_CARDS])
                # Without the tag and the length, which depend on the field that would hold them.
                found.append(window.SerializeToString()[2:])
    return found


def _shows_only_plays(table_id: str, commits: Sequence[Commit]) -> Iterator[Broken]:
    for commit in commits:
        for event in commit.events:
            kind = event.WhichOneof("event") or "an unknown event"
            if kind not in _OPEN and _has_cards(event):
                yield _LAW, table_id, f"version {commit.version} shows cards in {kind}"
        if _has_unknown(commit):
            yield _LAW, table_id, f"version {commit.version} has fields that nobody knows"


def _has_cards(message: Message) -> bool:
    for field, value in message.ListFields():
        if field.enum_type is not None and field.enum_type.full_name == _CARD:
            return True
        if field.message_type is not None and not field.message_type.GetOptions().map_entry:
            nested = [value] if isinstance(value, Message) else value
            if any(_has_cards(each) for each in nested):
                return True
    return False


def _has_unknown(commit: Commit) -> bool:
    known = Commit.FromString(commit.SerializeToString())
    known.DiscardUnknownFields()
    return known.ByteSize() < commit.ByteSize()


def _keeps_seed(
    table_id: str, commits: Sequence[Commit], secrets: Sequence[SecretCommit]
) -> Iterator[Broken]:
    for version, deal in deals(secrets).items():
        for commit in commits[version - 1 :]:
            if any(event.WhichOneof("event") in ("deal_settled", "deal_voided") for event in commit.events):
                break
            if deal.seed in commit.SerializeToString():
                yield _LAW, table_id, f"version {commit.version} tells the seed"


def _watchers_see_their_own(
    history: History, stored: Stored, needles: dict[str, list[bytes]]
) -> Iterator[Broken]:
    held = {
        table_id: {each.version: each.held for each in hands_after(commits, stored.secrets.get(table_id, ()))}
        for table_id, commits in stored.commits.items()
    }
    shown = [
        (watcher, update.commit.version, update.seat if update.HasField("seat") else None, update.own_hand)
        for watcher, parts in history.told.items()
        for part in parts
        for update in part.updates
        if update.own_hand or update.partner_hand or update.kitty
    ]
    shown += [
        (watcher, view.version, view.seat if view.HasField("seat") else None, view.hand)
        for watcher, view in history.views
        if view.hand
    ]
    for (name, table_id), version, seat, hand in shown:
        hands = held.get(table_id, {}).get(version)
        if seat is None or hands is None or _sits(stored, table_id, name) != seat:
            yield _LAW, table_id, f"{name} was shown a hand in version {version}"
        elif Counter(hand) != hands[seat]:
            yield _LAW, table_id, f"{name} was shown another hand than its own in version {version}"


def _sits(stored: Stored, table_id: str, name: str) -> int | None:
    for event in stored.commits[table_id][0].events:
        if event.HasField("seat_taken") and event.seat_taken.player_id == name:
            return event.seat_taken.seat
    return None
