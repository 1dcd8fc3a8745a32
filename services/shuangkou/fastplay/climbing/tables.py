"""A ruleset as kernels read it: arrays made once from the move table and the options."""

from functools import lru_cache
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from shuangkou.fastplay.climbing.chain import chain_of
from shuangkou.fastplay.climbing.plays import SUIT_SETS, Pick, Play, is_by_card, is_met, plays_of
from shuangkou.fastplay.climbing.scores import array_scores, number_scores
from shuangkou.rules.cards import CARDS, Card, Suit
from shuangkou.rules.climbing.beating import CATEGORIES
from shuangkou.rules.climbing.combinations import Combination, Kind
from shuangkou.rules.climbing.move_table import MoveTable, move_table
from shuangkou.rules.climbing.options import (
    ClimbingOptions,
    DealEnd,
    Sides,
    SuitRule,
    TrickEnd,
    TrickLead,
)
from shuangkou.rules.climbing.shapes import supply_of
from shuangkou.rules.climbing.suits import may_follow

Array = npt.NDArray[Any]
_WORD = 64

DEAL_ENDS = tuple(DealEnd)
FIRST_OUT, SIDE_OUT = DEAL_ENDS.index(DealEnd.FIRST_OUT), DEAL_ENDS.index(DealEnd.SIDE_OUT)
THREE_OUT, LAST_TRICK = DEAL_ENDS.index(DealEnd.THREE_OUT), DEAL_ENDS.index(DealEnd.LAST_TRICK)


(
    PLAYERS,
    PARTNERS,
    DEAL_END,
    ONE_ROUND,
    AFTER_WINNER,
    DISCARDS,
    BY_CARD,
    FLUSHES,
    MIN_STRAIGHT,
    FIRST_RUN,
    LAST_RUN,
    WILD,
    RANKS,
    PLAY_COUNT,
    WORDS,
    VALUES,
    SCORING,
    SOURCE,
    MAX_MULTIPLIER,
    OUT_POINTS,
    MATCH_POINTS,
    TRICK_CARD_POINTS,
    SPRING_POINTS,
    MARK_POINTS,
    NO_BOMB_POINTS,
    OPEN_HANDS,
) = range(26)
"""Where the tables hold single numbers: the options of these names, 0 or 1 where they are yes or no.

WILD: place of the wild rank, -1 without one. FIRST_RUN, LAST_RUN: places of the lowest and highest rank of
runs. WORDS: of a set of plays. VALUES: how many different things a hand can hold of one rank.
"""

(
    FITS,
    LACK_ONE,
    LACK_TWO,
    USING,
    BEATERS,
    NEEDS,
    PLACES_OF,
    COUNTS_OF,
    PARTS,
    PICKS,
    SUITS,
    SIZES,
    IS_BOMB,
    IS_SET,
    TOPS,
    KINDS,
    DECK,
    BASES,
    WORTHS,
    MULTIPLIERS,
    PAYS,
    GROUPED,
    GROUP_MULTIPLIERS,
    GROUP_PAYS,
    LEFT,
    QUARTERS,
    SPREADS,
    SET_PLAYS,
    BOMB_SET,
    CHAIN,
) = range(32, 62)
"""Where the tables hold the place of an array, all laid out row by row; M plays, R ranks, W words, V values.

FITS: [R, V, W] plays that what is held of a rank is enough for. LACK_ONE, LACK_TWO: [R, V, W] the same but
for one or two wild cards. USING: [3, W] by the wild cards needed as themselves. BEATERS: [M + 1, W] what may
follow each play, and last a flush. NEEDS: [M, STRIDE]. PLACES_OF, COUNTS_OF: [M, STRIDE] the ranks of a play
and how many of each, low to high; PARTS: [M] how many such. PICKS, SUITS: [M] as in `Play`. SIZES: [M]
cards. IS_BOMB, IS_SET: [M] 0 or 1. TOPS: [M] place of the highest rank, R for none. KINDS: [M] index into
Kind. DECK: [R] cards in the deck. SPREADS: [W] plays of several ranks, one reading of each. SET_PLAYS: [R,
STRIDE] the play of so many equal cards, -1 where there is none. BOMB_SET: [W] all bombs. CHAIN: see `chain`.
The rest is in `scores`.
"""
STRIDE = 16
"""More than any game has ranks."""
_HEADER = 64


