"""Test vectors about the auction of trump: recorded questions with their answers, one mapping each.

Kinds: `declare` (level, deal, dealer or null, events of seat, phase `draw` or `post` and cards shown in
total; both_at_2), `no_declare` (level, kitty, level_def) and `top` (shown, topper). All have `expect`.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from shuangkou.rules.cards import Card, Rank
from shuangkou.rules.errors import IllegalCommand
from shuangkou.rules.notation import parse_card, parse_rank
from shuangkou.rules.ruleset import TricksRuleSet
from shuangkou.rules.seats import SEATS, Seat
from shuangkou.rules.tricks.asking import after_bury, after_draw, after_pass, after_show
from shuangkou.rules.tricks.auction import Auction, Stage, open_auction
from shuangkou.rules.tricks.declaring import show_of
from shuangkou.rules.tricks.nobody import turn_kitty
from shuangkou.rules.tricks.options import MovesDeal, TricksOptions
from shuangkou.rules.tricks.topping import tops

Vector = Mapping[str, Any]
Answer = tuple[Mapping[str, Any], Mapping[str, Any]]
"""What was expected, and what the rules say."""

_ASKING = (Stage.CLOSING, Stage.AFTER_BURY)


def _declare(ruleset: TricksRuleSet, vector: Vector) -> Answer:
    """Every show of a deal in turn: whether it is accepted, and what comes of them all."""
    auction, accepted = _opened(ruleset.options, vector), []
    for event in vector["events"]:
        if event["phase"] == "post" and auction.stage is Stage.DRAWING:
            auction = _after_first_bury(auction)
        shown = _after_event(auction, SEATS[event["seat"]], _cards(event["cards"]))
        accepted.append(shown is not None)
        auction = shown or auction
    trump = None if auction.trump is None else auction.trump.value
    outcome = {"trump": trump, "dealer": auction.declarer, "kitty_takers": [*auction.kitty_takers]}
    return vector["expect"], {"accept": accepted, **outcome}


def _no_declare(ruleset: TricksRuleSet, vector: Vector) -> Answer:
    """What the kitty makes trump, and who deals."""
    level = _rank(vector.get("level", "-"))
    levels = level, _rank(vector["level_def"]) if "level_def" in vector else level
    auction = open_auction(
        ruleset.options, is_first_deal=False, levels=levels, first=SEATS[0], declarer=SEATS[0]
    )
    turned = turn_kitty(auction, _cards(vector["kitty"]))
    if turned is None:
        return vector["expect"], {"redeal": True}
    got = {"trump": turned.trump.value, "dealer": "keep" if turned.declarer == SEATS[0] else "next"}
    return vector["expect"], {key: got.get(key) for key in vector["expect"]}


def _top(ruleset: TricksRuleSet, vector: Vector) -> Answer:
    """Whether one shown pair tops another."""
    del ruleset
    return {"expect": vector["expect"]}, {"expect": tops(_cards(vector["shown"]), _cards(vector["topper"]))}


def _opened(options: TricksOptions, vector: Vector) -> Auction:
    level, dealer = _rank(vector["level"]), vector["dealer"]
    auction = open_auction(
        options,
        is_first_deal=vector["deal"] == 1,
        levels=(level, level),
        first=SEATS[0],
        declarer=None if dealer is None else SEATS[dealer],
    )
    is_asked = options.moves_deal is MovesDeal.BOTH_AT_START
    if is_asked and auction.both_at_start != vector.get("both_at_2", auction.both_at_start):
        return replace(auction, levels=_apart(options, level, dealer))
    return auction


def _apart(options: TricksOptions, level: Rank | None, dealer: int) -> tuple[Rank | None, Rank | None]:
    """The declaring side at its level, the other one on the last."""
    other = options.ladder[-1].rank
    return (level, other) if dealer % 2 == 0 else (other, level)


def _after_first_bury(auction: Auction) -> Auction:
    closing = _passed_by_all(after_draw(auction))
    return closing if closing.declarer is None else after_bury(closing, closing.declarer)


def _passed_by_all(auction: Auction) -> Auction:
    while auction.asked is not None:
        auction = after_pass(auction, auction.asked)
    return auction


def _after_event(auction: Auction, seat: Seat, cards: tuple[Card, ...]) -> Auction | None:
    """None where the show is refused; the seats asked before this one pass."""
    while auction.stage in _ASKING and auction.asked not in (None, seat):
        assert auction.asked is not None
        auction = after_pass(auction, auction.asked)
    try:
        show = show_of(auction, seat, cards, cards)
    except IllegalCommand:
        return None
    shown = after_show(auction, show)
    return after_bury(shown, seat) if shown.stage is Stage.BURYING else shown


def _rank(text: str) -> Rank | None:
    return None if text == "-" else parse_rank(text)


def _cards(tokens: Sequence[str]) -> tuple[Card, ...]:
    return tuple(map(parse_card, tokens))


ANSWERS: dict[str, Callable[[TricksRuleSet, Vector], Answer]] = {
    "declare": _declare,
    "no_declare": _no_declare,
    "top": _top,
}
"""By the kind of a vector."""
