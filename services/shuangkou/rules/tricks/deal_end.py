"""The levels after a deal, and whether it won the match: hats and hooks (§10.1 to §10.5)."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from shuangkou.rules.cards import Card
from shuangkou.rules.tricks.ladder import advance
from shuangkou.rules.tricks.level_tables import Gain
from shuangkou.rules.tricks.options import Level, MatchEnd, TricksOptions


class Role(Enum):
    """What a side was in a deal: that of the declarer (庄家方), or the one that takes points (抓分方)."""

    DECLARERS = "declarers"
    ATTACKERS = "attackers"


class Feat(Enum):
    """What the last trick of a deal decided beside the points."""

    HAT = "hat"
    HOOK = "hook"
    REVERSE_HAT = "reverse_hat"

    @property
    def name_zh(self) -> str:
        """戴帽, 钩到底 or 反戴帽."""
        return _NAMES_ZH[self]


_NAMES_ZH: dict[Feat, str] = {Feat.HAT: "戴帽", Feat.HOOK: "钩到底", Feat.REVERSE_HAT: "反戴帽"}


@dataclass(frozen=True, slots=True)
class LevelsBefore:
    """Where the sides of a deal stand while it is played."""

    declarers: Level
    attackers: Level


@dataclass(frozen=True, slots=True)
class LastTrick:
    """Who won the last trick of a deal, and with which cards."""

    winner: Role
    cards: Sequence[Card]


@dataclass(frozen=True, slots=True)
class DealEnd:
    """Where the sides of the deal stand after it. winner: of the match, None while it goes on."""

    declarers: Level
    attackers: Level
    winner: Role | None = None
    feat: Feat | None = None


def deal_end(
    options: TricksOptions, levels: LevelsBefore, score: int, earned: Gain, last: LastTrick
) -> DealEnd:
    """The levels after a deal of this score that earned this (§8.4); hats and hooks come first (§10.3)."""
    if _wears_hat(options, levels, earned, last):
        return DealEnd(levels.declarers, levels.attackers, Role.DECLARERS, Feat.HAT)
    attackers = advance(options, levels.attackers, earned.attackers_up, as_declarers=False)
    winner = Role.ATTACKERS if attackers.is_won else None
    if not _is_hook(options, levels, score, last):
        declarers = advance(options, levels.declarers, earned.declarers_up, as_declarers=True)
        winner = Role.DECLARERS if declarers.is_won else winner
        return DealEnd(declarers.level, attackers.level, winner)
    if levels.declarers is levels.attackers is options.ladder[-1]:
        return DealEnd(levels.declarers, levels.attackers, Role.ATTACKERS, Feat.REVERSE_HAT)
    fallen = options.hook_falls[options.hook_levels.index(levels.declarers)]
    return DealEnd(fallen, attackers.level, winner, Feat.HOOK)


def _wears_hat(options: TricksOptions, levels: LevelsBefore, earned: Gain, last: LastTrick) -> bool:
    """§10.3; only declarers on the last level, and only in a deal that they hold."""
    quantifier = {MatchEnd.HAT_ANY: any, MatchEnd.HAT_ALL: all}.get(options.match_end)
    may_be_worn = not earned.deal_passes and levels.declarers is options.ladder[-1]
    if quantifier is None or not may_be_worn or last.winner is not Role.DECLARERS:
        return False
    return quantifier(card.rank is levels.declarers.rank for card in last.cards)


def _is_hook(options: TricksOptions, levels: LevelsBefore, score: int, last: LastTrick) -> bool:
    """§10.4."""
    can_be_hooked = levels.declarers in options.hook_levels and score >= options.hook_points
    is_level_play = all(card.rank is levels.declarers.rank for card in last.cards)
    return can_be_hooked and last.winner is Role.ATTACKERS and is_level_play
