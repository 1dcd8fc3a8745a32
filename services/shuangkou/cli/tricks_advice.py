"""What the rules of trick-taking games refuse, as sentences for the player."""

from __future__ import annotations

from typing import Final

from shuangkou.cli.words import Words

SENTENCES: Final = {
    "tricks/no_cards": Words("play at least one card", "至少出一张"),
    "tricks/mixed_suits": Words("what you lead must be of one suit; trumps are one", "首出须为同一门"),
    "tricks/no_throws": Words("this game knows no throws; lead one unit", "不可甩牌"),
    "tricks/wrong_card_count": Words("play as many cards as were led", "张数与首出不同"),
    "tricks/must_follow_suit": Words("you must follow suit; legal lists what you may play", "须跟同门"),
    "tricks/must_follow_tractor": Words("you must follow with the tractor you hold", "有拖拉机须跟拖拉机"),
    "tricks/must_follow_quad": Words("you must follow with the four of a kind you hold", "有四张须跟四张"),
    "tricks/must_follow_triple": Words("you must follow with the three of a kind you hold", "有三张须跟三张"),
    "tricks/must_follow_pair": Words("you must follow with the pairs you hold", "有对须跟对"),
    "tricks/must_follow_high": Words("you must give your highest cards of the suit", "须跟最大的牌"),
    "tricks/no_such_show": Words("{cards} cannot be shown for trump; legal lists what can", "不能这样亮主"),
    "tricks/show_too_low": Words("{cards} does not overturn what stands", "反不过"),
    "tricks/shown_before": Words("that was shown before in this deal", "已亮过"),
    "tricks/own_show": Words("your own show stands; you cannot overturn yourself", "不能反自己"),
    "tricks/joker_colour": Words("the joker must have the colour of the suit", "王与花色须同色"),
    "tricks/declarer_side_first": Words("only the declaring side may show now", "现在只有庄家方可亮主"),
    "tricks/declarer_waits": Words("you may overturn after somebody else has", "须在他人反主之后"),
    "tricks/no_overturn_now": Words("nothing can be overturned now", "现在不能反主"),
    "tricks/trump_locked": Words("the trump is locked", "主已定，不能再反"),
    "tricks/trump_final": Words("the trump stands for this deal", "主已定"),
    "tricks/wrong_return": Words("say which two cards go back: declare 8h 8h back 3s 4d", "须还两张牌"),
    "tricks/wrong_kitty_size": Words("bury {kitty} cards, no more and no less", "须扣{kitty}张"),
    "tricks/shown_stays": Words("{cards} was shown for trump and stays in your hand", "亮过的牌不能扣底"),
    "tricks/no_such_choice": Words("choose one of the shapes that legal lists", "请从所列牌型中选"),
}
"""By code, in both languages; ``cards`` are those refused."""
