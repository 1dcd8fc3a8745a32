"""Every act against the rules is refused with its own stable code, and changes nothing (§12.1)."""

from collections.abc import Iterator

import pytest

from kit.tricks_table import DECIDER, SEED, act, dealt_table, fold, in_play, paced, plays, refused
from shuangkou.rules import errors
from shuangkou.rules.commands import BuryKitty, Forfeit, Pass, PlayCards, StartDeal, Whistle
from shuangkou.rules.notation import parse_cards
from shuangkou.rules.ruleset import TricksRuleSet, load
from shuangkou.rules.seats import SEATS, Seat
from shuangkou.rules.tricks.commands import Command, DeclareTrump, DrawOn, NameShape, TableAct
from shuangkou.rules.tricks.events import DecidedBy, MatchDecided
from shuangkou.rules.tricks.options import Level
from shuangkou.rules.tricks.order import Trump
from shuangkou.rules.tricks.state import MatchState
from shuangkou.rules.tricks.units import PAIR, SINGLE, Shape
from shuangkou.rules.tricks.view import Standing

KITTY = "S3 S4 S6 H3 H4 H6 C3 C4"
FOURTH = Standing(deals_played=3, levels=(Level.FOUR, Level.SIX), declarer=Seat(0), last_first=Seat(3))
Case = tuple[str, MatchState, Command]


def show(seat: int, cards: str, returned: str = "") -> DeclareTrump:
    return DeclareTrump(Seat(seat), parse_cards(cards), parse_cards(returned))


def play(seat: int, cards: str) -> PlayCards:
    return PlayCards(Seat(seat), parse_cards(cards))


def bury(seat: int, cards: str) -> BuryKitty:
    return BuryKitty(Seat(seat), parse_cards(cards))


def drawing(
    id: str, hands: tuple[str, str, str], *shows: DeclareTrump, standing: Standing | None = None
) -> MatchState:
    """Seats 0 to 2 have drawn these hands, one card is left to draw, and these shows were made."""
    size = max(len(hand.split()) for hand in hands) + 1
    ruleset = paced(id)
    is_known = standing is not None or bool(ruleset.options.schedule)
    kitty = KITTY if ruleset.options.kitty else ""
    piles = [filled(hand, size, "D8") for hand in (*hands, "D9")]
    state = dealt_table(ruleset, piles, kitty, 0 if is_known else None, standing)
    return act(state, *[DrawOn()] * (size - 1), *shows)[0]


def filled(cards: str, size: int, low: str) -> str:
    """The cards and as many low ones as make up the size."""
    return " ".join([*cards.split(), *[low] * (size - len(cards.split()))])


def led(id: str, lead: str, hand: str) -> MatchState:
    """Seat 0 has led, and seat 1 with this hand has to follow; hearts are trump."""
    size = max(len(lead.split()), len(hand.split()))
    ruleset: TricksRuleSet = load(id)
    piles = [filled(cards, size, "D7") for cards in (lead, hand, "", "")]
    return plays(in_play(dealt_table(ruleset, piles), Trump.HEARTS), lead)[0]


def at_lead(id: str, hand: str) -> MatchState:
    """Seat 0 with this hand leads, and others hold SA and SK SK; hearts are trump."""
    size = max(2, len(hand.split()))
    ruleset: TricksRuleSet = load(id)
    piles = [filled(cards, size, "D7") for cards in (hand, "SA", "SK SK", "")]
    return in_play(dealt_table(ruleset, piles), Trump.HEARTS)


