"""docs/rules/climbing.md §2.4, §4, §5, §6: tricks, going out, 接风 and the end of a deal, told as stories."""

from dataclasses import replace

import pytest

from kit.climbing_table import (
    DECIDER,
    QQ,
    SEED,
    act,
    end_of,
    fold,
    lowest_policy,
    new_deal,
    played_out,
    table_with,
)
from shuangkou.rules.climbing.events import (
    CardsPlayed,
    DealSettled,
    DealStarted,
    LeadInherited,
    Result,
    SeatWentOut,
    TrickEnded,
)
from shuangkou.rules.climbing.legal_acts import legal_acts_in_view
from shuangkou.rules.climbing.notation import format_act
from shuangkou.rules.climbing.options import LaterLead
from shuangkou.rules.climbing.view import Standing
from shuangkou.rules.commands import Pass, PlayCards, StartDeal
from shuangkou.rules.dealing import draw_seat
from shuangkou.rules.errors import CODES, IllegalCommand
from shuangkou.rules.events import HandsDealt, Passed
from shuangkou.rules.notation import parse_cards
from shuangkou.rules.seats import SEATS, Seat


def refusal_of(state: object, text: str) -> IllegalCommand:
    with pytest.raises(IllegalCommand) as refused:
        act(state, text)  # type: ignore[arg-type]
    assert refused.value.code in CODES
    return refused.value


def test_the_leader_may_not_pass() -> None:
    """§4.2."""
    refusal = refusal_of(table_with("3 4", "5 6", "5 6", "5 6"), "0: pass")
    assert refusal.code == "climbing/pass_on_empty_trick"
    assert refusal.seat == 0


def test_only_the_seat_whose_turn_it_is_acts() -> None:
    """§4.1."""
    state = table_with("3 4", "5 6", "5 6", "5 6")
    assert refusal_of(state, "1: 5").code == "turn/not_your_turn"
    state, _ = act(state, "0: 3s")
    assert refusal_of(state, "0: pass").code == "turn/not_your_turn"
    assert DECIDER.actors(state) == (1,)


def test_nobody_acts_between_deals() -> None:
    state = DECIDER.new_match(QQ)
    assert refusal_of(state, "0: 3").code == "state/no_deal_in_progress"
    assert DECIDER.actors(state) == ()
    assert DECIDER.time_limit_ms(state) == 0


def test_cards_must_be_held_as_often_as_they_are_played() -> None:
    """§1.3: two copies may be held, a third may not be played."""
    state = table_with("7h 7h 7s 8s", "5 6", "5 6", "5 6")
    refusal = refusal_of(state, "0: 7h 7h 7h")
    assert refusal.code == "cards/not_held"
    assert refusal.cards == parse_cards("7h"), "only what is missing"
    assert "seat 0 cannot play 7h 7h 7h to lead: it does not hold 7h" in refusal.message
    assert refusal_of(state, "0: 7h 8s").code == "climbing/no_such_combination"
    _, events = act(state, "0: 7s 7h 7h")
    assert isinstance(events[0], CardsPlayed)
    assert events[0].cards == parse_cards("7s 7h 7h")


def test_a_follower_must_beat_the_top_play() -> None:
    """§4.3: the message quotes the play and what lies on the table."""
    state, _ = act(table_with("9s Ts", "9h 8h 3 3 3 3", "5 6", "5 6"), "0: 9s")
    refusal = refusal_of(state, "1: 9h")
    assert refusal.code == "climbing/does_not_beat"
    assert "cannot play 9h on 9s of seat 0" in refusal.message
    state, _ = act(state, "1: 3 3 3 3")
    assert state.deal is not None
    assert state.deal.turn == 2


def test_passing_is_not_final_and_a_partner_may_be_beaten() -> None:
    """§4.2."""
    _, events = act(
        table_with("3 9", "7 K", "5 8", "6 6"), "0: 3", "1: pass", "2: 5", "3: pass", "0: 9", "1: K"
    )
    assert isinstance(events[0], CardsPlayed)


def test_a_trick_ends_when_all_others_passed() -> None:
    """§4.4."""
    state, events = act(
        table_with("3 9", "7 K", "5 8", "6 6"), "0: 3", "1: 7", "2: pass", "3: pass", "0: pass"
    )
    assert events == (Passed(Seat(0)), TrickEnded(Seat(1)))
    assert state.deal is not None
    assert (state.deal.turn, state.deal.leader, state.deal.top, state.deal.trick) == (1, 1, None, ())
    assert DECIDER.observe(state, None).history == (
        CardsPlayed(Seat(0), parse_cards("3"), state.table.combinations[0]),
        CardsPlayed(Seat(1), parse_cards("7"), state.table.combinations[4]),
        Passed(Seat(2)),
        Passed(Seat(3)),
        Passed(Seat(0)),
    )


