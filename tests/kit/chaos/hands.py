"""Who holds which cards after each commit, told from the dealt hands and the plays alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from shuangkou.v1.events_pb2 import Commit, HandsDealt, SecretCommit

Cards = Counter[int]


@dataclass(frozen=True, slots=True)
class Hands:
    """The hands after a version. ``not_held``: cards that were played by a seat without holding them."""

    version: int
    held: Sequence[Cards]
    not_held: Sequence[int]


def hands_after(commits: Sequence[Commit], secrets: Sequence[SecretCommit]) -> Iterator[Hands]:
    """For every commit in order; nothing is held before the first deal. For games
    whose hands are only dealt.
    """
    dealt = deals(secrets)
    held: list[Cards] = [Counter() for _ in range(4)]
    for commit in commits:
        if commit.version in dealt:
            held = [_counted(hand.cards) for hand in dealt[commit.version].hands]
        not_held: list[int] = []
        for event in commit.events:
            if event.HasField("cards_played"):
                seat, cards = event.cards_played.seat, _counted(event.cards_played.cards)
                not_held += (cards - held[seat]).elements()
                held[seat] = held[seat] - cards
        yield Hands(commit.version, [hand.copy() for hand in held], not_held)


def _counted(cards: Iterable[int]) -> Cards:
    return Counter(cards)


def deals(secrets: Sequence[SecretCommit]) -> dict[int, HandsDealt]:
    """By version, what was dealt with it."""
    return {
        secret.version: event.hands_dealt
        for secret in secrets
        for event in secret.events
        if event.HasField("hands_dealt")
    }