def of_tables() -> list[Case]:
    fresh, timed = DECIDER.new_match(load("multi2")), DECIDER.new_match(load("sheng30"))
    over = MatchDecided(None, DecidedBy.TIME)
    running = drawing("multi2", ("S9", "C9", "H9"))
    asked = act(running, DrawOn())[0]
    return [
        (errors.NO_DEAL_IN_PROGRESS, fresh, DrawOn()),
        (errors.NO_DEAL_IN_PROGRESS, fresh, Pass(Seat(0))),
        (errors.NO_DEAL_IN_PROGRESS, fresh, Forfeit(Seat(0))),
        (errors.BAD_SEED, fresh, StartDeal(b"short")),
        (errors.DEAL_IN_PROGRESS, running, StartDeal(SEED)),
        (errors.MATCH_OVER, fold(fresh, (over,)), StartDeal(SEED)),
        (errors.MATCH_OVER, fold(timed, (over,)), Whistle()),
        (errors.NO_TIME_LIMIT, running, Whistle()),
        (errors.NO_SUCH_SEAT, running, Forfeit(Seat(4))),
        (errors.NO_SUCH_SEAT, running, show(7, "S2")),
        (errors.OTHER_PHASE, running, Pass(Seat(0))),
        (errors.OTHER_PHASE, running, play(0, "S9")),
        (errors.OTHER_PHASE, asked, DrawOn()),
        (errors.OTHER_PHASE, asked, bury(0, KITTY)),
        (errors.NOT_YOUR_TURN, asked, Pass(Seat(1))),
    ]


def of_shows() -> list[Case]:
    pairs, jokers = ("S2 S2", "C2 C2", "H9"), ("S2 S2", "LJ LJ", "H9")
    mixed = ("S2 LJ BJ", "C2 C2 LJ", "D2 D2 BJ")
    later = ("S4 S4", "C4 C4", "H4 H4")
    topped = drawing("tian5", ("SA SA", "HK HK H9", "C8"), show(0, "SA SA"))
    twice = drawing("sheng_joker", ("S2 LJ", "H2 H2 BJ", "S2 S2 LJ"), show(0, "S2 LJ"), show(1, "H2 H2 BJ"))
    others = drawing("sheng_joker", ("S9", "C6 LJ", "H9"), standing=FOURTH)
    online = drawing("sheng_online", later, show(0, "S4"), standing=FOURTH)
    return [
        (errors.NOT_HELD, drawing("multi2", pairs), show(0, "C2")),
        (errors.NO_SUCH_SHOW, drawing("multi2", pairs), show(0, "")),
        (errors.NO_SUCH_SHOW, drawing("multi2", pairs), show(2, "H9")),
        (errors.NOT_YOUR_TURN, act(drawing("multi2", pairs), DrawOn())[0], show(1, "C2")),
        (errors.SHOW_TOO_LOW, drawing("multi2", jokers, show(0, "S2"), show(1, "LJ LJ")), show(0, "S2 S2")),
        (errors.SHOWN_BEFORE, twice, show(2, "S2 S2 LJ")),
        (errors.OWN_SHOW, drawing("multi2", pairs, show(0, "S2")), show(0, "S2 S2")),
        (errors.JOKER_COLOUR, drawing("sheng_joker", mixed), show(0, "S2 BJ")),
        (errors.DECLARER_SIDE_FIRST, others, show(1, "C6 LJ")),
        (errors.DECLARER_WAITS, drawing("capped60", later, show(1, "C4"), standing=FOURTH), show(0, "S4 S4")),
        (errors.NO_OVERTURN_NOW, drawing("levels57", jokers, show(0, "S2 S2")), show(1, "LJ LJ")),
        (errors.NO_OVERTURN_NOW, online, show(1, "C4 C4")),
        (errors.TRUMP_LOCKED, drawing("staff25", pairs, show(0, "S2 S2")), show(1, "C2 C2")),
        (errors.TRUMP_LOCKED, drawing("eight_deals", jokers, show(0, "S2 S2")), show(1, "LJ LJ")),
        (errors.WRONG_RETURN, topped, show(1, "HK HK")),
        (errors.WRONG_RETURN, topped, show(1, "HK HK", "HK H9")),
        (errors.NOT_HELD, topped, show(1, "HK HK", "C8 H9")),
    ]


def of_kitties() -> list[Case]:
    start = act(drawing("multi2", ("S2 S9", "C9", "H9"), show(0, "S2")), DrawOn())[0]
    while DECIDER.legal_acts(start, DECIDER.actors(start)[0]).may_pass:
        start = act(start, Pass(DECIDER.actors(start)[0]))[0]
    return [
        (errors.WRONG_KITTY_SIZE, start, bury(0, "S3 S4")),
        (errors.NOT_HELD, start, bury(0, "S3 S4 S6 H3 H4 H6 C3 CA")),
        (errors.SHOWN_STAYS, start, bury(0, "S2 S4 S6 H3 H4 H6 C3 C4")),
        (errors.NOT_YOUR_TURN, start, bury(1, KITTY)),
        (errors.OTHER_PHASE, start, Pass(Seat(0))),
    ]


