"""Combinations and acts as text, both ways.

A combination reads `kind XxY rank`: X cards of each of Y ranks, the highest being `rank`
(`straight 1x5 8`, `bomb 6x1 K`, `joker_bomb 4x1`). An act reads `seat: cards`, `seat: pass` or
`seat: bury cards`.
"""

from shuangkou.rules.climbing.combinations import Combination
from shuangkou.rules.climbing.commands import BuryKitty, Pass, PlayCards
from shuangkou.rules.climbing.move_table import MoveTable
from shuangkou.rules.notation import NotationError, format_cards, format_rank, parse_cards
from shuangkou.rules.seats import SEATS


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


def format_act(act: PlayCards | Pass | BuryKitty) -> str:
    """`1: 7h 7d`, `2: pass`, `3: bury 4s 9c`."""
    if isinstance(act, Pass):
        return f"{act.seat}: {_PASS}"
    verb = f"{_BURY} " if isinstance(act, BuryKitty) else ""
    return f"{act.seat}: {verb}{format_cards(act.cards)}"


def parse_act(text: str) -> PlayCards | Pass | BuryKitty:
    """Inverse of `format_act`; NotationError for anything else."""
    seat_text, separator, what = text.partition(":")
    if not separator or seat_text.strip() not in ("0", "1", "2", "3"):
        raise NotationError(f"{text[:40]!r} is no act; write 1: 7h 7d or 1: pass")
    seat, words = SEATS[int(seat_text)], what.split()
    if words == [_PASS]:
        return Pass(seat)
    make, names = (BuryKitty, words[1:]) if words[:1] == [_BURY] else (PlayCards, words)
    cards = parse_cards(" ".join(names))
    if not cards:
        raise NotationError(f"{text[:40]!r} names no card")
    return make(seat, cards)


_PASS = "pass"
_BURY = "bury"
