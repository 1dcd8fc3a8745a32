"""Every refusal has a code that stays as it is, every code can be provoked, nothing else ever comes out."""

from collections.abc import Callable
from dataclasses import replace
from random import Random

import pytest

from kit.climbing_openings import auction, code_of, opened
from kit.climbing_table import DECIDER, PRIVATE, QQ, act, fold, lively_policy, new_deal, sure_deal, table_with
from kit.effort import cases
from shuangkou.rules.cards import CARDS, Card
from shuangkou.rules.climbing.commands import (
    Bid,
    CallLandlord,
    Command,
    DeclareCombination,
    ExchangeCards,
    GrabLandlord,
    MarkCard,
    Surrender,
    TakeFromKitty,
    VoteRedeal,
)
from shuangkou.rules.climbing.state import MatchState
from shuangkou.rules.climbing.view import Standing
from shuangkou.rules.commands import BuryKitty, Forfeit, Pass, PlayCards, StartDeal
from shuangkou.rules.errors import CODES, IllegalCommand
from shuangkou.rules.seats import SEATS, Seat
from shuangkou.rules.tricks.commands import DeclareTrump

SEED = bytes(32)
HANDS = ("3 3 3 3 9", "3 4 5 6 7", "4 4 4 4", "9 T J Q K 2")


def table(id: str, *hands: str) -> MatchState:
    return table_with(*(hands or ("3 3 4", "5 5", "6 6", "7 7")), ruleset=PRIVATE[id])


def code_at(state: MatchState, *acts: str | Command) -> Callable[[], str]:
    return lambda: code_of(state, *acts)


def finished() -> MatchState:
    """A match whose target was reached (§7.3)."""
    return DECIDER.resume(PRIVATE["duel52"], Standing(deals_played=1, totals=(30, -30, 0, 0)))


PROVOKED: dict[str, Callable[[], str]] = {
    "turn/not_your_turn": code_at(table("qq"), "1: 5"),
    "cards/not_held": code_at(table("qq"), "0: 5"),
    "climbing/no_such_combination": code_at(table("qq"), "0: 3 4"),
    "climbing/does_not_beat": code_at(table("qq"), "0: 4", "1: pass", "2: pass", "3: 7 7"),
    "climbing/pass_on_empty_trick": code_at(table("qq"), "0: pass"),
    "climbing/must_play": code_at(table("easy52"), "0: 4", "1: pass"),
    "state/no_deal_in_progress": code_at(DECIDER.new_match(QQ), "0: pass"),
    "state/deal_in_progress": code_at(table("qq"), StartDeal(SEED)),
    "state/bad_seed": code_at(DECIDER.new_match(QQ), StartDeal(SEED[1:])),
    "state/match_over": code_at(finished(), StartDeal(SEED)),
    "state/other_phase": code_at(table("qq"), "0: bid 1"),
    "state/no_such_act": code_at(table("qq"), DeclareTrump(Seat(0), ())),  # type: ignore[arg-type]  # of the other family
    "seat/no_such_seat": code_at(table("duel52"), "2: pass"),
    "climbing/wrong_bury_count": code_at(opened(PRIVATE["classic54"], *HANDS), BuryKitty(Seat(0), ())),
    "climbing/already_out": code_at(table("qq", "3", "5 5", "6", "7"), "0: 3", Forfeit(Seat(0))),
    "climbing/already_forfeited": code_at(table("qq"), Forfeit(Seat(2)), Forfeit(Seat(2))),
    "climbing/no_surrender": code_at(new_deal(SEED), Surrender(Seat(0))),
    "climbing/surrender_too_late": code_at(table("qq", "3", "5 5", "6", "7"), "0: 3", Surrender(Seat(2))),
    "climbing/already_offered": code_at(table("qq"), Surrender(Seat(0)), Surrender(Seat(0))),
    "climbing/no_redeal": code_at(new_deal(SEED), VoteRedeal(Seat(0))),
    "climbing/redeal_too_late": code_at(table("qq"), "0: 3", VoteRedeal(Seat(0))),
    "climbing/already_voted": code_at(table("qq"), VoteRedeal(Seat(3)), VoteRedeal(Seat(3))),
    "climbing/not_declarable": code_at(opened(PRIVATE["bid52"], *HANDS), "0: declare 9"),
    "climbing/declared_too_low": code_at(
        opened(PRIVATE["bid52"], *HANDS), "0: declare 3 3 3 3", "3: declare 9 T J Q K"
    ),
    "climbing/no_such_bid": code_at(auction(), "0: bid 4"),
    "climbing/bid_too_low": code_at(auction(), "0: bid 2", "1: bid 2"),
    "climbing/call_too_late": code_at(auction(), "0: pass", "1: call"),
    "climbing/nothing_to_grab": code_at(auction(), "0: grab"),
    "cards/not_in_kitty": code_at(auction(), "0: bid 3", "0: take 3s"),
}
"""The codes are written out, so that a client which knows them can rely on them."""


def test_every_code_is_provoked() -> None:
    """Those that only trick-taking games refuse with are provoked beside their rules."""
    assert set(PROVOKED) == {code for code in CODES if not code.startswith("tricks/")}


@pytest.mark.parametrize("code", sorted(PROVOKED))
def test_a_refusal_has_its_code(code: str) -> None:
    assert PROVOKED[code]() == code


