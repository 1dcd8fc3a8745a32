"""Combinations and acts as text, both ways.

A combination reads `kind XxY rank`: X cards of each of Y ranks, the highest being `rank`
(`straight 1x5 8`, `bomb 6x1 K`, `joker_bomb 4x1`). An act reads `seat: cards` or `seat: pass`, or has a word
before play: `seat: bid 2`.
"""

from shuangkou.rules.climbing.combinations import Combination
from shuangkou.rules.climbing.commands import (
    Bid,
    CallLandlord,
    DeclareCombination,
    ExchangeCards,
    GrabLandlord,
    MarkCard,
    PhaseAct,
    TakeFromKitty,
)
from shuangkou.rules.climbing.move_table import MoveTable
from shuangkou.rules.commands import BuryKitty, Pass, PlayCards
from shuangkou.rules.notation import (
    NotationError,
    format_card,
    format_cards,
    format_rank,
    parse_card,
    parse_cards,
)
from shuangkou.rules.seats import SEATS, Seat


def format_combination(combination: Combination) -> str:
    """`pair 2x1 7`."""
    shape = f"{combination.kind.value} {combination.size // combination.length}x{combination.length}"
    return shape if combination.rank is None else f"{shape} {format_rank(combination.rank)}"


def parse_combination(text: str, table: MoveTable) -> Combination:
    """Inverse of `format_combination`; NotationError when the ruleset has no such combination."""
    for combination in table.combinations:
        if format_combination(combination) == text:
            return combination
    raise NotationError(f"{text[:40]!r} is no combination of this ruleset")


def format_act(act: PlayCards | Pass | PhaseAct) -> str:
    """`1: 7h 7d`, `2: pass`; before play a word tells the act: `1: bid 2`, `1: call`, `1: exchange 7h 7d`."""
    return f"{act.seat}: {_format_what(act)}"


def _format_what(act: PlayCards | Pass | PhaseAct) -> str:
    match act:
        case Pass():
            return "pass"
        case PlayCards():
            return format_cards(act.cards)
        case Bid():
            return f"bid {act.points}"
        case CallLandlord() | GrabLandlord():
            return _WORDS[type(act)]
        case MarkCard():
            return f"mark {format_card(act.card)}"
        case _:
            return f"{_WORDS[type(act)]} {format_cards(act.cards)}".rstrip()


def parse_act(text: str) -> PlayCards | Pass | PhaseAct:
    """Inverse of `format_act`; NotationError for anything else."""
    seat_text, separator, what = text.partition(":")
    if not separator or seat_text.strip() not in ("0", "1", "2", "3"):
        raise NotationError(f"{text[:40]!r} is no act; write 1: 7h 7d or 1: pass")
    seat = SEATS[int(seat_text)]
    word, _, rest = what.strip().partition(" ")
    if what.strip() == "pass":
        return Pass(seat)
    if word in _ACTS:
        return _parse_opening(seat, _ACTS[word], rest)
    cards = parse_cards(what)
    if not cards:
        raise NotationError(f"{text[:40]!r} names no card")
    return PlayCards(seat, cards)


def _parse_opening(seat: Seat, act: type, rest: str) -> PhaseAct:
    if act is Bid:
        if not (rest.isascii() and rest.isdigit() and len(rest) <= 3):
            raise NotationError(f"{rest[:20]!r} is no bid")
        return Bid(seat, int(rest))
    if act is MarkCard:
        return MarkCard(seat, parse_card(rest.strip()))
    if act in (CallLandlord, GrabLandlord) and not rest:
        return CallLandlord(seat) if act is CallLandlord else GrabLandlord(seat)
    cards = parse_cards(rest)
    if act in (CallLandlord, GrabLandlord) or (not cards and act not in (TakeFromKitty, ExchangeCards)):
        raise NotationError(f"{rest[:20]!r} does not go with {_WORDS[act]}")
    made: PhaseAct = act(seat, cards)
    return made


_WORDS: dict[type, str] = {
    BuryKitty: "bury",
    DeclareCombination: "declare",
    Bid: "bid",
    CallLandlord: "call",
    GrabLandlord: "grab",
    TakeFromKitty: "take",
    ExchangeCards: "exchange",
    MarkCard: "mark",
}
_ACTS = {word: act for act, word in _WORDS.items()}
