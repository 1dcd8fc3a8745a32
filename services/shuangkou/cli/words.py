"""The game's words in English and 中文: seats, places, combinations, results."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from shuangkou.cli.faces import rank_symbol
from shuangkou.rules import ruleset
from shuangkou.rules.cards import Rank
from shuangkou.rules.climbing.options import BombOrder, ClimbingOptions, Phase, Sides
from shuangkou.rules.tricks.options import TricksOptions
from shuangkou.v1 import events_pb2, table_pb2
from shuangkou.wire.climbing.events import PHASES

PlayMessage = events_pb2.CardsPlayed | table_pb2.Play | table_pb2.LegalPlay
"""Messages that say what cards are."""


@dataclass(frozen=True, slots=True)
class Words:
    """One thing said in both languages."""

    en: str
    zh: str

    def __str__(self) -> str:
        return f"{self.en} {self.zh}" if self.zh else self.en


SEATS: Final = (Words("East", "东"), Words("South", "南"), Words("West", "西"), Words("North", "北"))
"""Seat names in turn order, so that partners sit opposite: East and West, South and North."""

PLACES: Final = (
    Words("first", "头游"),
    Words("second", "二游"),
    Words("third", "三游"),
    Words("fourth", "末游"),
)
"""Places 1 to 4 of a finish order."""

RESULTS: Final = {
    events_pb2.DEAL_RESULT_DOUBLE: Words("double", "双扣"),
    events_pb2.DEAL_RESULT_SINGLE: Words("single", "单扣"),
    events_pb2.DEAL_RESULT_DRAW: Words("draw", "平扣"),
    events_pb2.DEAL_RESULT_WIN: Words("win", "胜"),
}

BOMBS: Final = frozenset(
    (
        events_pb2.COMBINATION_KIND_BOMB,
        events_pb2.COMBINATION_KIND_CHAIN_BOMB,
        events_pb2.COMBINATION_KIND_JOKER_BOMB,
        events_pb2.COMBINATION_KIND_BOMB_JOKERS,
    )
)

_NUMBERS: Final = (
    *("no", "one", "two", "three", "four", "five", "six"),
    *("seven", "eight", "nine", "ten", "eleven", "twelve"),
)
_NUMBERS_ZH: Final = "零一二三四五六七八九十"
_RANK_WORDS = {
    Rank.JACK: Words("jack", "J"),
    Rank.QUEEN: Words("queen", "Q"),
    Rank.KING: Words("king", "K"),
    Rank.ACE: Words("ace", "A"),
    Rank.SMALL_JOKER: Words("small joker", "小王"),
    Rank.BIG_JOKER: Words("big joker", "大王"),
}


VOID_REASONS: Final = {
    events_pb2.VOID_REASON_REDEAL: Words("all wanted to deal anew", "全体要求重发"),
    events_pb2.VOID_REASON_ALL_PASSED: Words("nobody would be the landlord", "全不叫"),
    events_pb2.VOID_REASON_TIME_UP: Words("the time is over", "时间到"),
}
DEAL_PHASES: Final = {
    events_pb2.DEAL_PHASE_PLAY: Words("play", "出牌"),
    events_pb2.DEAL_PHASE_BURY: Words("bury", "扣底"),
    events_pb2.DEAL_PHASE_DECLARE: Words("declare", "叫牌"),
    events_pb2.DEAL_PHASE_AUCTION: Words("auction", "叫地主"),
    events_pb2.DEAL_PHASE_TAKE: Words("take from the kitty", "拿底牌"),
    events_pb2.DEAL_PHASE_EXCHANGE: Words("exchange", "换牌"),
    events_pb2.DEAL_PHASE_MARK: Words("mark", "提分"),
    events_pb2.DEAL_PHASE_DRAW: Words("draw", "摸牌"),
    events_pb2.DEAL_PHASE_CLOSING: Words("last call for trump", "补亮"),
    events_pb2.DEAL_PHASE_POST: Words("overturn after the bury", "反主"),
    events_pb2.DEAL_PHASE_NAME_SHAPE: Words("choose what the throw leads", "指定甩牌"),
}


def side_words(side: int) -> str:
    """Both seats of a side."""
    return f"{SEATS[side]} and {SEATS[side + 2]}"


def void_words(voided: events_pb2.DealVoided) -> Words:
    """Why a deal does not count. In some games the first who leaves ends it, in others the second."""
    reason = voided.reason
    if reason == events_pb2.VOID_REASON_FORFEITS:
        is_first = len(voided.forfeited) == 1
        return Words("a player left", "一人逃跑") if is_first else Words("a second player left", "两人逃跑")
    return VOID_REASONS.get(reason, Words("no result", "流局"))


def phase_words(phase: events_pb2.DealPhase.ValueType) -> Words:
    """What a deal has come to."""
    return DEAL_PHASES.get(phase, Words("the next part of the deal", "下一阶段"))


_NOTHING: Final[Mapping[str, str]] = {}
STARS: Final = Words("stars", "星")
_PHASES: Final = Words("phases", "相")


def stars_of(ruleset_id: str) -> Words:
    """What a ruleset calls the classes of its bombs."""
    options = options_of(ruleset_id)
    return _PHASES if options is not None and options.bomb_order is BombOrder.PHASES else STARS


def has_partners(ruleset_id: str) -> bool:
    """Whether seats that sit opposite play for each other."""
    options = options_of(ruleset_id)
    return options is None or options.sides is Sides.PARTNERS


def first_phase_words(ruleset_id: str) -> Words | None:
    """What a deal begins with; None when that is the play."""
    options = options_of(ruleset_id)
    if options is None or options.phases[0] is Phase.PLAY:
        return None
    return phase_words(PHASES.to_wire(options.phases[0]))


def options_of(ruleset_id: str, chosen: Mapping[str, str] = _NOTHING) -> ClimbingOptions | None:
    """What a climbing table plays by, with what it has chosen; None for any other table."""
    options = any_options_of(ruleset_id, chosen)
    return options if isinstance(options, ClimbingOptions) else None


def any_options_of(
    ruleset_id: str, chosen: Mapping[str, str] = _NOTHING
) -> ClimbingOptions | TricksOptions | None:
    """What a table plays by, with what it has chosen; None where this program does not know the ruleset."""
    try:
        options: ClimbingOptions | TricksOptions = ruleset.load(ruleset_id).with_options(chosen).options
    except ruleset.RuleSetError:
        return None
    return options


def tricks_options_of(ruleset_id: str, chosen: Mapping[str, str] = _NOTHING) -> TricksOptions | None:
    """What a trick-taking table plays by, with what it has chosen; None for any other table."""
    options = any_options_of(ruleset_id, chosen)
    return options if isinstance(options, TricksOptions) else None


FORCED: Final = " · what was left to lead of the throw 甩牌失败强出"
"""Said of cards that are led instead of a throw that failed."""
DISCARDED: Final = " · discarded 贴牌"
"""Said of cards that do not beat the top play."""


def play_words(played: PlayMessage, stars: Words = STARS) -> str:
    """What a play is, how many stars it has, and what wild cards stand for; empty where it has no name."""
    if not played.HasField("combination"):
        return ""
    said = [str(combination_words(played.combination))]
    count = played.combination.stars
    if count:
        said.append(f"{count} {stars.en} {count}{stars.zh}")
    if played.wild_as:
        ranks = [rank_symbol(Rank(rank)) for rank in played.wild_as]
        said.append(f"{', '.join(f'BJ as {rank}' for rank in ranks)} 大王作{'、'.join(ranks)}")
    return " · ".join(said)


def result_words(result: events_pb2.DealResult.ValueType) -> Words:
    """`double 双扣`."""
    return RESULTS.get(result, Words("settled", "结算"))


def combination_words(combination: events_pb2.Combination) -> Words:
    """What a play is called, for example `pair of 7s` and `对7`."""
    kind = combination.kind
    if kind in _OF_ONE_RANK:
        return _of_one_rank(combination)
    if kind in _RUNS:
        return _run(combination)
    return _SPECIAL.get(kind, Words("play", "出牌"))


_OF_ONE_RANK = frozenset(
    (
        events_pb2.COMBINATION_KIND_SINGLE,
        events_pb2.COMBINATION_KIND_PAIR,
        events_pb2.COMBINATION_KIND_TRIPLE,
        events_pb2.COMBINATION_KIND_BOMB,
        events_pb2.COMBINATION_KIND_SET,
    )
)
_RUNS = {
    events_pb2.COMBINATION_KIND_STRAIGHT: Words("straight {low} to {top} ({size} cards)", "顺子{low}到{top}"),
    events_pb2.COMBINATION_KIND_CONSECUTIVE_PAIRS: Words(
        "consecutive pairs {low} to {top}", "连对{low}到{top}"
    ),
    events_pb2.COMBINATION_KIND_CONSECUTIVE_TRIPLES: Words(
        "consecutive triples {low} to {top}", "连三张{low}到{top}"
    ),
    events_pb2.COMBINATION_KIND_CHAIN_BOMB: Words(
        "chain bomb {low} to {top} ({size} cards)", "{zh}连炸{low}到{top}"
    ),
    events_pb2.COMBINATION_KIND_FLUSH: Words("flush of {size} cards up to {top}", "{size}张同花到{top}"),
    events_pb2.COMBINATION_KIND_STRAIGHT_FLUSH: Words(
        "straight flush {low} to {top} ({size} cards)", "同花顺{low}到{top}"
    ),
}
_SPECIAL = {
    events_pb2.COMBINATION_KIND_JOKER_BOMB: Words("joker bomb", "王炸"),
    events_pb2.COMBINATION_KIND_BOMB_JOKERS: Words("bomb topped with jokers", "带王炸弹"),
    events_pb2.COMBINATION_KIND_TWO_PAIR: Words("two pairs", "两对"),
    events_pb2.COMBINATION_KIND_QUAD2: Words("four with two", "四带二"),
    events_pb2.COMBINATION_KIND_TRIPLE1: Words("three with one", "三带一"),
}


def _of_one_rank(combination: events_pb2.Combination) -> Words:
    rank = Rank(combination.rank)
    one = _RANK_WORDS.get(rank, Words(rank_symbol(rank), rank_symbol(rank)))
    many = f"{one.en}s"
    size = _english(combination.size)
    size_zh = _chinese(combination.size)
    names = {
        events_pb2.COMBINATION_KIND_SINGLE: Words(f"single {one.en}", f"单张{one.zh}"),
        events_pb2.COMBINATION_KIND_PAIR: Words(f"pair of {many}", f"对{one.zh}"),
        events_pb2.COMBINATION_KIND_TRIPLE: Words(f"three {many}", f"三张{one.zh}"),
        events_pb2.COMBINATION_KIND_BOMB: Words(
            f"bomb of {size} {many}", f"{size_zh.replace('两', '二')}张{one.zh}炸弹"
        ),
        events_pb2.COMBINATION_KIND_SET: Words(f"{size} {many}", f"{size_zh}张{one.zh}"),
    }
    return names[combination.kind]


def _run(combination: events_pb2.Combination) -> Words:
    pattern = _RUNS[combination.kind]
    length = combination.length
    said = {
        "low": rank_symbol(_lowest(Rank(combination.rank), length)),
        "top": rank_symbol(Rank(combination.rank)),
        "size": str(combination.size),
        "zh": _chinese(length),
    }
    return Words(pattern.en.format(**said), pattern.zh.format(**said))


def _lowest(top: Rank, length: int) -> Rank:
    """Where a run begins; ranks go round, so that A to 5 and J to 2 are runs of five, too."""
    return Rank((top - Rank.TWO - (length - 1)) % (Rank.ACE - Rank.TWO + 1) + Rank.TWO)


def _english(number: int) -> str:
    return _NUMBERS[number] if number < len(_NUMBERS) else str(number)


def _chinese(number: int) -> str:
    if number <= 10:
        return _NUMBERS_ZH[number]
    return f"十{_NUMBERS_ZH[number - 10]}" if number < 20 else str(number)
