"""What the family asks of a table: swaps, open hands, contributions, forfeits, void deals, targets."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import count
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kit.climbing_table import PRIVATE
from kit.pure_table import BOT_MS, PEOPLE, PureTable, dealt, folded, opened
from shuangkou.engine.commands import HostSeat, ReclaimSeat, TakeSeat
from shuangkou.engine.decider import decide
from shuangkou.engine.events import MatchFinished
from shuangkou.engine.table import Expected, Phase, Table
from shuangkou.engine.views import seat_view
from shuangkou.engine.watchers import SPECTATOR, Viewer, public_part, update_for
from shuangkou.rules.climbing.commands import Surrender, VoteRedeal
from shuangkou.rules.climbing.events import ContributionBooked, DealSettled
from shuangkou.rules.climbing.move_table import move_table
from shuangkou.rules.commands import Forfeit
from shuangkou.rules.decider import decider_for
from shuangkou.rules.errors import IllegalCommand
from shuangkou.rules.events import DealVoided, SeatForfeited, SeatsSwapped, Trait, VoidReason
from shuangkou.rules.ruleset import RuleSet, load
from shuangkou.rules.seats import SEATS, partner

JJ, BAIBIAN, QQ = load("jj"), load("baibian"), load("qq")
FACE_CARD = [PRIVATE[id] for id in ("jj", "baibian", "wenzhou")]


def seeds() -> Iterator[bytes]:
    return (number.to_bytes(32, "big") for number in count(1))


def swap_in(pure: PureTable) -> SeatsSwapped | None:
    """The change of places with which the running deal began."""
    match = pure.table.match
    assert match.deal is not None
    return next((event for event in match.deal.opening if isinstance(event, SeatsSwapped)), None)


def dealt_with_swap(ruleset: RuleSet = JJ, *names: str) -> PureTable:
    """A first deal that begins with a change of places."""
    return next(
        pure
        for pure in (dealt(*(names or PEOPLE), seed=seed, ruleset=ruleset) for seed in seeds())
        if swap_in(pure) is not None
    )


def names_of(table: Table) -> list[str]:
    return [holder.name for holder in table.holders]


def play_to_the_end(pure: PureTable) -> None:
    while pure.table.phase is Phase.DEAL:
        pure.play_lowest()


def refused(pure: PureTable, command: HostSeat | ReclaimSeat | Forfeit | TakeSeat) -> str:
    with pytest.raises(IllegalCommand) as caught:
        decide(pure.table, command)
    return caught.value.code


# Change of places


@pytest.mark.parametrize("ruleset", FACE_CARD, ids=lambda ruleset: ruleset.id)
def test_players_take_their_names_along(ruleset: RuleSet) -> None:
    pure = dealt_with_swap(ruleset)
    swap = swap_in(pure)
    assert swap is not None
    one, other = swap.seats
    expected = list(PEOPLE)
    expected[one], expected[other] = expected[other], expected[one]
    assert names_of(pure.table) == expected
    assert [state.occupant.player_id for state in seat_view(pure.table, None).seats] == expected


def test_a_hosted_player_stays_hosted_on_the_new_seat() -> None:
    before = dealt_with_swap()
    swap = swap_in(before)
    assert swap is not None
    pure = opened(ruleset=JJ)
    pure.perform(HostSeat(swap.seats[0]))
    seed = before.table.match.deal.seed if before.table.match.deal else b""
    pure.let_time_pass(seed)
    assert [holder.hosted for holder in pure.table.holders].index(True) == swap.seats[1]


def test_a_stream_follows_its_player_and_shows_no_other_hand() -> None:
    pure = dealt_with_swap(BAIBIAN)
    stored, table = pure.log[-1], pure.table
    public = public_part(stored.commit)
    for name in PEOPLE:
        seat = names_of(table).index(name)
        update = update_for(Viewer(name), public, table, Trait.SHOWS_HAND)
        assert update.seat == seat
        assert update.own_hand == seat_view(table, SEATS[seat]).hand
        assert not update.partner_hand
    assert not update_for(SPECTATOR, public, table, Trait.SHOWS_HAND).own_hand


def test_a_service_at_a_bots_seat_never_sees_the_person_who_moves_there() -> None:
    names = ("alice", "bot:plain", "bot:plain", "bot:plain")
    moved = next(
        pure
        for pure in (dealt(*names, seed=seed, ruleset=JJ) for seed in seeds())
        if names_of(pure.table)[0] != "alice"
    )
    seat = SEATS[names_of(moved.table).index("alice")]
    public = public_part(moved.log[-1].commit)
    update = update_for(Viewer(bot_seat=seat), public, moved.table, Trait.SHOWS_HAND)
    assert not update.own_hand
    assert not update.HasField("seat")


def test_a_settlement_keeps_the_names_of_its_own_time() -> None:
    pure = opened(deals=40, ruleset=JJ)
    all_seeds = seeds()
    while True:
        before = pure.table.settled
        pure.let_time_pass(next(all_seeds))
        if before is not None and swap_in(pure) is not None:
            break
        play_to_the_end(pure)
    assert list(seat_view(pure.table, None).last_settlement.players) == list(before.players)
    assert list(before.players) != names_of(pure.table)
    assert folded(pure.log[-1:]).table == pure.table


# Open hands


def test_partners_see_each_others_cards_and_nobody_else_does() -> None:
    pure = dealt_with_swap()
    deal = pure.table.match.deal
    assert deal is not None
    public = public_part(pure.log[-1].commit)
    for seat in SEATS:
        mate = [card + 1 for card in deal.hands[partner(seat)]]
        assert list(seat_view(pure.table, seat).climbing.partner_hand) == mate
        update = update_for(Viewer(names_of(pure.table)[seat]), public, pure.table, Trait.SHOWS_HAND)
        assert list(update.partner_hand) == mate
    assert not seat_view(pure.table, None).climbing.partner_hand


@pytest.mark.parametrize("ruleset", [ruleset for id, ruleset in PRIVATE.items() if id != "jj"])
def test_closed_hands_stay_closed(ruleset: RuleSet) -> None:
    table = dealt(ruleset=ruleset).table
    assert not any(seat_view(table, seat).climbing.partner_hand for seat in SEATS)


# Contributions


@given(st.integers(0, 2**32))
@settings(max_examples=10)
def test_contributions_are_booked_at_once_and_add_up_in_the_settlement(number: int) -> None:
    pure = dealt(seed=number.to_bytes(32, "big"), ruleset=BAIBIAN)
    rng, booked = Random(number), [0, 0, 0, 0]
    while pure.table.phase is Phase.DEAL:
        for event in pure.play_lively(rng):
            if isinstance(event, ContributionBooked):
                booked = [sum(pair) for pair in zip(booked, event.amounts, strict=True)]
        if pure.table.match.deal is not None:
            shown = list(seat_view(pure.table, None).climbing.contributions)
            assert shown == (booked if any(booked) else [])
    settled = pure.log[-1].commit.events[-2]
    if settled.HasField("deal_settled"):
        parts = settled.deal_settled.climbing.breakdown
        assert [part.contribution for part in parts] == booked
        totals = [part.base * part.multiplier + part.contribution + part.fine for part in parts]
        assert totals == list(settled.deal_settled.scores)


# Forfeits


def test_a_forfeited_seat_is_played_by_a_bot_to_the_end_of_the_match() -> None:
    pure = dealt(deals=2)
    seat = next(seat for seat in SEATS if seat not in pure.table.actors)
    assert pure.perform(Forfeit(seat), by_person=True) == (SeatForfeited(seat),)
    holder = pure.table.holders[seat]
    assert (holder.name, holder.is_played_by_bot, holder.forfeited) == (PEOPLE[seat], True, True)
    assert refused(pure, ReclaimSeat(seat)) == "seat/forfeited"
    assert refused(pure, HostSeat(seat)) == "seat/forfeited"
    play_to_the_end(pure)
    settled = pure.table.settled
    assert settled is not None
    assert isinstance(settled.event, DealSettled)
    assert settled.event.breakdown[seat].fine == -12
    pure.let_time_pass(bytes([9]) * 32)
    assert pure.table.holders[seat].forfeited
    assert seat_view(pure.table, None).seats[seat].forfeited
    assert folded(pure.log[-1:]).table == pure.table


def test_who_left_sees_no_hidden_card_any_more() -> None:
    pure = dealt()
    assert Viewer("carol").seat_at(pure.table) == 2
    pure.perform(Forfeit(SEATS[2]), by_person=True)
    assert Viewer("carol").seat_at(pure.table) is None


def test_the_clock_of_the_seat_to_act_runs_on_when_another_leaves() -> None:
    pure = dealt()
    deadline = pure.table.deadline_ms
    pure.now_ms += 5_000
    other = next(seat for seat in SEATS if seat not in pure.table.actors)
    pure.perform(Forfeit(other))
    assert pure.table.deadline_ms == deadline
    assert pure.log[-1].route == "human"


def test_a_bot_has_to_act_at_once_for_who_left_on_its_turn() -> None:
    pure = dealt()
    pure.perform(Forfeit(pure.table.actors[0]))
    assert pure.log[-1].route == "bot"
    assert pure.table.deadline_ms == pure.now_ms + BOT_MS


def test_a_hosted_person_that_leaves_is_not_back_by_the_way() -> None:
    pure = dealt()
    pure.perform(HostSeat(SEATS[1]))
    assert pure.perform(Forfeit(SEATS[1]), by_person=True) == (SeatForfeited(SEATS[1]),)


# Void deals


def test_the_second_forfeit_voids_the_deal_and_the_match_goes_on() -> None:
    pure = dealt()
    pure.perform(Forfeit(SEATS[0]))
    events = pure.perform(Forfeit(SEATS[1]))
    voided = events[-1]
    assert isinstance(voided, DealVoided)
    assert voided.scores == (-8, -8, 8, 8)
    assert (pure.table.phase, pure.log[-1].route) == (Phase.BETWEEN_DEALS, "score")
    message = pure.log[-1].commit.events[-1].deal_voided
    assert (list(message.players), list(message.totals)) == (list(PEOPLE), [-8, -8, 8, 8])
    assert seat_view(pure.table, None).last_void == message
    assert pure.table.deadline_ms > pure.now_ms
    pure.let_time_pass(bytes([7]) * 32)
    assert pure.table.match.deal is not None
    assert pure.table.match.deal.number == 2
    assert folded(pure.log[-1:]).table == pure.table
    play_to_the_end(pure)
    assert pure.table.phase is Phase.FINISHED
    assert not seat_view(pure.table, None).HasField("last_void")


def test_all_seats_together_void_a_deal_before_its_first_play() -> None:
    pure = dealt(ruleset=PRIVATE["qq"])
    for seat in SEATS[:3]:
        pure.perform(VoteRedeal(seat))
    assert list(seat_view(pure.table, None).climbing.consents.redeal) == [0, 1, 2]
    (*_, voided) = pure.perform(VoteRedeal(SEATS[3]))
    assert isinstance(voided, DealVoided)
    assert voided.reason is VoidReason.REDEAL
    assert pure.table.match.standing.deals_played == 0


def test_partners_who_surrender_end_the_match_like_any_last_deal() -> None:
    pure = dealt(ruleset=PRIVATE["zsy"])
    pure.perform(Surrender(SEATS[1]))
    *_, settled, finished = pure.perform(Surrender(SEATS[3]))
    assert isinstance(settled, DealSettled)
    assert settled.surrendered == 1
    assert finished == MatchFinished((2, -2, 2, -2))
    assert (pure.table.phase, pure.table.expected) == (Phase.FINISHED, Expected.NOTHING)


# Targets


def test_the_match_is_over_when_a_total_reaches_the_target() -> None:
    ruleset = replace(QQ, options=replace(QQ.options, target_score=2, base_draw=2))
    pure = dealt(deals=100, ruleset=ruleset)
    play_to_the_end(pure)
    assert pure.table.phase is Phase.FINISHED
    assert pure.log[-1].commit.events[-1].HasField("match_finished")
    assert pure.table.deadline_ms == 0


# Games for fewer players


def two_players() -> RuleSet:
    options = replace(load("jipai").options, players=2, hand_size=13)
    return replace(load("jipai"), options=options, defaults=options)


def test_a_game_for_two_takes_two_seats() -> None:
    pure = opened("alice", "", "", "", ruleset=two_players())
    assert refused(pure, TakeSeat(SEATS[2], "carol")) == "seat/not_in_play"
    pure.perform(TakeSeat(SEATS[1], "bob"))
    assert pure.table.phase is Phase.BETWEEN_DEALS


# Everything together


@pytest.mark.parametrize("ruleset", PRIVATE.values(), ids=PRIVATE)
@given(number=st.integers(0, 2**32))
@settings(max_examples=8)
def test_any_engine_reads_any_game_from_any_deal_of_its_log(ruleset: RuleSet, number: int) -> None:
    pure = opened("alice", "bot:plain", "carol", "dave", deals=3, ruleset=ruleset)
    rng = Random(number)
    while pure.table.phase is not Phase.FINISHED and len(pure.log) < 900:
        if pure.table.phase is Phase.DEAL:
            pure.play_lively(rng)
        else:
            pure.let_time_pass(rng.randbytes(32))
    starts = [index for index, stored in enumerate(pure.log) if stored.commit.bookkeeping.HasField("summary")]
    for start in (0, *starts):
        recovered = folded(pure.log[start:])
        assert recovered.table == pure.table
        assert (recovered.last_sequence, recovered.deal_sequence) == (
            pure.warm.last_sequence,
            pure.warm.deal_sequence,
        )


def test_a_clock_of_its_own_costs_no_move_table_of_its_own() -> None:
    quick = JJ.with_options({"turn_seconds": "5", "base_single": "4", "surrender": "true"})
    assert move_table(quick.options) is move_table(JJ.options)
    assert decider_for(quick).new_match(quick).table is move_table(JJ.options)
