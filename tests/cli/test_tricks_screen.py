"""What a person at a trick-taking table sees, in every phase of deals of random play."""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random

import pytest
from rich.text import Text

from kit.pure_table import PureTable, opened
from kit.tricks_table import RULESETS, paced
from shuangkou.cli.calls import is_for_draw, read_call
from shuangkou.cli.deal_notes import holding_in
from shuangkou.cli.drawing import Drawing, returned_lines
from shuangkou.cli.faces import card_row, typed_cards
from shuangkou.cli.legal import legal_lines
from shuangkou.cli.narrator import Narrator
from shuangkou.cli.phrases import commit_phrase
from shuangkou.cli.seat_view import hand_lines, score_lines, table_lines, turn_lines
from shuangkou.cli.seating import is_drawing_after
from shuangkou.cli.settlement import points
from shuangkou.cli.tricks_asking import pass_words, tricks_question
from shuangkou.cli.tricks_settlement import tricks_lines
from shuangkou.cli.tricks_table import last_trick_lines
from shuangkou.cli.tricks_view import acts_in, is_drawing, score_of_view
from shuangkou.engine.table import Phase
from shuangkou.engine.views import seat_view
from shuangkou.rules.cards import Card
from shuangkou.rules.decider import decider_for
from shuangkou.rules.notation import parse_cards
from shuangkou.rules.ruleset import load
from shuangkou.rules.seats import SEATS
from shuangkou.v1 import events_pb2, table_pb2, tricks_pb2
from shuangkou.wire.cards import cards_from_wire, cards_to_wire
from shuangkou.wire.commands import act_of
from shuangkou.wire.tricks.legal_acts import legal_acts_to_wire

CHINESE = re.compile(r"[\u4e00-\u9fff]")


def plain(lines: list[Text]) -> str:
    return "\n".join(line.plain for line in lines)


def deal_of(ruleset_id: str, seed: int = 1) -> Iterator[PureTable]:
    """A table after steps of one deal whose cards are drawn one by one; of the play after one in seven."""
    rng, step = Random(seed), 0
    pure = opened(ruleset=paced(ruleset_id))
    while pure.table.phase is not Phase.FINISHED:
        pure.go_on(rng)
        deal, step = pure.table.match.deal, step + 1
        if deal is not None and (deal.phase.value != "play" or step % 7 == 0):
            yield pure


def views_of(ruleset_id: str) -> Iterator[table_pb2.SeatView]:
    """What the seat that must act sees; while cards are drawn, what one seat or another sees."""
    for step, pure in enumerate(deal_of(ruleset_id)):
        yield seat_view(pure.table, next(iter(pure.table.actors), SEATS[step % 4]))


@pytest.mark.parametrize("ruleset_id", RULESETS)
def test_what_is_asked_can_be_typed_as_it_is_written(ruleset_id: str) -> None:
    """§3, §4.1: shows and burials that the question names are legal, and each seat is asked something."""
    for view in views_of(ruleset_id):
        acts = acts_in(view)
        assert acts is not None
        told = plain(turn_lines(view, view.seat)) if view.next.seats else plain(Drawing().lines(view))
        if not told:
            continue
        *_, asked = told.splitlines()
        assert CHINESE.search(told)
        for line in re.findall(
            r"(?:declare|bury) (?:10|[2-9JQKA]|LJ|BJ)[^,(·\n]*", asked.partition("   ")[0]
        ):
            request = read_call(line.strip(), holding_in(view))
            assert request is not None
            assert act_of(request, SEATS[view.seat]) in acts, line
        assert ("nothing to" in told) <= (not acts.shows)


@pytest.mark.parametrize("ruleset_id", RULESETS)
def test_the_table_tells_roles_points_and_the_show_that_stands(ruleset_id: str) -> None:
    for pure in deal_of(ruleset_id):
        view = seat_view(pure.table, SEATS[0])
        told, part = plain(table_lines(view)), view.tricks
        deal = pure.table.match.deal
        assert deal is not None
        observed = decider_for(pure.table.ruleset).observe(pure.table.match, SEATS[0])
        assert score_of_view(part) == observed.score
        assert (f"have {observed.score} 抓分{observed.score}" in told) == (deal.attackers is not None)
        assert ("Shown 亮主: " in told) == bool(deal.auction.shows)
        roles = ("Declarer 庄家: " in told) or ("Holders 守方: " in told)
        assert roles == (deal.attackers is not None)
        assert ("Cards are drawn 摸牌: " in told) == is_drawing(view)
        assert "nobody" not in told
        score = plain(score_lines(view, lambda _: "ann"))
        assert ("This deal 本局: " in score) == (deal.attackers is not None)


