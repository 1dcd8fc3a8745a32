"""Judging follows of the trick-taking games: microseconds of processor time per check, the duty included."""

import time
from collections import Counter
from random import Random

import pytest

from bench.suite import percentile
from kit.tricks_crowds import crowds
from shuangkou.rules.cards import Card, full_deck
from shuangkou.rules.ruleset import load
from shuangkou.rules.tricks.defaults import default_follow
from shuangkou.rules.tricks.following import duty, is_legal_follow
from shuangkou.rules.tricks.order import Trump, TrumpOrder, trump_order
from shuangkou.rules.tricks.plays import legal_follows, legal_leads
from shuangkou.rules.tricks.units import format_of

DEALS = 400
LEADS_A_DEAL = 12


def leads_in(order: TrumpOrder, hand: tuple[Card, ...], rng: Random) -> list[tuple[Card, ...]]:
    """Units of the hand, and throws of everything it has of a suit from some place up."""
    units = [unit.cards for unit in legal_leads(order, hand, throws=True).units]
    suit = order.suit_of(rng.choice(hand))
    own = order.ascending(card for card in hand if order.suit_of(card) is suit)
    long = sorted(units, key=len)[-LEADS_A_DEAL // 3 :]
    return [*rng.sample(units, min(LEADS_A_DEAL // 2, len(units))), *long, own[len(own) // 2 :], own[-3:]]


@pytest.mark.parametrize(("ruleset", "decks"), [("multi2", 2), ("sheng_nokitty4", 4)])
def test_a_follow_check(ruleset: str, decks: int) -> None:
    """Full hands of real deals, plays that are legal and others."""
    options, rng = load(ruleset).options, Random(decks)
    seconds, answers, owing = [], [], 0
    for _ in range(DEALS):
        order = trump_order(options, rng.choice(list(Trump)), rng.choice(list(Card)[:13]).rank)
        deck = list(full_deck(decks))
        rng.shuffle(deck)
        leader, hand = tuple(deck[: options.hand_size]), tuple(deck[options.hand_size :][: options.hand_size])
        for cards in leads_in(order, leader, rng):
            lead = format_of(order, cards)
            assert lead is not None
            legal = default_follow(order, lead, hand)
            for play in (legal, tuple(rng.sample(hand, lead.size))):
                started = time.thread_time()
                owed = duty(order, lead, hand)
                is_legal = is_legal_follow(order, owed, play)
                seconds.append(time.thread_time() - started)
                assert is_legal or play is not legal
                owing += bool(owed.tractors)
            started = time.thread_time()
            legal_follows(order, lead, hand)
            answers.append(time.thread_time() - started)
    for what, measured in (("follow check", seconds), ("legal follows", answers)):
        p50, p99 = (percentile(measured, share) * 1e6 for share in (0.5, 0.99))
        print(
            f"\n{decks} packs, {options.hand_size} cards: {what} in {p50:.0f} µs p50, {p99:.0f} µs p99",
            end="",
        )
    print(f"; tractors owed in {owing / len(seconds):.0%} of {len(seconds)}")


def test_the_hardest_follow_checks() -> None:
    """The crowds that were searched for; the best of ten."""
    worst: Counter[str] = Counter()
    for crowd in crowds():
        lead = format_of(crowd.order, crowd.lead)
        assert lead is not None
        play = default_follow(crowd.order, lead, crowd.hand)
        times = []
        for _ in range(10):
            started = time.thread_time()
            assert is_legal_follow(crowd.order, duty(crowd.order, lead, crowd.hand), play)
            times.append(time.thread_time() - started)
        worst[crowd.name] = int(min(times) * 1e6)
    print(f"\nhardest of four packs: {', '.join(f'{name} {µs} µs' for name, µs in worst.most_common())}")
