"""docs/rules/climbing.md §7.3, §11: scores by cards left, by bombs and matches, by cards won; the target."""

from collections import Counter
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kit.climbing_table import DECIDER, SEED, act, fold, new_deal, played_out, random_policy, table_with
from kit.effort import effort
from shuangkou.rules.cards import Card, Rank
from shuangkou.rules.climbing.events import CardsPlayed, DealSettled, Event, KittyShown, Result, TrickEnded
from shuangkou.rules.climbing.state import MatchState
from shuangkou.rules.climbing.view import Standing
from shuangkou.rules.commands import Forfeit, StartDeal
from shuangkou.rules.errors import IllegalCommand
from shuangkou.rules.events import Passed
from shuangkou.rules.ruleset import load
from shuangkou.rules.seats import SEATS, Seat, partner

SEEDS = st.binary(min_size=32, max_size=32)
NUMBERS = st.integers(0, 2**32)
PIPS = {Rank(value): value for value in range(3, 15)} | {
    Rank.TWO: 15,
    Rank.SMALL_JOKER: 16,
    Rank.BIG_JOKER: 17,
}
"""§11.3, written out."""


def played(
    id: str, seed: bytes, number: int
) -> tuple[list[Event], tuple[tuple[Card, ...], ...], DealSettled]:
    """The events of a random deal, the cards left in it, and its settlement."""
    steps = played_out(new_deal(seed, load(id)), random_policy(Random(number)))
    before, _, last = steps[-1]
    settled = last[-1]
    assert isinstance(settled, DealSettled)
    after = fold(before, last[:-1]).deal
    assert after is not None
    return [event for _, _, events in steps for event in events], after.hands, settled


@pytest.mark.parametrize("id", ["classic52", "classic54", "duel52"])
@given(SEEDS, NUMBERS)
@effort(20)
def test_the_first_seat_out_collects_what_is_left(id: str, seed: bytes, number: int) -> None:
    """§11.1 to §11.4."""
    _, left, settled = played(id, seed, number)
    head = settled.finish_order[0]
    owed = [len(hand) if id == "duel52" else sum(PIPS[card.rank] for card in hand) for hand in left]
    assert left[head] == ()
    assert settled.scores == tuple(sum(owed) if seat == head else -owed[seat] for seat in SEATS)
    assert settled.result is Result.WIN
    assert (settled.base, settled.multiplier) == (sum(owed), 1)


@given(SEEDS, NUMBERS)
@effort(20)
def test_bombs_and_matches_are_told_by_the_events(seed: bytes, number: int) -> None:
    """§11.5: counted again from the plays alone."""
    events, left, settled = played("deluxe108", seed, number)
    scores = Counter({settled.finish_order[0]: 20})
    top, bombs = None, []
    for event in events:
        if isinstance(event, TrickEnded):
            top = None
        if isinstance(event, CardsPlayed):
            ranks = {card.rank for card in event.cards}
            if top is not None and len(event.cards) >= 3 and len(ranks) == 1:
                scores[event.seat] += (len(event.cards) - 2) * 10
                bombs.append((event.seat, event.combination))
            top = event
    assert top is not None
    for seat in SEATS:
        scores[seat] += sum(1 for card in left[seat] if card.rank is top.combination.rank)
    assert settled.scores == tuple(scores[seat] for seat in SEATS)
    assert [(bomb.seat, bomb.combination) for bomb in settled.bombs] == bombs


