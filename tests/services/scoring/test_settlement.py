"""What the ledger takes from a commit, and what it refuses to take."""

from __future__ import annotations

import pytest

from kit.settling import PEOPLE, finishing, settling_commit, voiding_commit
from shuangkou.scoring.settlement import MatchEnd, NotASettlement, fact_of, settlement_of
from shuangkou.v1.events_pb2 import Commit, Event, MatchFinished
from shuangkou.v1.tricks_pb2 import MatchDecided


def test_a_settling_commit_says_who_won_what() -> None:
    settlement = settlement_of(settling_commit(players=("alice", "bot:plain", "carol", "dave"), time_ms=77))
    assert settlement.subject == "score.qq.t1.1"
    assert settlement.settled_ms == 77
    assert [(seat.player_id, seat.points, seat.place == 1, seat.is_bot) for seat in settlement.seats] == [
        ("alice", 2, True, False),
        ("bot:plain", -2, False, True),
        ("carol", 2, False, False),
        ("dave", -2, False, False),
    ]
    assert [seat.is_winner for seat in settlement.seats] == [True, False, True, False]


def test_a_deal_of_a_family_without_a_finish_order_has_no_first() -> None:
    commit = settling_commit()
    commit.events[2].deal_settled.ClearField("climbing")
    assert not any(seat.place for seat in settlement_of(commit).seats)


def test_a_void_deal_has_its_fines_and_no_first() -> None:
    settlement = settlement_of(voiding_commit(number=3))
    assert (settlement.is_void, settlement.subject) == (True, "score.qq.t1.3")
    assert not any(seat.is_winner for seat in settlement.seats)
    assert [(seat.player_id, seat.points, seat.place == 1) for seat in settlement.seats] == [
        ("alice", -6, False),
        ("bob", 2, False),
        ("carol", -6, False),
        ("dave", 10, False),
    ]


def test_the_deal_that_ends_a_match_says_which_side_won_it() -> None:
    for ended in (finishing(settling_commit(), 1), finishing(voiding_commit(), 1)):
        settlement = settlement_of(ended)
        assert settlement.stored.match == ended.events[-1].match_finished
        assert settlement.match is not None
        assert settlement.match.event_id == "ev_elder"
        assert list(settlement.match.winners) == [1, 3]
        assert settlement.match.replay_subject == "events.table.qq.t1"
    settlement = settlement_of(settling_commit())
    assert not settlement.stored.HasField("match")
    assert settlement.match is None


@pytest.mark.parametrize(
    ("ruleset_id", "players", "totals", "decided", "winners"),
    [
        ("jj", PEOPLE, (3, 5, 3, 5), None, [1, 3]),
        ("jj", PEOPLE, (3, 3, 3, 3), None, []),
        # The side of who left has won all the same.
        ("qq", PEOPLE, (-9, 1, 20, 1), None, [0, 2]),
        ("duel52", ("alice", "bob", "", ""), (7, -7, 0, 0), None, [0]),
        ("sheng_basic", PEOPLE, (0, 9, 0, 9), MatchDecided(winner=0), [0, 2]),
        ("sheng_basic", PEOPLE, (0, 9, 0, 9), MatchDecided(), []),
    ],
)
def test_a_match_is_won_by_its_event_its_own_rules_or_its_points(
    ruleset_id: str,
    players: tuple[str, ...],
    totals: tuple[int, ...],
    decided: MatchDecided | None,
    winners: list[int],
) -> None:
    end = MatchEnd("t1", ruleset_id, 5, MatchFinished(totals=totals), decided)
    assert list(end.result(players).winners) == winners


def test_a_match_may_end_between_two_deals() -> None:
    finished = MatchFinished(totals=[1, 2, 1, 2])
    commit = Commit(
        table_id="t1", ruleset_id="qq", version=9, time_ms=4, events=[Event(match_finished=finished)]
    )
    assert fact_of(commit) == MatchEnd("t1", "qq", 4, finished, None)


def test_a_game_for_two_has_two_results() -> None:
    commit = settling_commit(players=("alice", "bob", "", ""), scores=(3, -3, 0, 0))
    assert [seat.player_id for seat in settlement_of(commit).seats] == ["alice", "bob"]


def _without(field: str) -> Commit:
    commit = settling_commit()
    commit.events[2].deal_settled.ClearField(field)  # type: ignore[arg-type]  # the parameter is the point
    return commit


@pytest.mark.parametrize(
    "commit",
    [
        Commit(),
        Commit(table_id="t1", ruleset_id="qq", version=3),
        settling_commit(table_id=""),
        settling_commit(ruleset_id=""),
        settling_commit(table_id="nul\0"),
        settling_commit(players=("nul\0", "bob", "carol", "dave")),
        settling_commit(winners=(0, 7)),
        Commit(table_id="t1", ruleset_id="qq", events=[Event(match_finished=MatchFinished(totals=[1]))]),
        settling_commit(players=("alice", "", "carol", "dave")),
        settling_commit(players=("", "", "", ""), scores=(0, 0, 0, 0)),
        Commit(table_id="t1", ruleset_id="qq", events=[*settling_commit().events, *voiding_commit().events]),
        *(_without(field) for field in ("number", "players", "scores", "totals")),
    ],
)
def test_a_commit_that_settles_nothing_is_refused(commit: Commit) -> None:
    with pytest.raises(NotASettlement):
        settlement_of(commit)
