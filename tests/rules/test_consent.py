"""docs/rules/climbing.md §9: forfeits 逃跑, void deals, surrender 投降 and redeals, told as stories."""

from dataclasses import replace

import pytest

from kit.climbing_table import (
    DECIDER,
    PRIVATE,
    SEED,
    act,
    end_of,
    fold,
    lowest_policy,
    new_deal,
    played_out,
    table_with,
)
from shuangkou.rules.climbing.commands import Command, Surrender, VoteRedeal
from shuangkou.rules.climbing.events import (
    DealSettled,
    DealStarted,
    RedealVoted,
    Result,
    SideSurrendered,
    SurrenderOffered,
)
from shuangkou.rules.climbing.state import MatchState
from shuangkou.rules.climbing.view import Standing
from shuangkou.rules.commands import Forfeit, Pass, StartDeal
from shuangkou.rules.dealing import draw_seat
from shuangkou.rules.errors import CODES, IllegalCommand
from shuangkou.rules.events import DealVoided, SeatForfeited, VoidReason
from shuangkou.rules.ruleset import load
from shuangkou.rules.seats import SEATS, Seat, Side

QQ = PRIVATE["qq"]
HANDS = ("3 4", "7 7", "8 9", "9 9")


def code_of(state: MatchState, command: Command) -> str:
    with pytest.raises(IllegalCommand) as refused:
        DECIDER.decide(state, command)
    assert refused.value.code in CODES
    assert refused.value.seat == getattr(command, "seat", None)
    return refused.value.code


def test_a_deal_goes_on_without_one_player() -> None:
    """§9.1: the deal is finished and scored, and the fine is shared by the others."""
    state, events = act(table_with(*HANDS, ruleset=QQ), Forfeit(Seat(3)))
    assert events == (SeatForfeited(Seat(3)),)
    assert DECIDER.observe(state, Seat(0)).consents.forfeited == (3,)
    assert code_of(state, Forfeit(Seat(3))) == "climbing/already_forfeited"
    state, events = act(
        state,
        "0: 3",
        "1: pass",
        "2: 8",
        "3: pass",
        "0: pass",
        "1: pass",
        "2: 9",
        "3: pass",
        "0: pass",
        "1: pass",
    )
    state, events = act(state, "0: 4")
    settled = events[-1]
    assert isinstance(settled, DealSettled)
    assert settled.result is Result.DOUBLE
    assert settled.forfeited == (3,)
    assert [seat.fine for seat in settled.breakdown] == [4, 4, 4, -12]
    assert settled.scores == (8, 0, 8, -16)
    assert state.standing.was_abnormal


def test_the_lead_after_a_forfeit_is_drawn() -> None:
    """§2.4: an abnormal end."""
    standing = Standing(1, (0, 0, 0, 0), Seat(1), Result.SINGLE, was_abnormal=True)
    leaders = set()
    for number in range(16):
        started = DECIDER.decide(DECIDER.resume(load("zsy"), standing), StartDeal(bytes([number]) * 32))[0]
        assert isinstance(started, DealStarted)
        leaders.add(started.leader)
    assert leaders == set(SEATS)


def test_a_second_forfeit_voids_the_deal() -> None:
    """§9.2: only the fines count; contributions are taken back."""
    state = table_with("6 6 6 6 6 6 3", "7 7", "8 9", "9 9", ruleset=PRIVATE["wenzhou"])
    state, _ = act(state, "0: 6 6 6 6 6 6", Forfeit(Seat(1)))
    assert DECIDER.observe(state, None).contributions == (6, -2, -2, -2)
    state, events = act(state, Forfeit(Seat(0)))
    voided = events[-1]
    assert voided == DealVoided(1, VoidReason.FORFEITS, (-6, -6, 6, 6), SEED, (Seat(1), Seat(0)))
    assert state.deal is None
    assert state.settled is None
    standing = state.standing
    assert (standing.totals, standing.deals_played, standing.last_number) == ((-6, -6, 6, 6), 0, 1)
    assert (standing.void_start, standing.was_abnormal, standing.last_head) == (0, True, None)
    view = DECIDER.observe(state, None)
    assert (view.deal_number, view.voided, view.contributions) == (1, voided, (0, 0, 0, 0))


def test_the_deal_after_a_void_one_has_the_next_number() -> None:
    """§9.2: no two deals of a table share one."""
    state = new_deal(SEED, QQ)
    state, _ = act(state, Forfeit(Seat(0)), Forfeit(Seat(1)))
    command = StartDeal(bytes(32))
    started = DECIDER.decide(state, command)[0]
    assert isinstance(started, DealStarted)
    assert (started.number, started.leader) == (2, draw_seat(bytes(32), "lead"))
    after = fold(state, DECIDER.decide(state, command))
    assert end_of(played_out(after, lowest_policy)).standing.last_number == 2


