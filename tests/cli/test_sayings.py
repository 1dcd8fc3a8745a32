"""What bots say at a table, and when."""

from __future__ import annotations

import pytest

from kit.commits import commit, deal_settled, passed, played, seats_swapped
from shuangkou.cli.narrator import Narrator
from shuangkou.cli.sayings import Character, Chorus
from shuangkou.v1 import ai_pb2, events_pb2, table_pb2

BOMB = "8s 8h 8c 8d"


def character(*occasions: ai_pb2.Occasion.ValueType) -> Character:
    """One that names the occasion."""
    texts = {occasion: ai_pb2.Occasion.Name(occasion).removeprefix("OCCASION_") for occasion in occasions}
    sayings = [ai_pb2.Saying(occasion=one, text=table_pb2.Text(en=en, zh="话")) for one, en in texts.items()]
    return Character("Loud", "话多", tuple(sayings))


LOUD = {"loud": character(*ai_pb2.Occasion.values()[1:])}


def seat_taken(seat: int, persona: str = "", player_id: str = "") -> events_pb2.Event:
    return events_pb2.Event(seat_taken=events_pb2.SeatTaken(seat=seat, persona=persona, player_id=player_id))


def seated() -> Chorus:
    """A person on seat 0, who says nothing, and three loud bots."""
    chorus = Chorus(LOUD)
    taken = [seat_taken(0, player_id="ann"), *(seat_taken(seat, persona="loud") for seat in (1, 2, 3))]
    assert not list(chorus.hear(commit(*taken)))
    return chorus


def said(chorus: Chorus, *events: events_pb2.Event) -> list[tuple[int, str]]:
    return [(seat, words.en) for seat, words in chorus.hear(commit(*events))]


@pytest.mark.parametrize(
    ("events", "lines"),
    [
        ([played(1, "5s"), passed(2)], []),
        ([played(1, "5s"), played(2, BOMB)], [(2, "BOMBS"), (1, "IS_BOMBED")]),
        ([played(1, "5s"), played(3, "9s")], [(1, "IS_BEATEN_BY_PARTNER")]),
        ([played(1, "5s"), played(3, BOMB)], [(3, "BOMBS")]),
        ([played(0, "5s"), played(2, "9s")], []),
        ([played(2, "5s"), played(0, "9s")], [(2, "IS_BEATEN_BY_PARTNER")]),
        (
            [events_pb2.Event(seat_went_out=events_pb2.SeatWentOut(seat=1, place=1))],
            [(3, "PARTNER_GOES_OUT")],
        ),
    ],
)
def test_bots_speak_when_something_happens_to_them(
    events: list[events_pb2.Event], lines: list[tuple[int, str]]
) -> None:
    assert said(seated(), *events) == lines


def test_who_has_no_partner_speaks_of_none() -> None:
    chorus = seated()
    alone = commit(played(1, "5s"), played(3, "9s"), played(1, BOMB), ruleset_id="deluxe108")
    told = [(seat, words.en) for seat, words in chorus.hear(alone)]
    assert told == ([(1, "BOMBS"), (3, "IS_BOMBED")])


def test_a_new_trick_is_not_a_play_that_is_beaten() -> None:
    ended = events_pb2.Event(trick_ended=events_pb2.TrickEnded(winner=3))
    assert said(seated(), played(1, "5s"), ended, played(3, "6s")) == []


def test_both_sides_speak_at_the_end() -> None:
    settled = deal_settled()
    settled.deal_settled.winners[:] = [0, 2]
    assert said(seated(), settled) == [(1, "LOSES"), (2, "WINS"), (3, "LOSES")]


def test_nobody_speaks_of_winning_after_a_draw() -> None:
    drawn, unwon = deal_settled(), deal_settled()
    drawn.deal_settled.winners[:] = [0, 2]
    drawn.deal_settled.climbing.result = events_pb2.DEAL_RESULT_DRAW
    unwon.deal_settled.winners[:] = []
    assert said(seated(), drawn) == said(seated(), unwon) == []


def test_who_changes_places_speaks_there() -> None:
    assert said(seated(), seats_swapped(0, 1), played(0, BOMB), played(1, "Ks")) == [(0, "BOMBS")]


def test_of_several_lines_the_version_tells_which() -> None:
    twice = [
        ai_pb2.Saying(occasion=ai_pb2.OCCASION_BOMBS, text=table_pb2.Text(en=en, zh="炸"))
        for en in ("one", "two")
    ]
    chorus = Chorus({"loud": Character("Loud", "话多", tuple(twice))})
    bomb = commit(seat_taken(1, persona="loud"), played(1, BOMB))
    for version in (4, 5):
        bomb.version = version
        assert [words.en for _, words in chorus.hear(bomb)] == [("one", "two")[version % 2]]


def test_the_table_is_told_with_what_is_said() -> None:
    narrator = Narrator(LOUD)
    narrator.tell(commit(seat_taken(1, persona="loud")))
    assert [line.plain for line in narrator.tell(commit(played(1, BOMB)))][-1] == "  South 南    “BOMBS 话”"
