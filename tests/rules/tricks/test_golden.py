"""Deals as everybody saw them: docs/rules/tricks.md from the first card to the settlement, byte for byte.

A change of a file needs a reason in its commit message. To write them anew from the root of the
repository: PYTHONPATH=services:tests python tests/rules/tricks/test_golden.py
"""

from collections.abc import Iterator
from pathlib import Path

import pytest

from kit.tricks_stories import STORIES
from kit.tricks_transcript import transcript
from shuangkou.rules.ruleset import available, load
from shuangkou.rules.tricks.auction import TWIN_LOCKS
from shuangkou.rules.tricks.options import (
    Declare,
    KittyMultiplier,
    MatchEnd,
    MovesDeal,
    NobodyDeclares,
    Rotation,
    TricksOptions,
    Window,
)

GOLDEN = Path(__file__).parent / "golden"


def words_of(options: TricksOptions) -> Iterator[str]:
    """What must happen in the golden deals of a ruleset with these options."""
    yield from ("摸牌", "亮主", "定主", "score")
    if options.rotation is not Rotation.FIXED:
        yield "坐庄"
    yield from _of_declaring(options)
    if options.kitty:
        yield from ("拿底", "扣底")
    if options.kitty_multiplier is not KittyMultiplier.NONE:
        yield "抠底"
    if options.throws:
        yield "甩牌失败"
    if options.opponents_choose:
        yield "指定"
    if options.throw_fine:
        yield ", fine"
    if options.throw_costs_stake:
        yield ", coins [-"
    if options.match_end in (MatchEnd.HAT_ANY, MatchEnd.HAT_ALL):
        yield "戴帽"
    if options.hook_levels:
        yield "钩到底"


def _of_declaring(options: TricksOptions) -> Iterator[str]:
    has_pairs = options.decks > 1
    if options.overturn and has_pairs:
        yield "反主"
    if options.declare is Declare.ANY_PAIR:
        yield from ("压", "returns")
    if options.is_face_down:
        yield from ("暗", "turned up")
    if options.lock in TWIN_LOCKS:
        yield "加固"
    if Window.AFTER in (*options.first_window, *options.later_window):
        yield "after the bury"
    if options.stir:
        yield "炒底"
    if options.moves_deal is not MovesDeal.NEVER or options.declarer_side_first:
        yield "夺庄"
    is_redealt = options.nobody_declares in (NobodyDeclares.REDEAL, NobodyDeclares.LEVEL_OR_REDEAL)
    yield from ("void: redeal",) if is_redealt else ("翻底",)


def test_every_ruleset_has_a_golden_deal() -> None:
    assert {story.ruleset.id for story in STORIES.values()} == set(available("tricks"))
    assert {path.stem for path in GOLDEN.glob("*.txt")} == set(STORIES)


@pytest.mark.parametrize("name", sorted(STORIES))
def test_a_deal_is_told_as_recorded(name: str) -> None:
    recorded = (GOLDEN / f"{name}.txt").read_bytes()
    assert transcript(STORIES[name]).encode() == recorded
    assert recorded.count(b"\n") <= 150


@pytest.mark.parametrize("id", available("tricks"))
def test_every_special_phase_is_told(id: str) -> None:
    names = [name for name, story in STORIES.items() if story.ruleset.id == id]
    text = "".join((GOLDEN / f"{name}.txt").read_text("utf-8") for name in names)
    assert [word for word in words_of(load(id).options) if word not in text] == []


if __name__ == "__main__":
    GOLDEN.mkdir(exist_ok=True)
    for name, story in STORIES.items():
        (GOLDEN / f"{name}.txt").write_text(transcript(story), "utf-8")
