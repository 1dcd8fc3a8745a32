"""What a seat may lead or follow with, as an answer of bounded length (§6.1, §6.6).

Every play that keeps the rules is legal, listed or not; these answers say what is owed and show enough
plays to choose from.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import prod

from shuangkou.rules.cards import Card
from shuangkou.rules.tricks.choices import Choices
from shuangkou.rules.tricks.defaults import (
    cheapest_first,
    highest_first,
    points_first,
    preferred_follow,
    suit_first,
)
from shuangkou.rules.tricks.following import Duty, can_meet, duty, is_legal_follow, ruff_duty
from shuangkou.rules.tricks.order import EffectiveSuit, Line, TrumpOrder
from shuangkou.rules.tricks.units import (
    Counts,
    Format,
    Shape,
    Unit,
    cards_of,
    counts_of,
    decompose,
    tops,
    unit_at,
)
from shuangkou.rules.tricks.winning import strength_of_follow

Cards = tuple[Card, ...]

MOST_LISTED = 64
"""Legal follows are listed one by one when there are at most so many."""
_MOST_SIFTED = 256
"""Choices of cards that are tried one by one for the tractors they have to hold."""


@dataclass(frozen=True, slots=True)
class LegalLeads:
    """What may be led. units: every single, set and tractor of the hand; of equally high tractors one.

    throws: sets of several units that no unseen cards can beat. count: all different leads.
    """

    units: tuple[Unit, ...]
    throws: tuple[Format, ...]
    count: int


@dataclass(frozen=True, slots=True)
class LegalFollows:
    """What may be played on a lead.

    forced: cards of every legal follow. free: what the others come from, nothing if there are none.
    plays: all legal follows if `is_complete`, else some of every sort; the default first. count: all
    different legal follows, None where it is not known.
    """

    duty: Duty
    forced: Cards
    free: Cards
    plays: tuple[Cards, ...]
    is_complete: bool
    count: int | None


def legal_leads(
    order: TrumpOrder, hand: Sequence[Card], throws: bool, unseen: Sequence[Card] | None = None
) -> LegalLeads:
    """throws: the option of that name. unseen: cards that other hands may hold, as far as the leader
    knows; without it no throw is called safe.
    """
    counts = counts_of(hand)
    units = tuple(unit for suit in EffectiveSuit for unit in _units(order.lines[suit], counts))
    if not throws:
        return LegalLeads(units, (), sum(_different(order.lines[suit], counts) for suit in EffectiveSuit))
    away = counts_of(unseen or ())
    suits = EffectiveSuit if unseen is not None else ()
    safe = tuple(throw for suit in suits for throw in _safe_throws(order, suit, counts, away))
    return LegalLeads(units, safe, sum(_subsets(order.lines[suit], counts) for suit in EffectiveSuit))


def legal_follows(
    order: TrumpOrder, lead: Format, hand: Sequence[Card], high_follow: bool = False
) -> LegalFollows:
    """high_follow: the option of that name."""
    owed = duty(order, lead, hand, high_follow)
    least, most = _bounds(order, lead, owed)
    forced = cards_of(least)
    free = cards_of([high - low for low, high in zip(least, most, strict=True)])
    choices = Choices(least, most, owed.size, owed.sets)
    count, limit = choices.count(), _MOST_SIFTED if owed.tractors else MOST_LISTED
    default = preferred_follow(order, owed, cheapest_first(order))
    if count is not None and count <= limit:
        listed = [order.ascending(cards) for cards in choices.listed()]
        legal = [cards for cards in listed if not owed.tractors or is_legal_follow(order, owed, cards)]
        if len(legal) <= MOST_LISTED:
            plays = dict.fromkeys((default, *legal))
            return LegalFollows(owed, forced, free, tuple(plays), True, len(legal))
        count = len(legal)
    elif owed.tractors:
        count = None
    some = dict.fromkeys((default, *_examples(order, lead, owed)))
    return LegalFollows(owed, forced, free, tuple(some)[:MOST_LISTED], False, count)


def _bounds(order: TrumpOrder, lead: Format, owed: Duty) -> tuple[Counts, Counts]:
    """The fewest and the most copies of each card in a legal follow."""
    most = [must + choice for must, choice in zip(owed.must, owed.choice, strict=True)]
    least = list(owed.must)
    room, offered = owed.size - sum(owed.must), sum(owed.choice)
    for card, choice in enumerate(owed.choice):
        if not choice:
            continue
        if owed.is_exhausted or room < owed.size:
            least[card] += max(0, room - (offered - choice))
        else:
            least[card] = _fewest(order, lead, owed, card)
    return least, least if sum(least) == owed.size else most


def _fewest(order: TrumpOrder, lead: Format, owed: Duty, card: int) -> int:
    held = list(owed.choice)
    while held[card]:
        held[card] -= 1
        if not can_meet(order, lead, owed, held):
            return held[card] + 1
    return 0


def _examples(order: TrumpOrder, lead: Format, owed: Duty) -> Iterator[Cards]:
    """Legal follows of every sort: what may win, then what costs little or gives much."""
    if not lead.is_throw and not owed.is_exhausted:
        for top in tops(order.lines[owed.suit], owed.choice, lead.key.shape):
            cards = unit_at(order.lines[owed.suit], owed.choice, lead.key.shape, top).cards
            if is_legal_follow(order, owed, cards):
                yield order.ascending(cards)
    if owed.is_exhausted and not any(owed.must):
        yield from _ruffs(order, lead, owed)
    for prefer in (highest_first(order), points_first(order)):
        yield preferred_follow(order, owed, prefer)
    if owed.is_exhausted:
        for suit in EffectiveSuit:
            yield preferred_follow(order, owed, suit_first(order, suit))


def _ruffs(order: TrumpOrder, lead: Format, owed: Duty) -> Iterator[Cards]:
    """A plain lead with every unit that takes it; a throw as low and as high as may be."""
    line = order.lines[EffectiveSuit.TRUMP]
    if not lead.is_throw:
        for top in tops(line, owed.choice, lead.key.shape):
            yield order.ascending(unit_at(line, owed.choice, lead.key.shape, top).cards)
        return
    ruff = ruff_duty(order, lead, owed)
    if ruff is not None:
        for prefer in (cheapest_first(order), highest_first(order)):
            cards = preferred_follow(order, ruff, prefer)
            if strength_of_follow(order, lead, cards) is not None:
                yield cards


def _units(line: Line, counts: Counts) -> Iterator[Unit]:
    for place, faces in enumerate(line):
        for face in faces if place else ():
            for copies in range(1, counts[face] + 1):
                yield Unit(Shape(copies, 1), place, (face,) * copies)
    for shape, top in _tractors(line, counts):
        yield unit_at(line, counts, shape, top)


def _tractors(line: Line, counts: Counts) -> Iterator[tuple[Shape, int]]:
    most = max((counts[face] for faces in line for face in faces), default=0)
    for copies in range(2, most + 1):
        for length in range(2, len(line)):
            shape = Shape(copies, length)
            found = tuple(tops(line, counts, shape))
            if not found:
                break
            yield from ((shape, top) for top in found)


def _different(line: Line, counts: Counts) -> int:
    """How many different units there are."""
    sets = sum(counts[face] for faces in line[1:] for face in faces)
    return sets + sum(
        prod(
            sum(counts[face] >= shape.copies for face in faces)
            for faces in line[top - shape.length + 1 : top + 1]
        )
        for shape, top in _tractors(line, counts)
    )


def _subsets(line: Line, counts: Counts) -> int:
    """How many different sets of cards of one suit there are."""
    return prod(counts[face] + 1 for faces in line[1:] for face in faces) - 1


def _safe_throws(order: TrumpOrder, suit: EffectiveSuit, counts: Counts, away: Counts) -> Iterator[Format]:
    """The largest throw of a suit that nothing unseen beats, its singles alone, and the rest alone."""
    line = order.lines[suit]
    left = [0] * len(counts)
    for faces in line:
        for face in faces:
            left[face] = counts[face]
    while (units := decompose(order, suit, left)) and (beaten := _beatable(line, units, away)):
        for unit in beaten:
            for card in unit.cards:
                left[card] -= 1
    found = set()
    for part in (
        units,
        [unit for unit in units if len(unit.cards) == 1],
        [unit for unit in units if len(unit.cards) > 1],
    ):
        throw = Format(suit, tuple(part))
        if throw.is_throw and throw not in found and not _beatable(line, part, away):
            found.add(throw)
            yield throw


def _beatable(line: Line, units: Sequence[Unit], away: Counts) -> list[Unit]:
    return [unit for unit in units if max(tops(line, away, unit.shape), default=0) > unit.top]
