"""docs/rules/climbing.md §2: what a seed deals. The pins must never change: they verify old deals."""

import hashlib
from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from kit.climbing_table import DECIDER, QQ
from shuangkou.rules.cards import Card, full_deck
from shuangkou.rules.climbing.events import DealStarted
from shuangkou.rules.commands import StartDeal
from shuangkou.rules.dealing import dealt, draw_seat, seed_hash, shuffled
from shuangkou.rules.events import HandsDealt
from shuangkou.rules.notation import format_cards

SEEDS = st.binary(min_size=32, max_size=32)
ZERO = bytes(32)
COUNTING = bytes(range(32))


def words(seed: bytes, label: bytes, count: int) -> list[int]:
    """The stream of the module's description, made in one piece."""
    blocks = (
        hashlib.sha256(b"shuangkou/v1/%b\0%b%b" % (label, seed, block.to_bytes(8, "big"))).hexdigest()
        for block in range(count // 8 + 1)
    )
    text = "".join(blocks)
    return [int(text[start : start + 8], 16) for start in range(0, count * 8, 8)]


def described_shuffle(seed: bytes, deck: tuple[Card, ...]) -> tuple[Card, ...]:
    """The shuffle of the module's description, written a second time."""
    stream, cards = words(seed, b"shuffle", 2 * len(deck)), list(deck)
    for left in range(len(cards), 1, -1):
        word = stream.pop(0)
        while word >= 2**32 // left * left:
            word = stream.pop(0)
        cards[left - 1], cards[word % left] = cards[word % left], cards[left - 1]
    return tuple(cards)


@given(SEEDS)
def test_a_shuffle_is_what_its_description_says(seed: bytes) -> None:
    """§2.2."""
    deck = full_deck(2)
    assert shuffled(seed, deck) == described_shuffle(seed, deck)


@given(SEEDS)
def test_a_shuffle_keeps_the_deck(seed: bytes) -> None:
    assert sorted(shuffled(seed, full_deck(2))) == sorted(full_deck(2))


def test_uses_of_a_seed_draw_from_different_streams() -> None:
    assert words(ZERO, b"shuffle", 8) != words(ZERO, b"lead", 8)
    assert {draw_seat(bytes([n]) * 32, "lead") for n in range(40)} == {0, 1, 2, 3}
    assert {draw_seat(bytes([n]) * 32, "lead", 2) for n in range(40)} == {0, 1}


def test_cards_are_dealt_one_by_one_from_seat_0() -> None:
    """§2.2."""
    hands = dealt(full_deck(1), 13)
    assert [hand[:2] for hand in hands] == [
        (Card.S2, Card.S6),
        (Card.S3, Card.S7),
        (Card.S4, Card.S8),
        (Card.S5, Card.S9),
    ]
    assert sum((Counter(hand) for hand in hands), Counter()) == Counter(full_deck(1)[:52])


def test_the_hash_of_a_seed_is_plain_sha256() -> None:
    """§2.3: anyone can check it with sha256sum."""
    assert seed_hash(ZERO).hex() == "66687aadf862bd776c8fc18b8e9f8e20089714856ee233b3902a591d0d5f2925"


PINS = {
    ZERO: (3, "Qs 6c Js 4s 8c 5s 7c 9s 7c Ad  be68bfd820679ce3"),
    COUNTING: (0, "4c Jh BJ 3s 9s Qh Ks 7d 7c 8c  1c79e1c28227c14e"),
}


def test_pinned_shuffles() -> None:
    got = {seed: (draw_seat(seed, "lead"), _digest(seed)) for seed in PINS}
    assert got == PINS


def _digest(seed: bytes) -> str:
    deck = format_cards(shuffled(seed, full_deck(2)))
    return f"{deck[:30]} {hashlib.sha256(deck.encode()).hexdigest()[:16]}"


def test_pinned_deal() -> None:
    """§2.2 and §2.4 together: the first deal of a match from the seed 00 01 02 … 1f."""
    started, hands = DECIDER.decide(DECIDER.new_match(QQ), StartDeal(COUNTING))
    assert isinstance(started, DealStarted)
    assert isinstance(hands, HandsDealt)
    assert started == DealStarted(1, seed_hash(COUNTING), draw_seat(COUNTING, "lead"), (27, 27, 27, 27))
    assert [format_cards(hand) for hand in hands.hands] == [
        "3s 3h 4s 4c 4c 5c 5d 7s 7h 7h 7c 8d 9s 9s 9c 9d Js Qc Qd Ks Kd Ac Ad 2c 2d LJ BJ",
        "4s 4d 5h 5d 6h 6h 6c 6d 7d 8s 8c 9d Ts Tc Td Jh Jc Jd Qh Qc Kh Kc As As Ah 2h 2c",
        "3c 3c 4h 4d 5h 6s 6c 7c 8s 8h 8d 9h 9c Ts Th Th Tc Qs Qh Ks Kc Kd 2s 2s 2h LJ BJ",
        "3s 3h 3d 3d 4h 5s 5s 5c 6s 6d 7s 7d 8h 8c 9h Td Js Jh Jc Jd Qs Qd Kh Ah Ac Ad 2d",
    ]