def test_a_draw_does_not_flood_the_screen() -> None:
    """Five looks at the hand, and a line more for every show that becomes possible (§2.6)."""
    drawing, told, hands = Drawing(), [], 0
    for pure in deal_of("staff25"):
        view = seat_view(pure.table, SEATS[2])
        if is_drawing(view):
            told += drawing.lines(view)
            hands += 1
    looks = [line.plain for line in told if line.plain.startswith("  Drawn 已摸 ")]
    invited = [line.plain for line in told if "declare " in line.plain]
    assert hands > 20
    assert 4 <= len(looks) <= 5 + len(invited)
    assert len(told) == len(looks) + len(invited)


@pytest.mark.parametrize(
    ("line", "goes"),
    [("declare 2h", True), ("亮主 2h", True), ("legal", True), ("hand", True), ("#1", False)],
)
def test_lines_of_a_pipe_that_are_for_the_draw(line: str, goes: bool) -> None:
    assert is_for_draw(line) == goes


def test_a_commit_tells_whether_cards_are_drawn() -> None:
    started = events_pb2.Event(deal_started=events_pb2.DealStarted(tricks=tricks_pb2.TricksStart()))
    began = events_pb2.Event(phase_began=events_pb2.PhaseBegan(phase=events_pb2.DEAL_PHASE_CLOSING))
    assert is_drawing_after(events_pb2.Commit(events=[started]), False)
    assert is_drawing_after(events_pb2.Commit(), True)
    assert not is_drawing_after(events_pb2.Commit(events=[started, began]), False)


@pytest.mark.parametrize("ruleset_id", RULESETS)
def test_the_last_trick_is_told_with_its_taker_and_its_points(ruleset_id: str) -> None:
    seen = 0
    for pure in deal_of(ruleset_id):
        view = seat_view(pure.table, SEATS[0])
        if not view.tricks.last_trick:
            with pytest.raises(ValueError, match=r"no trick has been taken .* · "):
                last_trick_lines(view)
            continue
        seen += 1
        told = plain(last_trick_lines(view))
        deal = pure.table.match.deal
        assert deal is not None
        assert len(re.findall("East|South|West|North", told)) == 5
        taker = view.tricks.trick[0].seat if view.tricks.trick else deal.leader
        assert f"{('East', 'South', 'West', 'North')[taker]} " in told.splitlines()[-1]
    assert seen


def test_a_last_trick_that_may_not_be_seen_is_refused_with_a_sentence() -> None:
    hidden = table_pb2.SeatView(
        ruleset_id="staff25", options={"last_trick_shown": "false"}, tricks=table_pb2.TricksView()
    )
    for view in (hidden, table_pb2.SeatView(ruleset_id="qq")):
        with pytest.raises(ValueError, match=r"does not show the last trick · "):
            last_trick_lines(view)


@pytest.mark.parametrize("ruleset_id", RULESETS)
def test_follows_are_listed_from_low_to_high_and_what_is_owed_is_told(ruleset_id: str) -> None:
    """§6.6: the duty stands above the question and below the list."""
    for view in views_of(ruleset_id):
        acts = acts_in(view)
        assert acts is not None
        answer = legal_acts_to_wire(acts, 200)
        lines = [line.plain for line in legal_lines(answer, view)]
        assert all(line == line.rstrip() for line in lines)
        assert ("Owed 须跟: " in "".join(lines)) == (acts.follows is not None)
        assert ("Owed 须跟: " in plain(turn_lines(view, view.seat))) == (acts.follows is not None)
        if acts.follows is not None:
            assert acts.position is not None
            order = acts.position.order
            keys = [
                [(order.suit_of(card), order.strength_of(card), card) for card in order.ascending(cards)]
                for cards in (cards_from_wire(play.cards) for play in answer.plays)
            ]
            assert keys == sorted(keys)
        if acts.may_pass:
            assert pass_words(view).zh in ("不亮", "不反")
            assert pass_words(view).zh in lines[-1]


def test_only_equal_cards_stand_together_where_suits_matter() -> None:
    cards = parse_cards("3s 3s 3h 4c LJ LJ BJ")
    assert card_row(cards, suited=True).plain == "♠3♠3 ♥3 ♣4 LJLJ BJ"
    assert typed_cards(cards) == "3s 3s 3h 4c LJ LJ BJ"


