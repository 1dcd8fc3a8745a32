"""What may be led and followed as a bounded answer (docs/rules/tricks.md §6.1, §6.6)."""

from collections import Counter
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kit import tricks_oracle as oracle
from kit.effort import effort
from kit.tricks_crowds import Crowd, crowds
from kit.tricks_oracle import House
from kit.tricks_sets import cards, order_of, some_question
from shuangkou.rules.cards import Card
from shuangkou.rules.notation import format_tricks_card, parse_cards
from shuangkou.rules.tricks.defaults import default_follow
from shuangkou.rules.tricks.following import duty, is_legal_follow
from shuangkou.rules.tricks.order import TrumpOrder
from shuangkou.rules.tricks.plays import MOST_LISTED, LegalFollows, legal_follows, legal_leads
from shuangkou.rules.tricks.throwing import failed_throw
from shuangkou.rules.tricks.units import Format, format_of
from shuangkou.rules.tricks.winning import strength_of_follow, winner

SEEDS = st.integers(0, 2**32)
H5 = order_of(House("H", "5"))
TIAN = order_of(House("S", "-", fixed="532"))


def answer(order: TrumpOrder, lead: str, hand: str, high: bool = False) -> LegalFollows:
    return legal_follows(order, led(order, lead), parse_cards(hand), high)


def led(order: TrumpOrder, text: str) -> Format:
    lead = format_of(order, parse_cards(text))
    assert lead is not None
    return lead


def shown(chosen: tuple[Card, ...]) -> str:
    return " ".join(map(format_tricks_card, chosen))


@pytest.mark.parametrize(
    ("lead", "hand", "forced", "free", "count"),
    [
        ("S9", "S3 S4 D7", "", "S3 S4", 2),
        ("S9", "S3 D7 D8", "S3", "", 1),
        ("S9", "D7 D8 D8", "", "D7 D8 D8", 2),
        ("S9 S9", "S3 D7 D8 D8", "S3", "D7 D8 D8", 2),
        ("S9 S9", "S3 S3 S4 S6", "S3 S3", "", 1),
        ("S9 S9", "S3 S4 S6", "", "S3 S4 S6", 3),
        ("S9 S9 ST ST", "S3 S3 S7 S7 S8 SK", "S3 S3 S7 S7", "", 1),
        ("S9 S9 ST ST", "S3 S3 S7 SJ S8 SK", "S3 S3", "S7 S8 SJ SK", 6),
        ("S9 S9 ST ST", "S2 S2 S3 S3 S4 S4", "S3 S3", "S2 S2 S4 S4", 2),
        ("S9 S9 S7", "S3 S3 S4 S6", "S3 S3", "S4 S6", 2),
        ("S9 S9 S9 S9", "S3 S3 S3 S4 S4", "S3 S3 S3 S4", "", 1),
    ],
)
def test_what_a_hand_owes(lead: str, hand: str, forced: str, free: str, count: int) -> None:
    """§6.6: cards of every legal follow, what the others come from, and how many follows there are."""
    found = answer(H5, lead, hand)
    assert (shown(found.forced), shown(found.free)) == (forced, free)
    assert (found.count, found.is_complete, len(found.plays)) == (count, True, count)


def test_high_cards_are_forced_and_ties_are_free() -> None:
    """§6.7."""
    found = answer(TIAN, "D8 D8", "DA DK D6 D4", high=True)
    assert (shown(found.forced), shown(found.free), found.count) == ("DK DA", "", 1)
    found = answer(TIAN, "S8 S8", "BJ H5 C5 D5 SA", high=True)
    assert (shown(found.forced), shown(found.free), found.count) == ("BJ", "H5 C5 D5", 3)


def test_a_void_hand_is_shown_every_ruff_and_some_discards() -> None:
    """More follows than are listed: ruffs of a pair, and discards from each suit."""
    hand = "H2 H2 H9 H9 C5 C5 D2 D3 D4 D6 D7 D8 D9 DT C2 C3 C4 C6 C7 C8 C9 CT CJ"
    found = answer(H5, "S9 S9", hand)
    assert not found.is_complete
    assert len(found.plays) <= MOST_LISTED
    plays = list(map(shown, found.plays))
    assert {"H2 H2", "H9 H9", "C5 C5", "D2 D3", "C2 C3"} <= set(plays)
    assert plays[0] == shown(default_follow(H5, led(H5, "S9 S9"), parse_cards(hand)))
    thrown = answer(H5, "SA SA SK", hand)
    assert {"H2 H2 H9", "D9 C5 C5"} & set(map(shown, thrown.plays))


@pytest.mark.timeout(3600)  # with the profile `thorough`
@pytest.mark.parametrize("decks", [2, 3, 4])
@given(SEEDS)
@effort(60)
def test_answers_agree_with_the_oracle(decks: int, seed: int) -> None:
    """§6.6, §6.7: every follow or some, how many there are, what all of them share, and the default first."""
    rng = Random(seed)
    question = some_question(rng, decks, longest_lead=8, longest_hand=11)
    house, hand, order = question.house, question.hands[0], order_of(question.house)
    lead = format_of(order, cards(question.lead))
    assert lead is not None
    if len(hand) < lead.size:
        return
    high = decks == 2 and rng.random() < 0.4
    found = legal_follows(order, lead, cards(hand), high)
    suit, own = house.suit(question.lead[0]), oracle.follows(house, question.lead, hand, high)
    legal = {
        order.ascending(cards(play))
        for play in oracle.choices(hand, lead.size)
        if tuple(sorted(card for card in play if house.suit(card) == suit)) in own
    }
    assert set(found.plays) <= legal
    assert len(set(found.plays)) == len(found.plays) <= MOST_LISTED
    assert found.plays[0] == order.ascending(default_follow(order, lead, cards(hand), high))
    assert found.count in (len(legal), None)
    assert found.is_complete == (len(legal) <= MOST_LISTED) or found.count is None
    assert not found.is_complete or set(found.plays) == legal
    shared = Counter(cards(hand))
    for play in legal:
        shared &= Counter(play)
    assert Counter(found.forced) == shared
    offered = Counter(found.forced) + Counter(found.free)
    assert all(Counter(play) <= offered for play in legal)


