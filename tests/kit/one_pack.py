"""Rows of options for games of one pack and of other kinds, as far as they are options of the family."""

from dataclasses import replace

from kit.climbing_table import QQ
from shuangkou.rules.cards import Rank
from shuangkou.rules.climbing.combinations import Kind
from shuangkou.rules.climbing.options import Beating, DealEnd, Sides, SuitRule
from shuangkou.rules.notation import parse_ranks
from shuangkou.rules.ruleset import RuleSet

ONE_PACK: dict[str, object] = {
    "decks": 1,
    "jokers": False,
    "hand_size": 13,
    "joker_bomb": False,
    "max_bomb": 4,
    "rank_order": parse_ranks("3 4 5 6 7 8 9 T J Q K A 2"),
}
WITH_JOKERS = ONE_PACK | {"jokers": True, "rank_order": QQ.options.rank_order}
LOW_TWO = parse_ranks("2 3 4 5 6 7 8 9 T J Q K A")
LOW_ACE = parse_ranks("A 2 3 4 5 6 7 8 9 T J Q K")
OTHER_GAMES: dict[str, dict[str, object]] = {
    "duel52": ONE_PACK,
    "classic54": WITH_JOKERS
    | {"min_pairs": 2, "min_triples": 2, "extra_kinds": (Kind.QUAD2,), "beating": Beating.EQUAL_OR_HIGHER},
    "bid52": ONE_PACK | {"min_pairs": 2, "min_triples": 2, "extra_kinds": (Kind.TRIPLE1, Kind.QUAD2)},
    "landlord52": ONE_PACK
    | {"rank_order": LOW_ACE, "run_ranks": LOW_ACE, "min_straight": 0, "min_triples": 0},
    "deluxe108": {
        "rank_order": (*LOW_TWO, Rank.SMALL_JOKER, Rank.BIG_JOKER),
        "run_ranks": LOW_TWO,
        "min_triples": 2,
        "hand_size": 27,
        "min_bomb": 0,
        "joker_bomb": False,
        "max_set": 2,
        "extra_kinds": (Kind.SET,),
        "beating": Beating.MORE_EQUAL_CARDS,
    },
    "classic52": ONE_PACK
    | {
        "min_pairs": 0,
        "min_triples": 0,
        "extra_kinds": (Kind.TWO_PAIR,),
        "suits": (SuitRule.SINGLES_FOLLOW, SuitRule.FLUSHES, SuitRule.STRAIGHT_FLUSHES),
        "beating": Beating.CATEGORIES,
    },
    "activity54": WITH_JOKERS | {"min_triples": 0, "suits": (SuitRule.TIES,)},
    "five5": ONE_PACK
    | {
        "rank_order": LOW_ACE,
        "run_ranks": LOW_ACE,
        "max_straight": 5,
        "min_pairs": 0,
        "min_triples": 0,
        "min_bomb": 0,
        "hand_size": 5,
        "set_ranks": LOW_ACE[1:],
        "suits": (SuitRule.STRAIGHT_FLUSHES,),
        "beating": Beating.CATEGORIES,
    },
    "easy52": ONE_PACK | {"max_set": 1, "min_straight": 0, "min_pairs": 0, "min_triples": 0, "min_bomb": 0},
}
"""Games whose combinations are options of this family already."""


def other_game(id: str) -> RuleSet:
    """The game as four single players would play it until the first is out."""
    end = {"sides": Sides.NONE, "deal_end": DealEnd.FIRST_OUT}
    options = replace(QQ.options, **OTHER_GAMES[id], **end)  # type: ignore[arg-type]  # a mixture of options
    return replace(QQ, options=options)