@pytest.mark.parametrize("id", sorted(PRIVATE))
def test_a_seat_that_does_not_play_is_told_so_whatever_it_asks(id: str) -> None:
    """§2.1."""
    state = new_deal(SEED, PRIVATE[id])
    for seat in (Seat(-1), Seat(PRIVATE[id].options.players), Seat(99)):
        for command in (Pass(seat), PlayCards(seat, ()), Bid(seat, 1), Forfeit(seat), VoteRedeal(seat)):
            assert code_of(state, command) == "seat/no_such_seat"


def test_a_refusal_names_the_cards_and_the_seat() -> None:
    state, _ = act(table("qq"), "0: 4")
    with pytest.raises(IllegalCommand, match="seat 1 cannot play 9s 9s on 4s of seat 0") as refused:
        DECIDER.decide(state, PlayCards(Seat(1), (Card.S9, Card.S9, Card.S5)[:2]))
    assert (refused.value.cards, refused.value.seat) == ((Card.S9, Card.S9), 1)


def fuzzed(state: MatchState, rng: Random) -> Command:
    """Any command: half of them from the seat to act and with cards that it holds."""
    deal = state.deal
    is_near = deal is not None and rng.random() < 0.5
    seat = deal.turn if deal is not None and is_near else Seat(rng.choice((*SEATS, -1, 4, 9)))
    pile = (deal.hands[seat] if deal is not None and is_near else ()) or CARDS
    if deal is not None and rng.random() < 0.1:
        pile = deal.kitty or CARDS
    start = rng.randrange(len(pile))
    cards = rng.choice(
        (
            tuple(rng.sample(pile, rng.randint(0, min(5, len(pile))))),
            tuple(rng.choices(pile, k=rng.randint(1, 4))),
            pile[start : start + rng.randint(1, 8)],
            rng.choice((CARDS, (), pile, CARDS * 2)),
        )
    )
    make = rng.choice(_MAKERS)
    return make(seat, cards, rng)


_MAKERS: tuple[Callable[[Seat, tuple[Card, ...], Random], Command], ...] = (
    lambda seat, cards, rng: StartDeal(rng.randbytes(rng.choice((0, 31, 32, 33))), rng.random() < 0.5),
    lambda seat, cards, rng: PlayCards(seat, cards),
    lambda seat, cards, rng: PlayCards(seat, cards),
    lambda seat, cards, rng: PlayCards(seat, cards),
    lambda seat, cards, rng: Pass(seat),
    lambda seat, cards, rng: BuryKitty(seat, cards),
    lambda seat, cards, rng: DeclareCombination(seat, cards),
    lambda seat, cards, rng: Bid(seat, rng.randint(-2, 9)),
    lambda seat, cards, rng: CallLandlord(seat),
    lambda seat, cards, rng: GrabLandlord(seat),
    lambda seat, cards, rng: TakeFromKitty(seat, cards),
    lambda seat, cards, rng: ExchangeCards(seat, cards),
    lambda seat, cards, rng: MarkCard(seat, rng.choice(cards or CARDS)),
    lambda seat, cards, rng: Forfeit(seat),
    lambda seat, cards, rng: Surrender(seat),
    lambda seat, cards, rng: VoteRedeal(seat),
)
COMMANDS_AT_A_STATE = 20


def refusal_of(state: MatchState, command: Command) -> IllegalCommand | None:
    """None for a command that is accepted and whose events can be folded."""
    try:
        fold(state, DECIDER.decide(state, command))
    except IllegalCommand as refusal:
        return refusal
    return None


@pytest.mark.parametrize("id", sorted(PRIVATE))
def test_no_command_can_break_a_table(id: str) -> None:
    """§4.5: nothing but IllegalCommand comes out, and the state stays as it was.

    100,000 commands in full, at the states of random deals and between deals.
    """
    policy, state = lively_policy(Random(id)), DECIDER.new_match(PRIVATE[id])
    for number in cases(200, 5_000):
        before = repr(state)
        for index in range(COMMANDS_AT_A_STATE):
            command = fuzzed(state, Random(number * COMMANDS_AT_A_STATE + index))
            refusal = refusal_of(state, command)
            assert refusal is None or (refusal.code in CODES and refusal.message), (number, command)
        assert repr(state) == before, number
        if state.deal is None:
            state = sure_deal(number.to_bytes(32, "big"), PRIVATE[id])
        else:
            state = fold(state, DECIDER.decide(state, policy(state, state.deal.turn)))


@pytest.mark.parametrize("id", sorted(PRIVATE))
def test_cards_that_are_no_cards_are_refused_too(id: str) -> None:
    """Whoever calls the rules without the checks of the boundary gets a refusal as well."""
    state = sure_deal(SEED, PRIVATE[id])
    assert state.deal is not None
    seat = state.deal.turn
    for number in (-1, 54, 10**9):
        cards = (Card.S3, number)
        for make in (PlayCards, BuryKitty, DeclareCombination, TakeFromKitty, ExchangeCards):
            assert code_of(state, make(seat, cards)) in CODES  # type: ignore[arg-type]  # that is the point
        assert code_of(state, MarkCard(seat, number)) in CODES  # type: ignore[arg-type]
    playing = replace(state, deal=table_with("3 4", "5", "6", "7", ruleset=PRIVATE[id]).deal)
    assert code_of(playing, PlayCards(Seat(0), (Card.S3, 54))) == "cards/not_held"  # type: ignore[arg-type]
