"""Test vectors: recorded questions to the rules with their answers, one mapping each.

`rules.tricks.vectors` tells of those of the trick-taking family. Kinds of the climbing family: `classify`
(cards, expect), `compare` (a, b, result) and `settle` (order; what the ruleset scores by of bombs, left,
last_play, plays, tricks, kitty, declared, landlord, bid, marked; and any of result, mult, scores). `variant`
is the id of a ruleset or of an event; what an event settles is order, hands or think_ms, with winner_side
and replay or extra_hand.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum
from functools import partial
from typing import Any

from shuangkou.rules.cards import JOKERS, Card, Rank, Suit, card_of
from shuangkou.rules.climbing.combinations import Combination
from shuangkou.rules.climbing.events import Act, BombPlayed, CardsPlayed, Opening
from shuangkou.rules.climbing.move_table import move_table
from shuangkou.rules.climbing.phase_events import CombinationDeclared, LandlordNamed
from shuangkou.rules.climbing.settlement import DealRecord, settle
from shuangkou.rules.climbing.suits import may_follow, read
from shuangkou.rules.match_events import (
    FinishedDeal,
    MatchEvent,
    available_events,
    decision,
    decision_at_bell,
    load_event,
)
from shuangkou.rules.notation import NotationError, format_rank, parse_cards
from shuangkou.rules.ruleset import AnyRuleSet, RuleSet, available, load
from shuangkou.rules.seats import SEATS, Seat
from shuangkou.rules.tricks.vectors import ANSWERS as TRICKS_ANSWERS

Vector = Mapping[str, Any]
Answer = tuple[Mapping[str, Any], Mapping[str, Any]]


class Verdict(Enum):
    """What came of a vector."""

    OK = "ok"
    MISMATCH = "mismatch"
    UNSUPPORTED = "unsupported"


@dataclass(frozen=True, slots=True)
class Outcome:
    """detail: what was expected and what came instead, or what is not supported; empty when ok."""

    verdict: Verdict
    detail: str = ""


def run_vector(vector: Vector) -> Outcome:
    """Puts one recorded question to the ruleset that it names."""
    variant = vector.get("variant")
    if variant in available_events():
        return _run_event(load_event(str(variant)), vector)
    if variant not in available():
        return Outcome(Verdict.UNSUPPORTED, f"no ruleset {variant!r}")
    return check_vector(load(variant), vector)


def check_vector(ruleset: AnyRuleSet, vector: Vector) -> Outcome:
    """Puts one recorded question to this ruleset, whatever variant it names."""
    answer = _ANSWERS[ruleset.family].get(str(vector.get("kind")))
    if answer is None:
        return Outcome(Verdict.UNSUPPORTED, f"no vectors of kind {vector.get('kind')!r}")
    return _outcome(partial(answer, ruleset), vector)


def _run_event(event: MatchEvent, vector: Vector) -> Outcome:
    """Its cards are those of its ruleset."""
    if vector.get("kind") == "settle":
        return _outcome(partial(_decide, event), vector)
    return check_vector(load(event.ruleset), vector)


def _outcome(answer: Callable[[Vector], Answer], vector: Vector) -> Outcome:
    try:
        expected, got = answer(vector)
    except (AttributeError, LookupError, TypeError, ValueError) as error:
        return Outcome(Verdict.MISMATCH, f"cannot be read: {_why_unreadable(vector, error)}")
    unknown = expected.keys() - got.keys()
    if unknown:
        return Outcome(Verdict.UNSUPPORTED, f"no answer for {', '.join(sorted(unknown))}")
    if any(expected[key] != got[key] for key in expected):
        return Outcome(Verdict.MISMATCH, f"expected {dict(expected)}, got {dict(got)}")
    return Outcome(Verdict.OK)


def _why_unreadable(vector: Vector, error: Exception) -> str:
    if isinstance(error, KeyError) and error.args[0] not in vector:
        return f"a {vector['kind']} vector needs {error.args[0]!r}"
    is_said = isinstance(error, ValueError) and not isinstance(error, UnicodeError)
    return str(error) if is_said else f"a field of it is not as a {vector['kind']} vector has it"


def _classify(ruleset: RuleSet, vector: Vector) -> Answer:
    combination = _combination(ruleset, vector["cards"])
    return {**vector["expect"]}, _described(combination)


def _described(combination: Combination | None) -> dict[str, Any]:
    if combination is None:
        return {"type": "illegal"}
    width = combination.size // combination.length
    described = {"type": combination.kind.value, "n": combination.size, "x": width, "y": combination.length}
    if combination.rank is not None:
        described["rank"] = format_rank(combination.rank)
    if combination.stars:
        described["star"] = combination.stars
    return described


def _compare(ruleset: RuleSet, vector: Vector) -> Answer:
    a, b = _legal(ruleset, vector["a"]), _legal(ruleset, vector["b"])
    results = {(True, True): "both", (True, False): "a", (False, True): "b", (False, False): "neither"}
    return {"result": vector["result"]}, {
        "result": results[may_follow(ruleset.options, a, b), may_follow(ruleset.options, b, a)]
    }


def _settle(ruleset: RuleSet, vector: Vector) -> Answer:
    settlement = settle(ruleset.options, _record(ruleset, vector))
    got = {
        "result": settlement.result.value,
        "mult": settlement.multiplier,
        "scores": list(settlement.scores[: ruleset.options.players]),
    }
    return {key: vector[key] for key in got if key in vector}, got


def _decide(event: MatchEvent, vector: Vector) -> Answer:
    if "think_ms" in vector:
        decided = decision_at_bell(event, vector["think_ms"])
    else:
        order = tuple(SEATS[seat] for seat in vector.get("order", SEATS))
        hands = vector.get("hands", ((0, 0, 0, 0),))
        decided = decision(event, [FinishedDeal(order, tuple(scores)) for scores in hands])
    if decided is None:
        raise ValueError("the bell decides nothing in this event")
    got = {"winner_side": decided.winner, "replay": decided.is_open, "extra_hand": decided.is_open}
    return {key: vector[key] for key in got if key in vector}, got


def _record(ruleset: RuleSet, vector: Vector) -> DealRecord:
    needs_no_order = "plays" in vector or "tricks" in vector
    order = tuple(SEATS[seat] for seat in (vector.get("order", SEATS) if needs_no_order else vector["order"]))
    bombs = tuple(
        BombPlayed(SEATS[bomb["seat"]], _legal(ruleset, bomb["cards"])) for bomb in vector.get("bombs", ())
    )
    left, marked = vector.get("left", {}), vector.get("marked", {})
    won = [trick for trick in vector.get("tricks", ()) if isinstance(trick, dict)]
    return DealRecord(
        finish_order=order,
        bombs=bombs,
        history=_history(ruleset, order[0], vector),
        left=tuple(parse_cards(left.get(str(seat), "")) for seat in SEATS),
        opening=_opening(ruleset, vector),
        kitty=parse_cards(vector.get("kitty", "")),
        cards_won=tuple(sum(trick["cards"] for trick in won if trick["winner"] == seat) for seat in SEATS),
        marks=tuple(_marked(marked.get(str(seat))) for seat in SEATS),
    )


def _history(ruleset: RuleSet, head: Seat, vector: Vector) -> tuple[Act, ...]:
    """The plays, those of the tricks card by card, or only the last play."""
    plays = [(play["seat"], play["cards"]) for play in vector.get("plays", ())]
    plays += [play for trick in vector.get("tricks", ()) if isinstance(trick, list) for play in trick]
    plays += [(head, vector["last_play"])] if "last_play" in vector else []
    return tuple(CardsPlayed(SEATS[seat], parse_cards(text), _legal(ruleset, text)) for seat, text in plays)


def _opening(ruleset: RuleSet, vector: Vector) -> tuple[Opening, ...]:
    opening: list[Opening] = []
    if "landlord" in vector:
        opening.append(LandlordNamed(SEATS[vector["landlord"]], vector["bid"]))
    for call in vector.get("declared", ()):
        cards, combination = parse_cards(call["cards"]), _legal(ruleset, call["cards"])
        opening.append(CombinationDeclared(SEATS[call["seat"]], cards, combination))
    return tuple(opening)


def _marked(text: str | None) -> Card | None:
    return None if text is None else parse_cards(text)[0]


def _legal(ruleset: RuleSet, text: str) -> Combination:
    combination = _combination(ruleset, text)
    if combination is None:
        raise NotationError(f"{text!r} is no combination of {ruleset.id}")
    return combination


def _combination(ruleset: RuleSet, text: str) -> Combination | None:
    return read(move_table(ruleset.options), _parse_mixed(text))


def _parse_mixed(text: str) -> tuple[Card, ...]:
    """Cards of which those without a suit never make a flush."""
    cards = parse_cards(text)
    bare = [place for place, token in enumerate(text.split()) if token in _BARE]
    if len(cards) < 2 or not bare or len({card.suit for card in cards}) > 1:
        return cards
    place, other = bare[-1], next(suit for suit in Suit if suit is not cards[0].suit)
    return (*cards[:place], card_of(cards[place].rank, other), *cards[place + 1 :])


_BARE = frozenset(format_rank(rank) for rank in Rank if rank not in JOKERS)


_ANSWERS: dict[str, Mapping[str, Callable[[AnyRuleSet, Vector], Answer]]] = {
    "climbing": {"classify": _classify, "compare": _compare, "settle": _settle},
    "tricks": TRICKS_ANSWERS,
}
"""By family and kind."""