def test_a_hand_is_told_suit_by_suit_with_the_trumps_last() -> None:
    hand = cards_to_wire(parse_cards("3s As 2h 5h 5c 7c LJ"))
    part = table_pb2.TricksView(trump=tricks_pb2.TRUMP_HEARTS, level=tricks_pb2.LEVEL_FIVE)
    view = table_pb2.SeatView(ruleset_id="staff25", hand=hand, tricks=part)
    assert plain(hand_lines(view)).endswith("7: ♠3 ♠A · ♣7 · trumps 主 ♥2 ♣5 ♥5 LJ")


def test_the_owner_of_a_topped_pair_sees_what_came_back() -> None:
    """§3.14."""
    before = cards_to_wire(parse_cards("4d 4d 9s"))
    after = cards_to_wire(parse_cards("9s 3c Kd"))
    topped = events_pb2.Event(pair_topped=tricks_pb2.PairTopped(seat=1, owner=2, taken=before[:2]))
    commit = events_pb2.Commit(events=[topped])
    assert plain(returned_lines(commit, 2, before, after)) == "  You get back 还牌 ♣3 ♦K from South 南"
    assert returned_lines(commit, 0, before, after) == []


def told_by(ruleset_id: str, *events: events_pb2.Event) -> list[str]:
    commit = events_pb2.Commit(ruleset_id=ruleset_id, events=events)
    assert commit_phrase(commit)
    return [line.plain.strip() for line in Narrator({}).tell(commit)]


def captured(multiplier: int, added: int, cards: str) -> events_pb2.Event:
    numbers = cards_to_wire(parse_cards(cards))
    event = tricks_pb2.KittyCaptured(seat=2, cards=numbers, multiplier=multiplier, points=added)
    return events_pb2.Event(kitty_captured=event)


def test_a_game_without_a_kitty_tells_of_its_last_trick() -> None:
    """§7.5: the points of the trick count several times, once of which they have been counted."""
    (told,) = told_by("tian5", captured(8, 105, "Js Js Qs Qs 5h Td"))
    assert "wins the last trick 末墩 ♠J♠J ♠Q♠Q ♥5 ♦10: its 15 points count × 8, +105 on top" in told
    (told,) = told_by("staff25", captured(8, 120, "5h Td"))
    assert "captures the kitty 抠底 ♥5 ♦10: 15 points × 8, +120 120分" in told


def test_roles_are_told_in_the_words_of_the_game() -> None:
    named = events_pb2.Event(declarer_named=tricks_pb2.DeclarerNamed(seat=2))
    assert "leads for the holders 守方首出; South 南 and North 北 attack 抓分" in told_by("tian5", named)[0]
    named.declarer_named.level = tricks_pb2.LEVEL_TWO
    assert "is the declarer 庄家 at level 2 打2; South 南 and North 北 attack" in told_by("staff25", named)[0]


def test_passes_are_told_by_what_stands() -> None:
    passed = events_pb2.Event(call_passed=events_pb2.CallPassed(seat=1))
    shown = events_pb2.Event(
        trump_declared=tricks_pb2.TrumpDeclared(seat=0, kind=tricks_pb2.SHOW_KIND_DECLARE)
    )
    told = told_by("staff25", passed, shown, passed)
    assert told[0].endswith("passes 不亮")
    assert told[2].endswith("passes 不反")


def test_a_failed_throw_is_told_with_its_fine() -> None:
    cards = cards_to_wire(parse_cards("3d 5d"))
    failed = tricks_pb2.ThrowFailed(seat=0, cards=cards, blocked=cards, fine=20)
    forced = events_pb2.CardsPlayed(seat=0, cards=cards[:1], is_forced=True)
    told = told_by(
        "sheng_joker", events_pb2.Event(throw_failed=failed), events_pb2.Event(cards_played=forced)
    )
    assert "♦3 ♦5: ♦3 ♦5 are stopped 被挡; fine 罚 20 points 20分" in told[0]
    assert told[-1].endswith("甩牌失败强出")


def test_a_trick_without_points_has_a_winner_too() -> None:
    ended = events_pb2.Event(trick_ended=events_pb2.TrickEnded(winner=3))
    assert told_by("staff25", ended)[0].endswith("wins the trick 得墩")


def test_a_missed_deadline_is_told_before_what_came_of_it() -> None:
    played = events_pb2.CardsPlayed(seat=1, cards=cards_to_wire(parse_cards("3d")))
    late = events_pb2.DeadlinePassed(seat=1)
    told = told_by("staff25", events_pb2.Event(cards_played=played), events_pb2.Event(deadline_passed=late))
    assert "超时" in told[0]


