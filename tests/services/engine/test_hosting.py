"""What an engine owes to a table whatever the game is, on games of both families."""

from __future__ import annotations

from collections import Counter
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from kit.effort import effort
from kit.pure_table import PEOPLE, PureTable, folded, opened
from shuangkou.engine.fold import apply_entry, entry_from_log
from shuangkou.engine.table import Phase
from shuangkou.engine.views import seat_view
from shuangkou.engine.watchers import SPECTATOR, Viewer, public_part, update_for
from shuangkou.rules.ruleset import AnyRuleSet, available, load
from shuangkou.rules.seats import SEATS
from shuangkou.v1.events_pb2 import Commit

RULESET = st.sampled_from(available())
SEED = st.binary(min_size=32, max_size=32)


def slow_or_at_once(ruleset_id: str, rng: Random) -> AnyRuleSet:
    """The ruleset, in games that are drawn sometimes card by card."""
    ruleset = load(ruleset_id)
    if "draw_pace_ms" in dict(ruleset.allowed) and rng.random() < 0.5:
        return ruleset.with_options({"draw_pace_ms": "100"})
    return ruleset


@given(ruleset_id=RULESET, seed=SEED)
@effort(6)
def test_a_table_is_the_fold_of_its_log_wherever_the_reading_begins(ruleset_id: str, seed: bytes) -> None:
    rng = Random(seed)
    pure = opened(deals=2, ruleset=slow_or_at_once(ruleset_id, rng))
    starts = [0]
    while pure.table.phase is not Phase.FINISHED:
        pure.go_on(rng)
        if pure.log[-1].commit.bookkeeping.HasField("summary"):
            starts.append(len(pure.log) - 1)
        if rng.random() < 0.02:
            check_folds(pure, starts)
    check_folds(pure, starts)


def check_folds(pure: PureTable, starts: list[int]) -> None:
    """All readings of the log end at the same table."""
    for start in starts:
        assert folded(pure.log[start:]).table == pure.table


@given(ruleset_id=RULESET, seed=SEED)
@effort(10)
def test_who_watches_a_seat_always_knows_its_hand(ruleset_id: str, seed: bytes) -> None:
    """From what the stream brings, and the plays that everybody sees, follow the hand and the kitty."""
    rng = Random(seed)
    pure = opened(ruleset=slow_or_at_once(ruleset_id, rng))
    hands: dict[str, Counter[int]] = {name: Counter() for name in PEOPLE}
    reader = folded(pure.log)
    while pure.table.phase is not Phase.FINISHED:
        pure.go_on(rng)
        stored = pure.log[-1]
        entry = entry_from_log(reader, stored.commit, stored.secret_commit)
        apply_entry(reader, entry, stored.sequence)
        public = public_part(stored.commit)
        for name in PEOPLE:
            update = update_for(Viewer(name), public, entry.after, entry.traits)
            if not update.HasField("seat"):
                # Its player has left for good.
                assert not update.own_hand
                continue
            hands[name] -= played_by(update.seat, public)
            if update.own_hand:
                hands[name] = Counter(update.own_hand)
            if pure.table.phase is Phase.DEAL:
                assert hands[name] == Counter(seat_view(pure.table, SEATS[update.seat]).hand)
        told = update_for(SPECTATOR, public, entry.after, entry.traits)
        assert not [*told.own_hand, *told.partner_hand, *told.kitty]


def played_by(seat: int, commit: Commit) -> Counter[int]:
    """The cards that the commit shows to leave a hand."""
    plays = [event.cards_played for event in commit.events if event.HasField("cards_played")]
    return Counter(card for play in plays if play.seat == seat for card in play.cards)