class Game:
    """What the fast core and its callers need of one set of options.

    tables: what kernels read. plays: by number. by_card: a hand is a set of suits for each rank. by_reading:
    number by combination and, of single cards, by suit. numbers: by card, how kernels write it when it is
    spent.
    """

    def __init__(self, options: ClimbingOptions) -> None:
        self.options = options
        self.table = move_table(options)
        self.plays = plays_of(self.table)
        self.tables = _tables(options, self.table, self.plays)
        self.by_card = is_by_card(options)
        self.numbers = tuple(_number(self.table, card, by_card=self.by_card) for card in CARDS)
        self.by_reading = {
            (play.combination, play.suit if play.pick is Pick.CARD else 0): number
            for number, play in reversed(list(enumerate(self.plays)))
        }


@lru_cache(maxsize=64)
def game_of(options: ClimbingOptions) -> Game:
    """Compiled on first use."""
    return Game(options)


def words_of(members: int, words: int) -> Array:
    """A set of plays, an int with bit m for play m, as words."""
    return np.frombuffer(members.to_bytes(words * 8, "little"), dtype=np.int64).copy()


def set_of(words: Array) -> int:
    """The other way round."""
    return int.from_bytes(np.ascontiguousarray(words, dtype=np.int64).tobytes(), "little")


def _tables(options: ClimbingOptions, table: MoveTable, plays: tuple[Play, ...]) -> Array:
    numbers = _numbers(options, len(plays)) | number_scores(options)
    arrays = _of_hands(options, table, plays) | _of_plays(options, table, plays)
    arrays |= array_scores(options, [play.combination for play in plays])
    arrays["CHAIN"] = chain_of([set_of(above) for above in arrays["BEATERS"][:-1]])
    header = np.zeros(_HEADER, dtype=np.int64)
    at = _HEADER
    for name, number in numbers.items():
        header[_AT[name]] = number
    for name, array in arrays.items():
        header[_AT[name]] = at
        at += array.size
    return np.concatenate([header, *(array.astype(np.int64).ravel() for array in arrays.values())])


_AT: dict[str, int] = {name: value for name, value in globals().items() if isinstance(value, int)}


