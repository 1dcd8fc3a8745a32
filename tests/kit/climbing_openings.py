"""Tables of climbing games in a phase before play, and why an act is refused there."""

import pytest

from kit.climbing_table import DECIDER, SEED, act, fold
from shuangkou.rules.climbing.commands import Command
from shuangkou.rules.climbing.events import DealStarted
from shuangkou.rules.climbing.state import DealState, MatchState
from shuangkou.rules.climbing.view import Standing
from shuangkou.rules.dealing import seed_hash
from shuangkou.rules.errors import CODES, IllegalCommand
from shuangkou.rules.events import HandsDealt
from shuangkou.rules.notation import parse_cards, parse_hand
from shuangkou.rules.ruleset import RuleSet, load
from shuangkou.rules.seats import Seat

AUCTION = load("landlord52")
KITTY = "Jh 7h Qc 6c"


def opened(
    ruleset: RuleSet, *hands: str, leader: int = 0, kitty: str = "", passed_out: int = 0
) -> MatchState:
    """A deal in its first phase in which the seats hold just these cards."""
    dealt = tuple(parse_hand(hand, ruleset.options.rank_order) for hand in hands)
    started = DealStarted(1, seed_hash(SEED), Seat(leader), tuple(map(len, dealt)))
    table = DECIDER.resume(ruleset, Standing(passed_out=passed_out))
    return fold(table, (started, HandsDealt(SEED, dealt, parse_cards(kitty))))


def deal_of(state: MatchState) -> DealState:
    """The deal in progress."""
    assert state.deal is not None
    return state.deal


def code_of(state: MatchState, *acts: str | Command) -> str:
    """Why the last of these acts is refused."""
    if acts[:-1]:
        state, _ = act(state, *acts[:-1])
    with pytest.raises(IllegalCommand) as refused:
        act(state, acts[-1])
    assert refused.value.code in CODES
    return refused.value.code


def auction(passed_out: int = 0, leader: int = 0) -> MatchState:
    """An auction in which nobody called yet."""
    hands = ("3 4", "5 6", "7 8", "9 T")
    return opened(AUCTION, *hands, leader=leader, kitty=KITTY, passed_out=passed_out)
