"""The golden deals of the trick-taking family, chosen for what happens in them: `words_of` in their test."""

from kit.tricks_transcript import Story
from shuangkou.rules.ruleset import TricksRuleSet, available, load
from shuangkou.rules.seats import Seat, Side
from shuangkou.rules.tricks.events import SideLevels
from shuangkou.rules.tricks.options import Level, Rotation, TricksOptions
from shuangkou.rules.tricks.view import Standing


def later(options: TricksOptions, levels: SideLevels | None = None) -> Standing:
    """After three deals, seat 2 to deal where that is free. levels: else on the fourth and fifth rung."""
    is_free = options.rotation in (Rotation.PARTNER_OR_NEXT, Rotation.SAME_OR_NEXT)
    fourth, fifth = options.ladder[3:5] if options.ladder else (None, None)
    return Standing(
        deals_played=3,
        levels=(fourth, fifth) if levels is None else levels,
        reached_in=(2, 3) if is_free else (0, 0),
        declarer=Seat(2) if is_free else None,
        last_first=Seat(1),
        first_attackers=Side(0) if options.rotation is Rotation.ROLES_ALTERNATE else None,
    )


_FIRST = {
    "capped60": 3,
    "eight_deals": 2,
    "fanzhu": 49,
    "hook60": 2,
    "levels57": 9,
    "multi1": 1,
    "multi2": 4,
    "multi3": 1,
    "notrump_final": 4,
    "sheng30": 55,
    "sheng_basic": 4,
    "sheng_joker": 3,
    "sheng_nokitty4": 1,
    "sheng_online": 59,
    "sheng_super": 59,
    "single54": 1,
    "sixteen_deals": 34,
    "staff25": 59,
    "tian5": 1,
}
"""The first deal of a match, by the number of its seed."""

_LATER = {
    "eight_deals": 2,
    "levels57": 1,
    "sheng30": 6,
    "sheng_joker": 2,
    "sheng_online": 1,
    "sheng_super": 1,
    "staff25": 6,
    "tian5": 1,
}
"""The fourth deal, where that is declared or led in another way."""

_QUIET: dict[str, int] = dict.fromkeys(available("tricks"), 7) | {"sheng_joker": 1}
"""A first deal that nobody declares, up to its first lead."""

_AT_THE_TOP: dict[str, tuple[str, SideLevels, int]] = {
    "capped60_hat": ("capped60", (Level.ACE, Level.SEVEN), 13),
    "hook60_hat": ("hook60", (Level.ACE, Level.SIX), 7),
    "hook60_hook": ("hook60", (Level.JACK, Level.SIX), 8),
    "hook60_reverse_hat": ("hook60", (Level.ACE, Level.ACE), 2),
    "notrump_final_final": ("notrump_final", (Level.NO_TRUMP, Level.ACE), 4),
}
"""Deals with hats and hooks, and the level without level cards."""


def _seed(number: int) -> bytes:
    return number.to_bytes(32, "big")


def _stories() -> dict[str, Story]:
    rows: dict[str, TricksRuleSet] = {id: load(id) for id in available("tricks")}
    stories = {id: Story(rows[id], _seed(number)) for id, number in _FIRST.items()}
    for id, number in _LATER.items():
        stories[f"{id}_later"] = Story(rows[id], _seed(number), later(rows[id].options))
    for id, number in _QUIET.items():
        stories[f"{id}_quiet"] = Story(rows[id], _seed(number), is_quiet=True)
    for name, (id, levels, number) in _AT_THE_TOP.items():
        stories[name] = Story(rows[id], _seed(number), later(rows[id].options, levels))
    return stories


STORIES: dict[str, Story] = _stories()
