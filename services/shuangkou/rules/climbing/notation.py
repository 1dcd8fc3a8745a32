"""Combinations and acts as text, both ways.

A combination reads `kind XxY rank`: X cards of each of Y ranks, the highest being `rank`
(`straight 1x5 8`, `bomb 6x1 K`, `joker_bomb 4x1`). An act reads `seat: cards` or `seat: pass`.
"""

from shuangkou.rules.climbing.combinations import Combination
from shuangkou.rules.climbing.commands import Pass, PlayCards
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


def format_act(act: PlayCards | Pass) -> str:
    """`1: 7h 7d`, `2: pass`."""
    return f"{act.seat}: {format_cards(act.cards) if isinstance(act, PlayCards) else 'pass'}"


def parse_act(text: str) -> PlayCards | Pass:
    """Inverse of `format_act`; NotationError for anything else."""
    seat_text, separator, what = text.partition(":")
    if not separator or seat_text.strip() not in ("0", "1", "2", "3"):
        raise NotationError(f"{text[:40]!r} is no act; write 1: 7h 7d or 1: pass")
    seat = SEATS[int(seat_text)]
    if what.strip() == "pass":
        return Pass(seat)
    cards = parse_cards(what)
    if not cards:
        raise NotationError(f"{text[:40]!r} plays no card")
    return PlayCards(seat, cards)