def test_a_draw_has_a_header_and_a_deal_that_is_dealt_at_once_has_none() -> None:
    started = events_pb2.Event(deal_started=events_pb2.DealStarted(number=1, tricks=tricks_pb2.TricksStart()))
    drawn = events_pb2.Event(cards_drawn=tricks_pb2.CardsDrawn(count=25))
    assert any(line.startswith("── draw 摸牌 ") for line in told_by("staff25", started))
    assert not any("摸牌 " in line for line in told_by("staff25", started, drawn))


def settled(score: int, before: str, after: str, deal_passes: bool) -> events_pb2.DealSettled:
    level = tricks_pb2.Level.Value
    outcome = tricks_pb2.TricksOutcome(
        declarer=1,
        attackers=0,
        trump=tricks_pb2.TRUMP_SPADES,
        score=score,
        taken=(score, 0),
        fines=(0, 0),
        levels_before=[level(before), level("LEVEL_TWO")],
        levels_after=[level(after), level("LEVEL_TWO")],
        deal_passes=deal_passes,
    )
    return events_pb2.DealSettled(scores=[2, 0, 2, 0], totals=[2, 0, 2, 0], tricks=outcome)


@pytest.mark.parametrize(
    ("ruleset_id", "score", "said", "head"),
    [
        ("staff25", 115, "East 东 and West 西 took 115 points 115分 and take the deal 上台", "levels 级"),
        ("tian5", 115, "took 115 points 115分 as attackers 抓分", "match points 场分"),
        ("eight_deals", 115, "and take the deal 上台", "big points 大分"),
    ],
)
def test_a_result_says_who_took_what_and_what_the_numbers_are(
    ruleset_id: str, score: int, said: str, head: str
) -> None:
    lines = tricks_lines(
        settled(score, "LEVEL_TWO", "LEVEL_TWO", deal_passes=True), ["a"] * 4, load(ruleset_id).options
    )
    assert said in lines[0].plain
    assert head in plain(lines)


def test_levels_that_a_hard_level_swallows_are_explained() -> None:
    """§8.5: at 2 a side must win as declarers."""
    lines = tricks_lines(
        settled(115, "LEVEL_TWO", "LEVEL_TWO", deal_passes=True), ["a"] * 4, load("capped60").options
    )
    assert "earned 3 levels 应升3级, but 2 is left only by winning as declarers" in plain(lines)


def test_cards_have_one_way_to_be_typed() -> None:
    for card in Card:
        assert cards_to_wire(parse_cards(typed_cards((card,)).replace("10", "T"))) == cards_to_wire((card,))
    assert points(0) == "0"


def drawing_view(*shown_by: int) -> table_pb2.SeatView:
    """South's view of a draw in which these seats have shown something, one after the other."""
    shows = [tricks_pb2.TrumpDeclared(seat=seat, cards=cards_to_wire(parse_cards("2h"))) for seat in shown_by]
    part = table_pb2.TricksView(
        phase=events_pb2.DEAL_PHASE_DRAW, opening=[events_pb2.Event(trump_declared=show) for show in shows]
    )
    return table_pb2.SeatView(ruleset_id="staff25", seat=1, tricks=part)


@pytest.mark.parametrize(
    ("shown_by", "why"),
    [
        ((), "you hold nothing to show while cards are drawn"),
        ((0,), "you hold nothing to overturn what stands with"),
        ((0, 1), "you have already shown, and it stands"),
        ((1, 0), "you hold nothing to overturn what stands with"),
    ],
)
def test_why_nothing_may_be_shown_depends_on_what_stands(shown_by: tuple[int, ...], why: str) -> None:
    told = plain(legal_lines(table_pb2.ListLegalActsResponse(), drawing_view(*shown_by)))
    assert f"nothing yet: {why} " in told


def test_who_has_shown_and_is_asked_again_hears_so() -> None:
    view = drawing_view(1)
    view.tricks.phase = events_pb2.DEAL_PHASE_CLOSING
    asked = tricks_question(view)
    assert asked is not None
    assert "You hold nothing" not in asked
    assert "♥2 of South 南 stands" in asked


def test_a_draw_begins_with_the_level() -> None:
    start = tricks_pb2.TricksStart(level=tricks_pb2.LEVEL_FIVE)
    for tricks, level in ((start, " · level 5 打5 · "), (tricks_pb2.TricksStart(), "各摸一张 · declare")):
        started = events_pb2.DealStarted(number=1, tricks=tricks)
        commit = events_pb2.Commit(ruleset_id="staff25", events=[events_pb2.Event(deal_started=started)])
        header = Narrator({}).tell(commit)[-1].plain
        assert header.startswith("── draw 摸牌")
        assert level in header