def test_seats_without_cards_are_skipped() -> None:
    """§4.1, §5.1: the seat that goes out takes the next place, and all others have their turn."""
    state, events = act(table_with("3 9", "7", "5 8", "6 6"), "0: 3", "1: 7", "2: 8", "3: pass", "0: 9")
    assert events[1] == SeatWentOut(Seat(0), 2)
    assert state.deal is not None
    assert (state.deal.turn, state.deal.finish_order) == (2, (1, 0))


def test_the_partner_inherits_the_lead_of_a_seat_that_went_out() -> None:
    """§5.2: 接风; the partner's own pass is one of the passes needed."""
    state, events = act(
        table_with("3 4", "8 8", "5 6", "6 7"), "0: 3", "1: pass", "2: pass", "3: pass", "0: 4"
    )
    assert events[-1] == SeatWentOut(Seat(0), 1)
    state, events = act(state, "1: pass", "2: pass")
    assert events == (Passed(Seat(2)),)
    state, events = act(state, "3: pass")
    assert events == (Passed(Seat(3)), TrickEnded(Seat(0)), LeadInherited(Seat(2), Seat(0)))
    assert refusal_of(state, "2: pass").code == "climbing/pass_on_empty_trick"
    act(state, "2: 5")


def test_a_play_on_the_last_cards_of_a_seat_keeps_the_lead() -> None:
    """§5.3: seat 0 goes out, seat 1 beats it and keeps cards."""
    _, events = act(table_with("3", "8 9", "5 6", "6 7"), "0: 3", "1: 8", "2: pass", "3: pass")
    assert events == (Passed(Seat(3)), TrickEnded(Seat(1)))


def test_only_the_owner_of_the_final_play_is_inherited_from() -> None:
    """§5.3: seat 0 goes out, seat 1 beats it and goes out too."""
    _, events = act(table_with("3", "8", "5 6", "6 7"), "0: 3", "1: 8", "2: pass", "3: pass")
    assert events == (Passed(Seat(3)), TrickEnded(Seat(1)), LeadInherited(Seat(3), Seat(1)))


def settled(*acts: str, hands: tuple[str, str, str, str]) -> DealSettled:
    _, events = act(table_with(*hands), *acts)
    assert isinstance(events[-1], DealSettled)
    return events[-1]


def test_a_double_ends_the_deal_at_once() -> None:
    """§6.1, §6.3: the seats left are placed in turn order."""
    end = settled("0: 3", "1: pass", "2: 8", hands=("3", "7 7", "8", "9 9"))
    assert (end.result, end.finish_order) == (Result.DOUBLE, (0, 2, 3, 1))
    assert end.scores == (4, -4, 4, -4)
    assert end.seed == SEED


def test_a_single_leaves_one_seat() -> None:
    """§6.2."""
    end = settled("0: 3", "1: 7", "2: 8", hands=("3", "7", "8", "9 9"))
    assert (end.result, end.finish_order, end.scores) == (Result.SINGLE, (0, 1, 2, 3), (2, -2, 2, -2))


def test_a_draw_scores_nothing() -> None:
    """§6.2 and qq 5, whatever was bombed."""
    end = settled("0: 3", "1: 7", "2: pass", "3: 9 9 9 9 9", hands=("3", "7", "8 8", "9 9 9 9 9"))
    assert (end.result, end.finish_order) == (Result.DRAW, (0, 1, 3, 2))
    assert (end.scores, end.multiplier) == ((0, 0, 0, 0), 1)


def test_the_last_play_counts_as_a_bomb() -> None:
    """§6.4; those still held do not (§6.5)."""
    hands = ("3", "2 2 2 2 2 2", "LJ LJ BJ BJ", "8 8 8 8 8 8 8 8")
    end = settled("0: 3", "1: pass", "2: LJ LJ BJ BJ", hands=hands)
    assert [(bomb.seat, bomb.combination.size) for bomb in end.bombs] == [(2, 4)]
    assert (end.base, end.multiplier, end.scores) == (4, 5, (20, -20, 20, -20))


def test_the_first_lead_is_drawn_from_the_seed() -> None:
    """§2.4."""
    for number in range(8):
        seed = bytes([number]) * 32
        state = new_deal(seed)
        assert DECIDER.actors(state) == (draw_seat(seed, "lead"),)