@given(SEEDS, st.sampled_from((2, 3, 4)))
@effort(100)
def test_a_void_hand_sees_a_ruff_if_it_has_one(seed: int, decks: int) -> None:
    """§6.8: of any plain or thrown shape; a plain lead with every top that takes it."""
    rng = Random(seed)
    question = some_question(rng, decks, longest_lead=6, longest_hand=12)
    order, hand = order_of(question.house), cards(question.hands[0])
    lead = format_of(order, cards(question.lead))
    assert lead is not None
    hand = tuple(card for card in hand if order.is_trump(card))
    if order.trump.suit is not None or len(hand) < lead.size:
        return
    ruffed = Format(order.suit_of(Card.S9 if order.level is not Card.S9.rank else Card.S8), lead.units)
    found = legal_follows(order, ruffed, hand)
    tokens = tuple(map(format_tricks_card, hand))
    tops = {
        strength_of_follow(order, ruffed, cards(play)) for play in oracle.choices(tokens, ruffed.size)
    } - {None}
    seen = {strength_of_follow(order, ruffed, play) for play in found.plays} - {None}
    assert seen == tops or (lead.is_throw and bool(seen) == bool(tops))


def test_leads_are_units_safe_throws_and_their_number() -> None:
    hand = parse_cards("SA SA SK S3 D7 D7 D8 D8 BJ")
    found = legal_leads(H5, hand, throws=True, unseen=parse_cards("SQ SQ D9 D9 LJ"))
    assert [shown(unit.cards) for unit in found.units] == [
        *("S3", "SK", "SA", "SA SA"),
        *("D7", "D7 D7", "D8", "D8 D8", "D7 D7 D8 D8", "BJ"),
    ]
    assert [[shown(unit.cards) for unit in throw.units] for throw in found.throws] == [["SA SA", "SK"]]
    assert found.count == (3 * 2 * 2 - 1) + (3 * 3 - 1) + 1
    assert legal_leads(H5, hand, throws=True).throws == ()
    plain = legal_leads(TIAN, parse_cards("DA DA DK H5 H5 C5 C5 LJ LJ"), throws=False, unseen=())
    assert plain.throws == ()
    assert plain.count == 2 + 1 + 2 + 2 + 2 + 2  # tractors of either side five with the small jokers


@pytest.mark.timeout(3600)  # with the profile `thorough`
@given(SEEDS, st.sampled_from((2, 3, 4)))
@effort(25)
def test_leads_agree_with_the_oracle(seed: int, decks: int) -> None:
    """§6.1, §6.2: all units there are; and throws that stand however the unseen cards lie."""
    rng = Random(seed)
    question = some_question(rng, decks, longest_lead=7, longest_hand=8, hands=3)
    house, order, hand = question.house, order_of(question.house), question.lead
    unseen = [card for other in question.hands for card in other]
    found = legal_leads(order, cards(hand), throws=True, unseen=cards(unseen))
    suit = house.suit(hand[0])
    expected = {(cut.mn, cut.top) for cut in oracle.units(house, suit, hand)}
    assert {
        (unit.shape, house.height(format_tricks_card(unit.cards[-1]))) for unit in found.units
    } == expected
    for unit in found.units:
        alone = format_of(order, unit.cards)
        assert alone is not None
        assert alone.units == (unit,)
        assert Counter(unit.cards) <= Counter(cards(hand))
    sets = {play for size in range(1, len(hand) + 1) for play in oracle.choices(hand, size)}
    assert found.count == len(sets)
    plain = legal_leads(order, cards(hand), throws=False)
    assert plain.count == sum(len(oracle.taken_apart(house, play)) == 1 for play in sets)
    for throw in found.throws:
        thrown = tuple(card for unit in throw.units for card in unit.cards)
        assert Counter(thrown) <= Counter(cards(hand))
        assert format_of(order, thrown) == throw
        assert throw.is_throw
        assert failed_throw(order, throw, [cards(unseen)]) is None
        rng.shuffle(unseen)
        others = [cards(unseen[start::3]) for start in range(3)]
        assert failed_throw(order, throw, others) is None


@pytest.mark.parametrize("crowd", crowds(), ids=lambda crowd: crowd.name)
def test_answers_stay_short(crowd: Crowd) -> None:
    lead = format_of(crowd.order, crowd.lead)
    assert lead is not None
    found = legal_follows(crowd.order, lead, crowd.hand)
    owed = duty(crowd.order, lead, crowd.hand)
    assert 0 < len(found.plays) <= MOST_LISTED
    assert all(is_legal_follow(crowd.order, owed, play) for play in found.plays)
    assert winner(crowd.order, [crowd.lead, *found.plays]) >= 0
    leads = legal_leads(crowd.order, crowd.hand, throws=True, unseen=crowd.lead)
    assert len(leads.units) < 300
    assert leads.count >= len(leads.units)
