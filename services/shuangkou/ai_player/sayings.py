"""What personas say at a table: preset lines, each with its occasion, none that hurts.

Nobody sends them. They follow from the public events, so that every client can show them, or leave them out.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum


class Occasion(StrEnum):
    """When a persona says something; as in ai.proto."""

    BOMBS = "bombs"
    IS_BOMBED = "is_bombed"
    IS_BEATEN_BY_PARTNER = "is_beaten_by_partner"
    PARTNER_GOES_OUT = "partner_goes_out"
    WINS = "wins"
    LOSES = "loses"


@dataclass(frozen=True, slots=True)
class Saying:
    """A line in both languages."""

    occasion: Occasion
    en: str
    zh: str


SAYINGS: Mapping[str, tuple[Saying, ...]] = {
    "plain": (
        Saying(Occasion.IS_BOMBED, "Well, that was yours.", "这手你厉害。"),
        Saying(Occasion.IS_BEATEN_BY_PARTNER, "Never mind, go on.", "没事，你来。"),
        Saying(Occasion.PARTNER_GOES_OUT, "Well done, partner!", "对家好样的！"),
        Saying(Occasion.WINS, "Good game, all of you.", "大家打得都好。"),
        Saying(Occasion.LOSES, "The next one is ours.", "下一局再来。"),
    ),
    "carefree": (
        Saying(Occasion.BOMBS, "Boom! That was fun.", "炸一个，图个热闹！"),
        Saying(Occasion.BOMBS, "What else are bombs for?", "有炸不炸，留着干嘛？"),
        Saying(Occasion.IS_BOMBED, "Ha, what a bang!", "哈哈，好响！"),
        Saying(Occasion.PARTNER_GOES_OUT, "Off you go!", "走好走好！"),
        Saying(Occasion.WINS, "Oh, we won? Lovely.", "咦，赢啦？真好。"),
        Saying(Occasion.LOSES, "Lost again, and who minds?", "输就输呗，开心就好。"),
    ),
    # 传统型 and 老手型 are silent at the table.
    "steady": (),
    "veteran": (),
    "critic": (
        Saying(Occasion.BOMBS, "Now was the time for it.", "这时候才该炸。"),
        Saying(
            Occasion.IS_BEATEN_BY_PARTNER, "Partner, that trick was mine already.", "对家，这墩本来就是我的。"
        ),
        Saying(Occasion.IS_BEATEN_BY_PARTNER, "Count the cards, partner.", "对家，记一下牌嘛。"),
        Saying(Occasion.WINS, "As I had reckoned.", "跟我算的一样。"),
        Saying(Occasion.LOSES, "With another lead we win this.", "换个出法就赢了。"),
    ),
    "tilt": (
        Saying(Occasion.BOMBS, "Take that!", "吃我一炸！"),
        Saying(Occasion.BOMBS, "Not this time!", "想得美！"),
        Saying(Occasion.IS_BOMBED, "You will get that back!", "你等着！"),
        Saying(Occasion.IS_BOMBED, "Always me...", "怎么老炸我……"),
        Saying(Occasion.WINS, "At last!", "总算出了口气！"),
        Saying(Occasion.LOSES, "One more. I am not done with you.", "再来！我就不信了。"),
    ),
}
"""By persona."""