def _numbers(options: ClimbingOptions, plays: int) -> dict[str, int]:
    order, runs = options.rank_order, options.run_ranks
    return {
        "PLAYERS": options.players,
        "PARTNERS": int(options.sides is Sides.PARTNERS),
        "DEAL_END": DEAL_ENDS.index(options.deal_end),
        "ONE_ROUND": int(options.trick_end is TrickEnd.ONE_ROUND),
        "AFTER_WINNER": int(options.trick_lead is TrickLead.AFTER_WINNER),
        "DISCARDS": int(options.discards),
        "BY_CARD": int(is_by_card(options)),
        "FLUSHES": int(SuitRule.FLUSHES in options.suits),
        "MIN_STRAIGHT": options.min_straight,
        "FIRST_RUN": order.index(runs[0]) if runs else 0,
        "LAST_RUN": order.index(runs[-1]) if runs else -1,
        "WILD": order.index(options.wild[0]) if options.wild else -1,
        "RANKS": len(order),
        "PLAY_COUNT": plays,
        "WORDS": -(-plays // _WORD),
        "VALUES": _values(options),
        "OPEN_HANDS": int(options.open_partner_hands),
    }


def _of_hands(options: ClimbingOptions, table: MoveTable, plays: tuple[Play, ...]) -> dict[str, Array]:
    rows = [play.row for play in plays]
    needs, floors = (matrix[rows].astype(np.int64) for matrix in (table.needs, table.floors))
    zero, one, two = (_lacks(options, needs, floors, lack) for lack in range(3))
    return {
        "FITS": zero if options.wild else _fits(options, plays, needs),
        "LACK_ONE": one,
        "LACK_TWO": two,
        "USING": _using(options, needs),
        "BEATERS": _beaters(options, table, plays),
        "DECK": _column([supply_of(options, rank) for rank in options.rank_order]),
    }


def _of_plays(options: ClimbingOptions, table: MoveTable, plays: tuple[Play, ...]) -> dict[str, Array]:
    rows, kinds = [play.row for play in plays], tuple(Kind)
    needs = np.zeros((len(plays), STRIDE), dtype=np.int64)
    needs[:, : table.needs.shape[1]] = table.needs[rows]
    places, counts, parts = _parts(table, rows)
    return {
        "NEEDS": needs,
        "PLACES_OF": places,
        "COUNTS_OF": counts,
        "PARTS": parts,
        "SPREADS": _packed(_first_readings(plays) & (parts > 1)),
        "BOMB_SET": _packed(np.array([play.combination.is_bomb for play in plays])),
        "SET_PLAYS": _set_plays(plays, needs, parts),
        "PICKS": _column([play.pick for play in plays]),
        "SUITS": _column([play.suit for play in plays]),
        "SIZES": needs.sum(axis=1),
        "IS_BOMB": _column([play.combination.is_bomb for play in plays]),
        "IS_SET": _column([play.combination.kind is Kind.SET for play in plays]),
        "TOPS": _column([_top(options, play.combination) for play in plays]),
        "KINDS": _column([kinds.index(play.combination.kind) for play in plays]),
    }


def _first_readings(plays: tuple[Play, ...]) -> Array:
    rows = [-1, *(play.row for play in plays)]
    return np.array([row != before for before, row in pairwise(rows)])


def _set_plays(plays: tuple[Play, ...], needs: Array, parts: Array) -> Array:
    numbers = np.full((STRIDE, STRIDE), -1, dtype=np.int64)
    first = _first_readings(plays)
    for number in np.flatnonzero(first & (parts == 1)):
        place = int(needs[number].argmax())
        numbers[place, needs[number, place]] = number
    return numbers


def _column(values: list[Any]) -> Array:
    return np.array(values, dtype=np.int64)


def _top(options: ClimbingOptions, combination: Combination) -> int:
    order = options.rank_order
    return len(order) if combination.rank is None else order.index(combination.rank)


def _parts(table: MoveTable, rows: list[int]) -> tuple[Array, Array, Array]:
    places = np.zeros((len(rows), STRIDE), dtype=np.int64)
    counts = np.zeros((len(rows), STRIDE), dtype=np.int64)
    for number, row in enumerate(rows):
        for part, (place, need) in enumerate(table.parts[row]):
            places[number, part], counts[number, part] = place, need
    return places, counts, _column([len(table.parts[row]) for row in rows])


def _packed(flags: Array) -> Array:
    """[..., M] flags as [..., W] words."""
    count = flags.shape[-1]
    padded = np.zeros((*flags.shape[:-1], -(-count // _WORD) * _WORD), dtype=np.bool_)
    padded[..., :count] = flags
    return np.packbits(padded, axis=-1, bitorder="little").view(np.int64).copy()


def _values(options: ClimbingOptions) -> int:
    return SUIT_SETS if is_by_card(options) else max(supply_of(options, r) for r in options.rank_order) + 1


def _fits(options: ClimbingOptions, plays: tuple[Play, ...], needs: Array) -> Array:
    values, ranks = _values(options), needs.shape[1]
    if not is_by_card(options):
        return _packed(needs.T[:, None, :] <= np.arange(values)[None, :, None])
    flags = np.zeros((ranks, values, len(plays)), dtype=np.bool_)
    for number, play in enumerate(plays):
        tops = needs[number].nonzero()[0]
        for place in range(ranks):
            for held in range(values):
                need, is_top = int(needs[number, place]), place == tops[-1]
                flags[place, held, number] = is_met(play, need, held, is_top=is_top)
    return _packed(flags)


def _lacks(options: ClimbingOptions, needs: Array, floors: Array, lack: int) -> Array:
    if not options.wild:
        return np.zeros((1, 1, 1), dtype=np.int64)
    held = np.arange(_values(options))[None, :, None]
    return _packed((floors.T[:, None, :] <= held) & (needs.T[:, None, :] <= held + lack))


def _using(options: ClimbingOptions, needs: Array) -> Array:
    if not options.wild:
        return np.zeros((3, 1), dtype=np.int64)
    used = needs[:, options.rank_order.index(options.wild[0])]
    return _packed(used[None, :] == np.arange(3)[:, None])


def _beaters(options: ClimbingOptions, table: MoveTable, plays: tuple[Play, ...]) -> Array:
    if not is_by_card(options):
        words = -(-len(plays) // _WORD)
        above = [words_of(members, words) for members in table.beaters]
        return np.array([*above, np.zeros(words, dtype=np.int64)])
    distinct = {play.combination: play.combination for play in plays}
    flags = {top: [may_follow(options, play.combination, top) for play in plays] for top in distinct}
    return _packed(np.array([*(flags[play.combination] for play in plays), _over_flushes(plays)]))


def _over_flushes(plays: tuple[Play, ...]) -> list[bool]:
    """What stands above the flush among the categories, and bombs."""
    higher = CATEGORIES[CATEGORIES.index(Kind.FLUSH) + 1 :]
    return [play.combination.is_bomb or play.combination.kind in higher for play in plays]


def _number(table: MoveTable, card: Card, *, by_card: bool) -> int:
    place = place_of(table, card)
    return place * len(Suit) + (card.suit or 0) if by_card else place


def place_of(table: MoveTable, card: int) -> int:
    """Place of a card's rank in the rank order."""
    return table.places[card] // len(CARDS)