@given(SEEDS, NUMBERS)
@effort(20)
def test_cards_won_are_told_by_the_events(seed: bytes, number: int) -> None:
    """§11.6: counted again from the plays alone; every card that was played is won."""
    events, left, settled = played("activity54", seed, number)
    won: Counter[Seat] = Counter()
    cards, owner = 0, Seat(0)
    for event in events:
        if isinstance(event, CardsPlayed):
            cards, owner = cards + len(event.cards), event.seat
        if isinstance(event, TrickEnded):
            assert event.winner == owner
            won[owner] += cards
            cards = 0
        if isinstance(event, KittyShown):
            head = event.seat
            won[head] += sum(10 if card.suit is None else 5 for card in event.cards)
    won[owner] += cards
    assert settled.finish_order[0] == head
    assert settled.scores == tuple(won[seat] + won[partner(seat)] for seat in SEATS)
    shown = next(event for event in events if isinstance(event, KittyShown))
    bonus = sum(10 if card.suit is None else 5 for card in shown.cards)
    assert settled.scores[0] + settled.scores[1] == 52 - sum(map(len, left)) + bonus


def settled_by(state: MatchState, *acts: str) -> DealSettled:
    _, events = act(state, *acts)
    assert isinstance(events[-1], DealSettled)
    return events[-1]


def test_pips_by_face() -> None:
    """§11.3: 3 to T as printed, then 11 to 17."""
    state = table_with("3c", "T J Q", "K A 2", "LJ BJ 3", ruleset=load("classic54"))
    assert settled_by(state, "0: 3c").scores == (33 + 42 + 36, -33, -42, -36)


def test_buried_cards_cost_nothing() -> None:
    """classic54 3: only cards in hands are counted."""
    state = table_with("3c", "4c", "5c", "6c", ruleset=load("classic54"), kitty="LJ BJ")
    assert settled_by(state, "0: 3c").scores == (15, -4, -5, -6)


def test_a_set_counts_only_on_top_of_a_play() -> None:
    """§11.5: led it is no bomb, and the last play of the deal counts as any other."""
    deluxe = load("deluxe108")
    state = table_with("4 4 4 4 9", "5 5 5 6 6 6 6 6 K", "7 7 7", "6 8", ruleset=deluxe)
    state, _ = act(state, "0: 4 4 4 4")
    assert DECIDER.observe(state, Seat(0)).bombs == ()
    state, _ = act(state, "1: 6 6 6 6 6", "2: pass", "3: pass")
    assert [bomb.seat for bomb in DECIDER.observe(state, Seat(0)).bombs] == [1]
    state, _ = act(state, "0: pass", "1: 5 5 5")
    assert [bomb.seat for bomb in DECIDER.observe(state, Seat(0)).bombs] == [1]
    end = settled_by(state, "2: 7 7 7")
    assert end.scores == (0, 30, 30, 0)
    assert [(bomb.seat, bomb.combination.size) for bomb in end.bombs] == [(1, 5), (2, 3)]


def test_cards_of_the_rank_of_the_last_play_score() -> None:
    """§11.5: the top rank of a run."""
    hands = (
        "3 4 5 6 7",
        "7 7 3",
        "6",
        "7 K",
    )
    state = table_with(*hands, ruleset=load("deluxe108"))
    assert settled_by(state, "0: 3 4 5 6 7").scores == (20, 2, 0, 1)


def test_a_view_shows_the_cards_won_where_they_score() -> None:
    """§11.6."""
    for id, won in (("activity54", (0, 4, 0, 0)), ("classic52", (0, 0, 0, 0))):
        hands = ("3h 4h 5h", "6h 8h 9h", "7h 9s 9c", "Th Jh Qh")
        acts = ("0: 3h", "1: 6h", "2: 7h", "3: pass", "0: pass", "1: 8h", "2: pass", "3: pass", "0: pass")
        state, _ = act(table_with(*hands, ruleset=load(id)), *acts)
        assert DECIDER.observe(state, None).cards_won == won


def test_the_trick_on_the_table_goes_to_its_top_play() -> None:
    """§11.6: the deal may end before the others have passed."""
    state = table_with("3h", "4h 9h", "5h", "6h 9s", ruleset=load("activity54"), kitty="3d BJ")
    end = settled_by(state, "0: 3h", "1: 4h", "2: 5h")
    assert end.result is Result.DOUBLE
    assert end.scores == (3 + 15, 0, 3 + 15, 0)


