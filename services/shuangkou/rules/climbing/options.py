"""Every house rule of the climbing family as one typed value; a ruleset is a row of these."""

from dataclasses import dataclass
from enum import Enum
from typing import Annotated, Any, get_args, get_type_hints

from shuangkou.rules.cards import JOKERS, Rank
from shuangkou.rules.notation import NotationError, format_ranks, parse_ranks


class DealEnd(Enum):
    """When a deal is over (§6.1)."""

    SIDE_OUT = "side_out"
    FIRST_OUT = "first_out"


class LaterLead(Enum):
    """Who leads a deal that follows a normal one (§2.4)."""

    LAST_HEAD = "last_head"
    LAST_HEAD_UNLESS_DOUBLE = "last_head_unless_double"


class MultiplierSource(Enum):
    """Whose bombs multiply the base points (§7.2)."""

    NONE = "none"
    WINNERS_BEST = "winners_best"


class OptionKind(Enum):
    """How an option's text is read."""

    INTEGER = "integer"
    BOOLEAN = "boolean"
    CHOICE = "choice"
    RANKS = "ranks"
    TABLE = "table"


Ranks = tuple[Rank, ...]
Table = tuple[tuple[int, int], ...]
OptionValue = int | bool | Enum | Ranks | Table


@dataclass(frozen=True, slots=True)
class Meaning:
    """What an option means, for a person."""

    en: str
    zh: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ClimbingOptions:
    """The meaning of each option stands beside it, in English and 中文."""

    decks: Annotated[int, Meaning("Packs of cards in the deck", "几副牌")]
    jokers: Annotated[bool, Meaning("The packs include their jokers", "是否带王")]
    hand_size: Annotated[int, Meaning("Cards dealt to each seat", "每家张数")]
    rank_order: Annotated[Ranks, Meaning("Order of the ranks, low to high", "牌点从小到大的顺序")]
    run_ranks: Annotated[Ranks, Meaning("Ranks that runs are made of", "可以连的牌点")]
    min_straight: Annotated[int, Meaning("Fewest ranks in a straight, 0: none", "顺子最少几连")]
    min_pairs: Annotated[int, Meaning("Fewest ranks in consecutive pairs, 0: none", "连对最少几连")]
    min_triples: Annotated[int, Meaning("Fewest ranks in consecutive triples, 0: none", "连三张最少几连")]
    min_bomb: Annotated[int, Meaning("Fewest equal cards in a bomb", "炸弹最少张数")]
    max_bomb: Annotated[int, Meaning("Most equal cards in a bomb", "炸弹最多张数")]
    joker_bomb: Annotated[bool, Meaning("All jokers together are the top bomb", "全部王为最大炸弹")]
    deal_end: Annotated[DealEnd, Meaning("When the deal is over", "一局何时结束")]
    later_lead: Annotated[LaterLead, Meaning("Who leads the next deal, else a random seat", "下一局由谁首出")]
    base_double: Annotated[int, Meaning("Points for a double", "双扣底分")]
    base_single: Annotated[int, Meaning("Points for a single", "单扣底分")]
    base_draw: Annotated[int, Meaning("Points for a draw", "平扣底分")]
    base_win: Annotated[int, Meaning("Points where the first seat out wins", "头游即胜的底分")]
    multiplier_source: Annotated[MultiplierSource, Meaning("Whose bombs multiply the points", "谁的炸弹翻倍")]
    bomb_mults: Annotated[Table, Meaning("Multiplier by bomb size, else 1", "各张数炸弹的倍数")]
    joker_bomb_mult: Annotated[int, Meaning("Multiplier of the joker bomb", "王炸的倍数")]
    turn_seconds: Annotated[int, Meaning("Seconds to follow or pass", "跟牌时限（秒）")]
    lead_seconds: Annotated[int, Meaning("Seconds to lead", "首出时限（秒）")]
    time_bank_seconds: Annotated[int, Meaning("Extra seconds, once in a deal", "每局一次的加时（秒）")]


@dataclass(frozen=True, slots=True)
class OptionSpec:
    """What can be said of an option before it has a value."""

    key: str
    kind: OptionKind
    description_en: str
    description_zh: str
    choices: type[Enum] | None


def _spec(key: str, annotation: Any) -> OptionSpec:
    value_type, meaning = get_args(annotation)
    if isinstance(value_type, type) and issubclass(value_type, Enum):
        return OptionSpec(key, OptionKind.CHOICE, meaning.en, meaning.zh, value_type)
    return OptionSpec(key, _KINDS[value_type], meaning.en, meaning.zh, None)


_KINDS: dict[Any, OptionKind] = {
    int: OptionKind.INTEGER,
    bool: OptionKind.BOOLEAN,
    Ranks: OptionKind.RANKS,
    Table: OptionKind.TABLE,
}

SPECS: dict[str, OptionSpec] = {
    key: _spec(key, annotation)
    for key, annotation in get_type_hints(ClimbingOptions, include_extras=True).items()
}
"""All options of the family by key, in the order in which a person reads them."""


def parse_value(spec: OptionSpec, text: str) -> OptionValue:
    """The typed value that `text` stands for; ValueError when it stands for none."""
    match spec.kind:
        case OptionKind.INTEGER:
            return _parse_integer(text)
        case OptionKind.BOOLEAN:
            if text not in ("true", "false"):
                raise ValueError(f"{text[:40]!r} is neither true nor false")
            return text == "true"
        case OptionKind.CHOICE:
            assert spec.choices is not None
            return spec.choices(text)
        case OptionKind.RANKS:
            return _parse_distinct_ranks(text)
        case OptionKind.TABLE:
            return tuple(_parse_pair(pair) for pair in text.split())


def format_value(value: OptionValue) -> str:
    """Inverse of `parse_value`."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Enum) and not isinstance(value, int):
        return str(value.value)
    if isinstance(value, tuple):
        return " ".join([_format_element(element) for element in value])
    return str(value)


def _format_element(element: Rank | tuple[int, int]) -> str:
    if isinstance(element, tuple):
        return f"{element[0]}:{element[1]}"
    return format_ranks((element,))


def _parse_integer(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= 6):
        raise ValueError(f"{text[:40]!r} is no whole number from 0 to 999999")
    return int(text)


def _parse_distinct_ranks(text: str) -> Ranks:
    ranks = parse_ranks(text)
    if len(set(ranks)) != len(ranks):
        raise NotationError(f"{text[:60]!r} names a rank twice")
    return ranks


def _parse_pair(text: str) -> tuple[int, int]:
    size, separator, multiplier = text.partition(":")
    if not separator:
        raise ValueError(f"{text[:40]!r} is not size:multiplier")
    return _parse_integer(size), _parse_integer(multiplier)


def contradictions(options: ClimbingOptions) -> list[str]:
    """Why these options cannot be played together; empty when they can."""
    order = options.rank_order
    ranks = set(Rank) if options.jokers else set(Rank) - JOKERS
    cards = options.decks * (54 if options.jokers else 52)
    run = options.run_ranks
    at = order.index(run[0]) if run and run[0] in order else 0
    checks = (
        (set(order) == ranks, "rank_order must name every rank of the deck once"),
        (order[at : at + len(run)] == run, "run_ranks must be neighbours in rank_order"),
        (0 < options.hand_size * 4 <= cards, f"hand_size times 4 must be 4 to {cards}"),
        (1 <= options.decks <= 3, "decks must be 1 to 3"),
        (4 <= options.min_bomb <= options.max_bomb, "min_bomb must be at least 4 and at most max_bomb"),
    )
    return [message for holds, message in checks if not holds]