@pytest.mark.parametrize(
    ("last_head", "last_result", "new_table", "rule", "is_drawn"),
    [
        (Seat(1), Result.SINGLE, False, LaterLead.LAST_HEAD_UNLESS_DOUBLE, False),
        (Seat(1), Result.DRAW, False, LaterLead.LAST_HEAD_UNLESS_DOUBLE, False),
        (Seat(1), Result.DOUBLE, False, LaterLead.LAST_HEAD_UNLESS_DOUBLE, True),
        (Seat(1), Result.DOUBLE, False, LaterLead.LAST_HEAD, False),
        (Seat(1), Result.SINGLE, True, LaterLead.LAST_HEAD, True),
        (None, None, False, LaterLead.LAST_HEAD, True),
    ],
)
def test_who_leads_later_deals(
    last_head: Seat | None, last_result: Result | None, new_table: bool, rule: LaterLead, is_drawn: bool
) -> None:
    """§2.4."""
    ruleset = replace(QQ, options=replace(QQ.options, later_lead=rule))
    standing = Standing(3, (1, -1, 1, -1), last_head, last_result)
    leaders = set()
    for number in range(20):
        command = StartDeal(bytes([number]) * 32, new_table)
        started = DECIDER.decide(DECIDER.resume(ruleset, standing), command)[0]
        assert isinstance(started, DealStarted)
        assert started.number == 4
        leaders.add(started.leader)
    assert leaders == (set(SEATS) if is_drawn else {last_head})


def test_a_deal_starts_only_between_deals_and_from_32_bytes() -> None:
    """§2.5."""
    with pytest.raises(IllegalCommand) as refused:
        DECIDER.decide(new_deal(), StartDeal(SEED))
    assert refused.value.code == "state/deal_in_progress"
    with pytest.raises(IllegalCommand) as refused:
        DECIDER.decide(DECIDER.new_match(QQ), StartDeal(SEED[:31]))
    assert refused.value.code == "state/bad_seed"


def test_only_the_dealt_hands_are_secret() -> None:
    """§2.3."""
    started, hands = DECIDER.decide(DECIDER.new_match(QQ), StartDeal(SEED))
    assert (started.secret, hands.secret) == (False, True)
    assert isinstance(hands, HandsDealt)


def test_a_match_resumes_between_two_deals() -> None:
    """§7.3: totals are summed by seat."""
    first = end_of(played_out(new_deal(), lowest_policy))
    resumed = DECIDER.resume(QQ, first.standing)
    command = StartDeal(bytes(32))
    events = DECIDER.decide(first, command)
    assert DECIDER.decide(resumed, command) == events
    second = end_of(played_out(fold(resumed, events), lowest_policy))
    assert first.settled is not None
    assert second.settled is not None
    sums = tuple(a + b for a, b in zip(first.settled.scores, second.settled.scores, strict=True))
    assert second.standing == Standing(2, sums, second.settled.finish_order[0], second.settled.result)


def test_the_ruled_default_passes_or_leads_the_lowest_single() -> None:
    """§8.2."""
    state = table_with("3 3 4 4 4 4", "5 6", "5 6", "5 6")
    assert format_act(played(DECIDER.fallback(state, Seat(0)))) == "0: 3s"
    assert DECIDER.time_limit_ms(state) == 1000 * 30
    state, _ = act(state, "0: 3s")
    assert DECIDER.fallback(state, Seat(1)) == Pass(Seat(1))
    assert DECIDER.time_limit_ms(state) == 1000 * 20
    with pytest.raises(IllegalCommand):
        DECIDER.fallback(state, Seat(2))


def played(command: object) -> PlayCards:
    assert isinstance(command, PlayCards)
    return command


def test_a_view_tells_what_a_player_needs() -> None:
    state, _ = act(table_with("3 9 9 9 9", "7 K", "5 8", "6 6"), "0: 9 9 9 9", "1: pass", "2: pass")
    view = DECIDER.observe(state, Seat(3))
    assert (view.turn, view.leader, view.passed, view.is_to_act) == (3, 0, (1, 2), True)
    assert view.hand == parse_cards("6 6")
    assert view.hand_sizes == (1, 2, 2, 2)
    assert [bomb.seat for bomb in view.bombs] == [0]
    assert sum(view.gone.values()) == 4
    assert view.in_progress
    acts = legal_acts_in_view(QQ.options, view)
    assert (len(acts), acts.may_pass) == (0, True)
    assert not legal_acts_in_view(QQ.options, DECIDER.observe(state, Seat(1)))
    with pytest.raises(ValueError, match="spectator"):
        legal_acts_in_view(QQ.options, DECIDER.observe(state, None))


def test_a_spectator_sees_no_hidden_card() -> None:
    """§2.3."""
    view = DECIDER.observe(new_deal(), None)
    assert view.hand == ()
    assert not view.is_to_act
    assert SEED.hex() not in repr(view)