def of_plays() -> list[Case]:
    pairs, tractors = "S3 S3 S5 S7", "S3 S3 S4 S4 S7 S7 S9"
    quads = led("sheng_nokitty4", "SA SA SA SA", "S3 S3 S3 S3 S5 S5")
    named = plays(at_lead("sixteen_deals", "SQ SJ SJ"), "SQ SJ SJ")[0]
    return [
        (errors.NOT_HELD, at_lead("multi2", "S9 S8"), play(0, "SA")),
        (errors.NOT_YOUR_TURN, at_lead("multi2", "S9 S8"), play(1, "SA")),
        (errors.NO_CARDS, at_lead("multi2", "S9 S8"), play(0, "")),
        (errors.MIXED_SUITS, at_lead("multi2", "S9 C8"), play(0, "S9 C8")),
        (errors.NO_THROWS, at_lead("tian5", "S9 S8"), play(0, "S9 S8")),
        (errors.WRONG_CARD_COUNT, led("multi2", "SA SA", pairs), play(1, "S3")),
        (errors.MUST_FOLLOW_SUIT, led("multi2", "SA", f"{pairs} C9"), play(1, "C9")),
        (errors.MUST_FOLLOW_PAIR, led("multi2", "SA SA", pairs), play(1, "S5 S7")),
        (errors.MUST_FOLLOW_TRACTOR, led("multi2", "SK SK SA SA", tractors), play(1, "S3 S3 S7 S7")),
        (errors.MUST_FOLLOW_TRIPLE, led("multi3", "SA SA SA", "S3 S3 S3 S5 S5 S7"), play(1, "S5 S5 S7")),
        (errors.MUST_FOLLOW_QUAD, quads, play(1, "S3 S3 S5 S5")),
        (errors.MUST_FOLLOW_HIGH, led("tian5", "SQ SQ", "SA SK S7 S6"), play(1, "S6 S7")),
        (errors.NO_SUCH_CHOICE, named, NameShape(Seat(1), Shape(2, 2))),
        (errors.NOT_YOUR_TURN, named, NameShape(Seat(0), SINGLE)),
        (errors.OTHER_PHASE, named, play(1, "SA")),
        (errors.OTHER_PHASE, at_lead("sixteen_deals", "S9"), NameShape(Seat(0), PAIR)),
    ]


def final() -> Case:
    """A trump turned from the kitty that nothing overturns, and yet the window after the bury is open."""
    state = act(drawing("sixteen_deals", ("S9", "C2 C2", "H9")), DrawOn())[0]
    while DECIDER.legal_acts(state, DECIDER.actors(state)[0]).may_pass:
        state = act(state, Pass(DECIDER.actors(state)[0]))[0]
    return errors.OTHER_PHASE, act(state, bury(0, KITTY))[0], show(1, "C2 C2")


def cases() -> Iterator[Case]:
    yield from (*of_tables(), *of_shows(), *of_kitties(), *of_plays(), final())


CASES = list(cases())


@pytest.mark.parametrize(("code", "state", "command"), CASES, ids=[code for code, _, _ in CASES])
def test_it_is_refused_with_its_code(code: str, state: MatchState, command: Command) -> None:
    before = repr(state)
    assert refused(state, command) == code
    assert repr(state) == before
    if not isinstance(command, TableAct) and command.seat in SEATS:
        assert command not in DECIDER.legal_acts(state, command.seat)


def test_every_code_of_the_family_is_met() -> None:
    """But one: against a trump that was turned for good nobody is asked to show anything."""
    met = {code for code, _, _ in CASES}
    of_family = {code for code in errors.CODES if code.startswith("tricks/")}
    assert of_family - met == {errors.TRUMP_FINAL}
