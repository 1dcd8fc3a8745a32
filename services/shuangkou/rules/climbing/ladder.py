"""The ladder of combinations from low to high, with cards for an example of each rung."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from shuangkou.rules.cards import JOKERS, Card, Rank, Suit, card_of
from shuangkou.rules.climbing.combinations import Combination, Kind
from shuangkou.rules.climbing.move_table import MoveTable
from shuangkou.rules.climbing.options import SuitRule
from shuangkou.rules.climbing.shapes import supply_of
from shuangkou.rules.climbing.suits import read

_SUITS = tuple(Suit)


@dataclass(frozen=True, slots=True)
class Rung:
    """Combinations that stand together: one kind, or bombs of one shape; chains that interleave are one.

    stars: of these bombs, 0 where they do not count. lowest, highest: cards that make the lowest and the
    highest of them. wild_example: cards that make one with a wild card, empty where there is none;
    wild_as: what its wild cards stand for.
    """

    name_en: str
    name_zh: str
    kind: Kind
    min_size: int
    max_size: int
    stars: int
    lowest: tuple[Card, ...]
    highest: tuple[Card, ...]
    wild_example: tuple[Card, ...]
    wild_as: tuple[Rank, ...]


def ladder(table: MoveTable) -> tuple[Rung, ...]:
    """Those that are no bombs by kind, each beating only its own; then the bombs, low to high."""
    rows = range(len(table.combinations))
    plain = [row for row in rows if not table.combinations[row].is_bomb]
    kinds = [list(group) for _, group in groupby(plain, key=lambda row: table.combinations[row].kind)]
    rungs = [_rung(table, kind) for kind in kinds]
    bombs = [_rung(table, group) for group in _bomb_groups(table, rows[len(plain) :])]
    return (*rungs, *_of_one_suit(table, plain), *bombs)


def _bomb_groups(table: MoveTable, rows: Sequence[int]) -> list[list[int]]:
    """By shape; shapes whose strengths overlap are one group."""
    shapes: dict[tuple[Kind, int, int], list[int]] = {}
    for row in rows:
        bomb = table.combinations[row]
        shapes.setdefault((bomb.kind, bomb.size, bomb.length), []).append(row)
    groups: list[list[int]] = []
    for shape in sorted(shapes.values()):
        if groups and shape[0] < groups[-1][-1]:
            groups[-1] = sorted((*groups[-1], *shape))
        else:
            groups.append(shape)
    return groups


def _rung(table: MoveTable, rows: list[int]) -> Rung:
    members = [table.combinations[row] for row in rows]
    name_en, name_zh = _name(members)
    wild_example = next(_wild_examples(table, rows), ())
    return Rung(
        name_en=name_en,
        name_zh=name_zh,
        kind=members[0].kind,
        min_size=min(member.size for member in members),
        max_size=max(member.size for member in members),
        stars=members[0].stars,
        lowest=_cards(table, rows[0]),
        highest=_cards(table, rows[-1]),
        wild_example=wild_example,
        wild_as=table.wild_ranks(wild_example),
    )


def _name(members: list[Combination]) -> tuple[str, str]:
    kind = members[0].kind
    if kind is not Kind.CHAIN_BOMB:
        return kind.name_en, kind.name_zh
    shapes = ", ".join(sorted({f"{member.width}×{member.length}" for member in members}))
    return f"{kind.name_en} {shapes}", f"{kind.name_zh} {shapes}"


def _cards(table: MoveTable, row: int, wilds: int = 0) -> tuple[Card, ...]:
    """Cards for a row; `wilds` of them, and whatever the deck has not, are wild cards in place of others."""
    options = table.options
    is_run = table.combinations[row].length > 1
    cards: list[Card] = []
    for place, (rank, need) in enumerate(zip(options.rank_order, table.needs[row].tolist(), strict=True)):
        spared = min(wilds, max(0, need - 1)) if rank not in JOKERS and not is_run else 0
        if is_run and need and place == _middle(table, row):
            spared = wilds
        natural = min(need, supply_of(options, rank)) - spared
        cards += [_copy(rank, place if is_run else 0, number) for number in range(natural)]
        cards += [card_of(wild) for wild in options.wild for _ in range(need - natural)]
        wilds -= spared
    return table.sort(cards)


def _middle(table: MoveTable, row: int) -> int:
    """A rank of a run that is not its lowest, for which a wild card may stand."""
    places = table.needs[row].nonzero()[0].tolist()
    return int(places[len(places) // 2])


def _copy(rank: Rank, shift: int, number: int) -> Card:
    """Neighbours in a run have different suits, so that it is no flush."""
    return card_of(rank) if rank in JOKERS else card_of(rank, _SUITS[(shift + number) % len(_SUITS)])


def _wild_examples(table: MoveTable, rows: list[int]) -> Iterator[tuple[Card, ...]]:
    if not table.options.wild:
        return
    for row in rows:
        cards = _cards(table, row, wilds=1)
        if table.wild_ranks(cards) and table.classify(cards) == row:
            yield cards


def _of_one_suit(table: MoveTable, plain: list[int]) -> Iterator[Rung]:
    """Flushes and straight flushes, which no row tells of (§4.6)."""
    runs = [row for row in plain if table.combinations[row].kind is Kind.STRAIGHT]
    if SuitRule.FLUSHES in table.options.suits:
        ranks = [rank for rank in table.options.rank_order if rank not in JOKERS]
        yield from _suited(table, (*ranks[:4], ranks[5]), (*ranks[-6:-4], *ranks[-3:]))
    if SuitRule.STRAIGHT_FLUSHES in table.options.suits and runs:
        low, high = (table.needs[row].nonzero()[0].tolist() for row in (runs[0], runs[-1]))
        order = table.options.rank_order
        yield from _suited(table, [order[place] for place in low], [order[place] for place in high])


def _suited(table: MoveTable, low: Sequence[Rank], high: Sequence[Rank]) -> Iterator[Rung]:
    lowest = tuple(card_of(rank, Suit.SPADES) for rank in low)
    highest = tuple(card_of(rank, Suit.SPADES) for rank in high)
    found, best = read(table, lowest), read(table, highest)
    if found is not None and best is not None:
        kind = found.kind
        yield Rung(kind.name_en, kind.name_zh, kind, found.size, best.size, 0, lowest, highest, (), ())
