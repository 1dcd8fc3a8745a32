"""Dealing from a 32-byte seed, the same on every machine and Python version.

A stream of 32-bit words is drawn for each use of a seed. Block i (from 0) is
SHA-256(b"shuangkou/v1/" + label + b"\\0" + seed + i as 8 bytes, big-endian) and gives eight
big-endian words. A number below n is the next word w with w < floor(2^32 / n) * n, modulo n; other
words are dropped, so every number is equally likely. A shuffle is Fisher-Yates from the last card
down: swap card i with card below(i + 1). Labels keep the uses apart: "shuffle" orders the deck,
"lead" draws the first lead, "face" the face-up card and "start" the seat that gets the first card; "turn0",
"turn1" and so on are the cards that are turned or cut for it, each from a whole pack, and "lot" is the side
that a lot favours.
"""

import hashlib
from collections.abc import Iterator, Sequence

from shuangkou.rules.cards import Card
from shuangkou.rules.seats import SEATS, Seat

SEED_BYTES = 32
_WORDS = 2**32


def seed_hash(seed: bytes) -> bytes:
    """Plain SHA-256 of the seed: 32 bytes, published before the cards are seen."""
    return hashlib.sha256(seed).digest()


def shuffled(seed: bytes, deck: Sequence[Card]) -> tuple[Card, ...]:
    """The deck in the order in which it is dealt."""
    cards, words = list(deck), _words(seed, "shuffle")
    for last in range(len(cards) - 1, 0, -1):
        chosen = _below(words, last + 1)
        cards[last], cards[chosen] = cards[chosen], cards[last]
    return tuple(cards)


def draw_seat(seed: bytes, label: str, n: int = 4) -> Seat:
    """One of the first n seats, each equally likely."""
    return SEATS[_below(_words(seed, label), n)]


def draw_number(seed: bytes, label: str, n: int) -> int:
    """A number from 0 to n - 1, each equally likely."""
    return _below(_words(seed, label), n)


def dealt(
    cards: Sequence[Card], hand_size: int, start: Seat = SEATS[0], players: int = 4
) -> tuple[tuple[Card, ...], ...]:
    """The four hands: card i of a shuffled deck goes to seat (start + i) mod players.

    What is left of the deck is out of play.
    """
    in_play = cards[: hand_size * players]
    return tuple(
        tuple(in_play[(seat - start) % players :: players]) if seat < players else () for seat in SEATS
    )


def _words(seed: bytes, label: str) -> Iterator[int]:
    prefix = b"shuangkou/v1/" + label.encode("ascii") + b"\0" + seed
    block = 0
    while True:
        digest = hashlib.sha256(prefix + block.to_bytes(8, "big")).digest()
        for start in range(0, 32, 4):
            yield int.from_bytes(digest[start : start + 4], "big")
        block += 1


def _below(words: Iterator[int], n: int) -> int:
    limit = _WORDS - _WORDS % n
    for word in words:
        if word < limit:
            return word % n
    raise AssertionError("the stream of words has no end")
