"""Test vectors of the trick-taking family: recorded questions with their answers, one mapping each.

A card is written `S7`, a level `T` or `-` where there is none. Kinds: `order` (a, b), `tractors` (cards),
`follow` (hand, lead, play), `trick` (plays, the lead first), `throw` (cards, the others' hands, choice),
`kitty` (winning_play, lead if a follower won it, kitty or the cards of the last trick), `levels` (points,
declarer_points), `advance` (from, up, role), `deal_end` (both levels, points, last_trick_side, last_play),
`convert`, `matchpoints`, `next_dealer`, `schedule`, `stake`, and those of `declaring_vectors`. All have
`expect`.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from shuangkou.rules.cards import Card, Rank
from shuangkou.rules.notation import NotationError, format_tricks_card, parse_card, parse_rank
from shuangkou.rules.ruleset import TricksRuleSet
from shuangkou.rules.seats import SEATS
from shuangkou.rules.tricks.conversion import big_points, match_points
from shuangkou.rules.tricks.deal_end import LastTrick, LevelsBefore, Role, deal_end
from shuangkou.rules.tricks.declaring_vectors import ANSWERS as DECLARING_ANSWERS
from shuangkou.rules.tricks.following import duty, is_legal_follow
from shuangkou.rules.tricks.ladder import advance
from shuangkou.rules.tricks.level_tables import gain
from shuangkou.rules.tricks.multipliers import capture
from shuangkou.rules.tricks.options import Level
from shuangkou.rules.tricks.order import Trump, TrumpOrder, trump_order
from shuangkou.rules.tricks.point_cards import points_of
from shuangkou.rules.tricks.schedule import next_declarer, scheduled
from shuangkou.rules.tricks.stakes import stake_multiplier
from shuangkou.rules.tricks.throwing import check_lead, failed_throw, fine_points
from shuangkou.rules.tricks.units import PAIR, SINGLE, Format, format_of
from shuangkou.rules.tricks.winning import winner

Vector = Mapping[str, Any]
Answer = tuple[Mapping[str, Any], Mapping[str, Any]]
"""What was expected, and what the rules say."""


def _order_of_two(ruleset: TricksRuleSet, vector: Vector) -> Answer:
    order = _order(ruleset, vector)
    a, b = _cards((vector["a"], vector["b"]))
    if order.suit_of(a) is not order.suit_of(b):
        return _single(vector, "x")
    over = order.strength_of(a) - order.strength_of(b)
    return _single(vector, "=" if over == 0 else ">" if over > 0 else "<")


def _units(ruleset: TricksRuleSet, vector: Vector) -> Answer:
    units = _format(_order(ruleset, vector), _cards(vector["cards"])).units
    got = [[*unit.shape, format_tricks_card(unit.cards[-1])] for unit in units]
    return {"expect": sorted(vector["expect"])}, {"expect": sorted(got)}


def _follow(ruleset: TricksRuleSet, vector: Vector) -> Answer:
    order, hand, play = _order(ruleset, vector), _cards(vector["hand"]), _cards(vector["play"])
    owed = duty(order, _format(order, _cards(vector["lead"])), hand, ruleset.options.high_follow)
    is_held = not Counter(play) - Counter(hand)
    return _single(vector, is_held and is_legal_follow(order, owed, play))


def _trick(ruleset: TricksRuleSet, vector: Vector) -> Answer:
    plays = [_cards(play) for play in vector["plays"]]
    points = sum(map(points_of, plays))
    return vector["expect"], {"winner": winner(_order(ruleset, vector), plays), "points": points}


def _throw(ruleset: TricksRuleSet, vector: Vector) -> Answer:
    options, order = ruleset.options, _order(ruleset, vector)
    lead = check_lead(options, order, _cards(vector["cards"]))
    failed = failed_throw(order, lead, [_cards(hand) for hand in vector["others"]])
    if failed is None:
        return vector["expect"], {"ok": True, "forced": None, "blocked": 0, "penalty": 0}
    named = failed.named(_SHAPES[vector["choice"]]) if "choice" in vector else None
    forced = failed.forced if named is None else named
    got = {"forced": [format_tricks_card(card) for card in forced.cards]}
    fine = {"blocked": len(failed.blocked_cards), "penalty": fine_points(options, failed)}
    return vector["expect"], {"ok": False, **got, **fine}


def _kitty(ruleset: TricksRuleSet, vector: Vector) -> Answer:
    order, won = _order(ruleset, vector), _cards(vector["winning_play"])
    led = _format(order, _cards(vector["lead"]) if "lead" in vector else won)
    captured = capture(ruleset.options, led, order.is_trump(won[0]), _cards(vector["kitty"]))
    return vector["expect"], {"mult": captured.multiplier, "add": captured.points}


def _levels(ruleset: TricksRuleSet, vector: Vector) -> Answer:
    earned = gain(ruleset.options, vector["points"], vector.get("declarer_points", 0))
    got = {"dealer_up": earned.declarers_up, "defender_up": earned.attackers_up}
    return vector["expect"], {**got, "deal_passes": earned.deal_passes}


def _advance(ruleset: TricksRuleSet, vector: Vector) -> Answer:
    role = _ROLES[vector["role"]]
    rise = advance(ruleset.options, Level(vector["from"]), vector["up"], role is Role.DECLARERS)
    return _single(vector, "WIN" if rise.is_won else rise.level.value)


def _deal_end(ruleset: TricksRuleSet, vector: Vector) -> Answer:
    options, score = ruleset.options, vector["points"]
    levels = LevelsBefore(Level(vector["declarer_level"]), Level(vector["defender_level"]))
    last = LastTrick(_ROLES[vector["last_trick_side"]], _cards(vector["last_play"]))
    end = deal_end(options, levels, score, gain(options, score), last)
    names = {role: name for name, role in _ROLES.items()}
    return vector["expect"], {
        "match": None if end.winner is None else names[end.winner],
        "declarer_level": end.declarers.value,
        "defender_level": end.attackers.value,
    }


def _convert(ruleset: TricksRuleSet, vector: Vector) -> Answer:
    del ruleset
    attackers = big_points(vector["points"])
    return vector["expect"], {"defender": attackers, "dealer": -attackers}


def _matchpoints(ruleset: TricksRuleSet, vector: Vector) -> Answer:
    del ruleset
    worth = match_points(vector["points"])
    return vector["expect"], {"attackers": worth.attackers, "holders": worth.holders}


def _next_dealer(ruleset: TricksRuleSet, vector: Vector) -> Answer:
    declarer = SEATS[vector["dealer"]]
    return _single(vector, next_declarer(ruleset.options, declarer, vector["deal_passes"]))


def _schedule(ruleset: TricksRuleSet, vector: Vector) -> Answer:
    deal = scheduled(ruleset.options, vector["deal_no"])
    return vector["expect"], {"level": deal.level.value, "dealer": _WINDS[deal.declarer]}


def _stake(ruleset: TricksRuleSet, vector: Vector) -> Answer:
    return vector["expect"], {"multiplier": stake_multiplier(ruleset.options, vector["overturns"])}


_ROLES = {"dec": Role.DECLARERS, "def": Role.ATTACKERS}
_SHAPES = {"single": SINGLE, "pair": PAIR}
_WINDS = "ENWS"


def _single(vector: Vector, got: object) -> Answer:
    return {"expect": vector["expect"]}, {"expect": got}


def _order(ruleset: TricksRuleSet, vector: Vector) -> TrumpOrder:
    return trump_order(ruleset.options, Trump(vector["trump"]), _rank(vector["level"]))


def _rank(text: str) -> Rank | None:
    return None if text == "-" else parse_rank(text)


def _cards(tokens: Sequence[str]) -> tuple[Card, ...]:
    return tuple(map(parse_card, tokens))


def _format(order: TrumpOrder, cards: Sequence[Card]) -> Format:
    led = format_of(order, cards)
    if led is None:
        raise NotationError("a lead must be cards of one suit")
    return led


ANSWERS: dict[str, Callable[[TricksRuleSet, Vector], Answer]] = {
    "order": _order_of_two,
    "tractors": _units,
    "follow": _follow,
    "trick": _trick,
    "throw": _throw,
    "kitty": _kitty,
    "levels": _levels,
    "advance": _advance,
    "deal_end": _deal_end,
    "convert": _convert,
    "matchpoints": _matchpoints,
    "next_dealer": _next_dealer,
    "schedule": _schedule,
    "stake": _stake,
    **DECLARING_ANSWERS,
}
"""By the kind of a vector; an exception where one cannot be read."""
