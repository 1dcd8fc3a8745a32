"""One deal as everybody saw it: docs/rules/climbing.md from the deal to the settlement, byte for byte.

A change of the file needs a reason in its commit message. To write it anew from the root of the
repository: PYTHONPATH=services:tests python tests/rules/test_golden.py
"""

from collections.abc import Iterator
from pathlib import Path

import pytest

from kit.climbing_transcript import transcript
from shuangkou.rules.climbing.combinations import Kind
from shuangkou.rules.climbing.options import (
    Beating,
    ClimbingOptions,
    DealEnd,
    KittyUse,
    LaterLead,
    Phase,
    SuitRule,
    TrickEnd,
)
from shuangkou.rules.ruleset import available, load

GOLDEN = Path(__file__).parent / "golden"
SEEDS = {
    "activity54": 146,
    "baibian": 1026,
    "bid52": 290,
    "classic52": 94,
    "classic54": 40,
    "deluxe108": 7,
    "duel52": 61,
    "easy52": 33,
    "five5": 864,
    "jipai": 28,
    "jj": 1026,
    "landlord52": 280,
    "qq": 2381,
    "wenzhou": 4509,
    "zsy": 242,
}
"""Chosen for their stories: see `story_of`."""


PHASE_STORIES = {
    Phase.BURY: ("扣底", "ways to bury"),
    Phase.DECLARE: ("叫牌", "不叫"),
    Phase.AUCTION: ("叫地主", "抢地主"),
    Phase.TAKE: ("拿底牌", "the phase take began"),
    Phase.EXCHANGE: ("换牌", "acts before play"),
    Phase.MARK: ("提分", "mark"),
    Phase.PLAY: ("legal plays", "trick to", "the deal is settled"),
}
KITTY_STORIES = {
    KittyUse.UNSEEN: (),
    KittyUse.TAKEN: ("拿底", "扣底"),
    KittyUse.DRAWN: ("摸底",),
    KittyUse.SHOWN: ("亮底",),
    KittyUse.CHOSEN: ("拿底牌", "kitty"),
    KittyUse.STOCK: ("换牌", "discarded"),
}


def seed_of(id: str) -> bytes:
    return SEEDS[id].to_bytes(32, "big")


def story_of(options: ClimbingOptions) -> Iterator[str]:
    """What must happen in the golden deal of a ruleset with these options."""
    if options.min_bomb:
        yield "炸弹"
    for phase in options.phases:
        yield from PHASE_STORIES[phase]
    if options.discards:
        yield from ("贴牌", "翻倍")
    if options.deal_end in (DealEnd.SIDE_OUT, DealEnd.THREE_OUT) and options.trick_end is TrickEnd.ALL_PASSED:
        yield "接风"
    if options.deal_end is DealEnd.SIDE_OUT and options.trick_end is TrickEnd.ALL_PASSED:
        yield "扣"
    yield from KITTY_STORIES[options.kitty_use]
    if SuitRule.FLUSHES in options.suits:
        yield from ("同花", "两对")
    if Kind.SET in options.extra_kinds:
        yield "同张 炸弹"
    if options.beating is Beating.EQUAL_OR_HIGHER:
        yield "同点"
    if options.wild:
        yield "财神"
    if options.later_lead is LaterLead.FACE_CARD:
        yield from ("明牌", "换位")
    if options.open_partner_hands:
        yield "双明"
    if options.contributions:
        yield "贡献分"
    if options.group_stars:
        yield "不相连"


def test_every_ruleset_has_a_golden_deal() -> None:
    assert set(SEEDS) == set(available("climbing"))


@pytest.mark.parametrize("id", sorted(SEEDS))
def test_a_deal_is_told_as_recorded(id: str) -> None:
    recorded = (GOLDEN / f"{id}.txt").read_bytes()
    assert transcript(load(id), seed_of(id)).encode() == recorded
    assert recorded.count(b"\n") <= 150
    for word in story_of(load(id).options):
        assert word.encode() in recorded


if __name__ == "__main__":
    for id in SEEDS:
        (GOLDEN / f"{id}.txt").write_text(transcript(load(id), seed_of(id)), "utf-8")