def test_who_is_out_has_nothing_to_forfeit() -> None:
    """§9.1."""
    state, _ = act(table_with("3", "7 7", "8 9", "9 9", ruleset=QQ), "0: 3")
    assert code_of(state, Forfeit(Seat(0))) == "climbing/already_out"
    assert code_of(state, Forfeit(Seat(7))) == "seat/no_such_seat"
    assert code_of(DECIDER.new_match(QQ), Forfeit(Seat(0))) == "state/no_deal_in_progress"


def test_a_side_surrenders_when_both_partners_agree() -> None:
    """§9.3: as a double of the other side; the first winner in turn order is the head."""
    state, events = act(table_with(*HANDS, ruleset=QQ), "0: 3", Surrender(Seat(0)))
    assert events == (SurrenderOffered(Seat(0)),)
    assert DECIDER.observe(state, Seat(2)).consents.surrender == (0,)
    assert code_of(state, Surrender(Seat(0))) == "climbing/already_offered"
    state, events = act(state, Surrender(Seat(2)))
    assert events[:2] == (SurrenderOffered(Seat(2)), SideSurrendered(Side(0)))
    settled = events[-1]
    assert isinstance(settled, DealSettled)
    assert (settled.result, settled.finish_order) == (Result.DOUBLE, (1, 3, 0, 2))
    assert (settled.scores, settled.surrendered) == ((-4, 4, -4, 4), 0)
    assert state.standing.was_abnormal


def test_who_is_out_already_stays_the_head() -> None:
    """§9.3; bombs played so far count."""
    hands = ("3 4", "7", "8 9", "5 5 5 5 5 9")
    state, _ = act(table_with(*hands, ruleset=QQ), "0: 3", "1: 7", "2: pass", "3: 5 5 5 5 5")
    assert code_of(state, Surrender(Seat(3))) == "climbing/surrender_too_late"
    _, events = act(state, Surrender(Seat(2)), Surrender(Seat(0)))
    settled = events[-1]
    assert isinstance(settled, DealSettled)
    assert (settled.finish_order, settled.scores) == ((1, 3, 0, 2), (-8, 8, -8, 8))


def test_an_offer_lapses_when_a_partner_plays_on() -> None:
    """§9.3."""
    state, _ = act(table_with(*HANDS, ruleset=QQ), "0: 3", Surrender(Seat(0)), "1: pass")
    assert DECIDER.observe(state, None).consents.surrender == (0,)
    state, _ = act(state, "2: pass")
    assert DECIDER.observe(state, None).consents.surrender == ()
    _, events = act(state, Surrender(Seat(2)))
    assert events == (SurrenderOffered(Seat(2)),)


def test_a_surrendered_deal_that_one_seat_wins() -> None:
    """§9.3 with `first_out`: a win, as there is no double."""
    state = table_with(*HANDS, ruleset=PRIVATE["jipai"])
    _, events = act(state, Surrender(Seat(1)), Surrender(Seat(3)))
    settled = events[-1]
    assert isinstance(settled, DealSettled)
    assert (settled.result, settled.finish_order, settled.scores) == (Result.WIN, (0,), (1, -1, 1, -1))


def test_all_four_may_ask_for_a_redeal_before_the_first_play() -> None:
    """§9.4."""
    state, events = act(new_deal(SEED, QQ), *(VoteRedeal(seat) for seat in SEATS[:3]))
    assert events == (RedealVoted(Seat(2)),)
    assert code_of(state, VoteRedeal(Seat(2))) == "climbing/already_voted"
    state, events = act(state, VoteRedeal(Seat(3)))
    assert events[-1] == DealVoided(1, VoidReason.REDEAL, (0, 0, 0, 0), SEED)
    assert state.standing.was_abnormal


def test_a_redeal_is_too_late_after_the_first_play() -> None:
    """§9.4."""
    state, _ = act(table_with(*HANDS, ruleset=QQ), VoteRedeal(Seat(1)), "0: 3")
    assert code_of(state, VoteRedeal(Seat(2))) == "climbing/redeal_too_late"
    assert DECIDER.observe(state, None).consents.redeal == ()


def test_a_ranked_table_knows_neither() -> None:
    """§9.3, §9.4: both are off unless the table chose them."""
    state = table_with(*HANDS)
    assert code_of(state, Surrender(Seat(0))) == "climbing/no_surrender"
    assert code_of(state, VoteRedeal(Seat(0))) == "climbing/no_redeal"
    assert DECIDER.legal_acts(state, Seat(0)).others == (Forfeit(Seat(0)),)


def test_a_match_may_have_a_target() -> None:
    """§7.3."""
    ruleset = replace(QQ, options=replace(QQ.options, target_score=30))
    state = DECIDER.resume(ruleset, Standing(3, (30, -30, 30, -30), Seat(0), Result.SINGLE))
    assert state.is_over
    assert code_of(state, StartDeal(SEED)) == "state/match_over"
    assert not DECIDER.resume(ruleset, Standing(3, (29, -29, 29, -29))).is_over
    assert not DECIDER.new_match(QQ).is_over


def test_a_command_of_no_phase_is_refused() -> None:
    """Every phase has its own acts."""
    assert code_of(new_deal(), Bow(Seat(0))) == "state/no_such_act"


class Bow(Pass):
    """No act of any phase."""