def test_a_forfeit_costs_thirty_points() -> None:
    """§9.1: shared by the others who play."""
    four = table_with("3h", "4h", "5h", "6h", ruleset=load("classic52"))
    four, _ = act(four, Forfeit(Seat(1)))
    assert settled_by(four, "0: 3h").scores == (15 + 10, -4 - 30, -5 + 10, -6 + 10)
    two = table_with("3h", "4h 5h", ruleset=load("duel52"))
    two, _ = act(two, Forfeit(Seat(1)))
    assert settled_by(two, "0: 3h").scores == (2 + 30, -2 - 30, 0, 0)


def over(id: str, *totals: int) -> bool:
    return DECIDER.resume(load(id), Standing(9, tuple(totals), Seat(0), Result.WIN)).is_over


@pytest.mark.parametrize(
    ("id", "totals", "is_over"),
    [
        ("duel52", (29, -29, 0, 0), False),
        ("duel52", (30, -30, 0, 0), True),
        ("deluxe108", (99, 98, 0, 0), False),
        ("deluxe108", (100, 98, 0, 0), True),
        ("deluxe108", (110, 20, 110, 0), False),
        ("deluxe108", (110, 20, 110, 111), True),
        ("activity54", (100, 40, 100, 40), True),
        ("activity54", (120, 110, 120, 110), True),
        ("activity54", (110, 110, 110, 110), False),
        ("classic52", (900, 0, 0, 0), False),
        ("classic54", (900, 0, 0, 0), False),
    ],
)
def test_a_match_ends_at_its_target(id: str, totals: tuple[int, ...], is_over: bool) -> None:
    """§7.3: unless rivals are level."""
    assert over(id, *totals) == is_over


def test_no_deal_follows_the_last() -> None:
    """§7.3."""
    state = DECIDER.resume(load("duel52"), Standing(9, (30, -30, 0, 0), Seat(0), Result.WIN))
    with pytest.raises(IllegalCommand) as refused:
        DECIDER.decide(state, StartDeal(SEED))
    assert refused.value.code == "state/match_over"
    longer = replace(state, ruleset=load("duel52").with_options({"target_score": "50"}))
    assert DECIDER.decide(longer, StartDeal(SEED))


@given(SEEDS, NUMBERS)
@effort(4)
def test_a_match_is_played_to_its_target(seed: bytes, number: int) -> None:
    """§7.3, deal by deal; the last head leads each next one."""
    for id in ("duel52", "deluxe108", "activity54"):
        state, rng = DECIDER.new_match(load(id)), Random(number)
        while not state.is_over:
            state = fold(state, DECIDER.decide(state, StartDeal(rng.randbytes(32))))
            assert state.deal is not None
            assert state.settled is None or state.deal.leader == state.settled.finish_order[0]
            steps = played_out(state, random_policy(rng))
            state = fold(steps[-1][0], steps[-1][2])
        assert max(state.standing.totals) >= state.ruleset.options.target_score


def test_equal_plays_follow() -> None:
    """classic54 2: in every suit, and a bomb beats them all."""
    hands = ("7h 3h", "7s 4s 4h 4c 4d", "7d 3s", "8h 8s 3c")
    state, events = act(table_with(*hands, ruleset=load("classic54")), "0: 7h", "1: 7s", "2: 7d", "3: 8h")
    assert isinstance(events[0], CardsPlayed)
    state, _ = act(state, "0: pass", "1: 4s 4h 4c 4d")
    assert state.deal is None


def test_a_single_follows_its_suit() -> None:
    """classic52 1."""
    state = table_with("5h 3h", "9s 6h 3s", "8h 3c", "9d 3d", ruleset=load("classic52"))
    state, _ = act(state, "0: 5h")
    with pytest.raises(IllegalCommand) as refused:
        act(state, "1: 9s")
    assert refused.value.code == "climbing/does_not_beat"
    _, events = act(state, "1: 6h", "2: 8h", "3: pass")
    assert events == (Passed(Seat(3)),)
