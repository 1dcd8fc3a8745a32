"""What happens in trick-taking games, in English and 中文; none of it tells a hidden card."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Final

from rich.text import Text

from shuangkou.cli.faces import card_row
from shuangkou.cli.words import SEATS, Words, side_words
from shuangkou.rules.tricks.options import Rotation, TricksOptions
from shuangkou.rules.tricks.point_cards import points_of
from shuangkou.v1 import tricks_pb2
from shuangkou.wire.cards import cards_from_wire

TRUMPS: Final = {
    tricks_pb2.TRUMP_SPADES: Words("♠ spades", "黑桃"),
    tricks_pb2.TRUMP_HEARTS: Words("♥ hearts", "红桃"),
    tricks_pb2.TRUMP_CLUBS: Words("♣ clubs", "梅花"),
    tricks_pb2.TRUMP_DIAMONDS: Words("♦ diamonds", "方块"),
    tricks_pb2.TRUMP_NONE: Words("no trump suit", "无主"),
}
FEATS: Final = {
    tricks_pb2.FEAT_HAT: Words("hat", "戴帽"),
    tricks_pb2.FEAT_HOOK: Words("hook", "钩到底"),
    tricks_pb2.FEAT_REVERSE_HAT: Words("reverse hat", "反戴帽"),
}
_SHOWS = {
    tricks_pb2.SHOW_KIND_DECLARE: Words("declares", "亮主"),
    tricks_pb2.SHOW_KIND_REINFORCE: Words("locks the trump", "加固"),
    tricks_pb2.SHOW_KIND_OVERTURN: Words("overturns", "反主"),
}
_DECIDED_BY = {
    tricks_pb2.DECIDED_BY_LEVEL: Words("by level", "打过"),
    tricks_pb2.DECIDED_BY_FEAT: Words("with a hat", "戴帽"),
    tricks_pb2.DECIDED_BY_DEALS: Words("after the last deal", "打满"),
    tricks_pb2.DECIDED_BY_TIME: Words("for the time is over", "时间到"),
    tricks_pb2.DECIDED_BY_FORFEIT: Words("for a player left", "逃跑"),
}
_HIGH_LEVELS = {11: "J", 12: "Q", 13: "K", 14: "A"}


def trump_words(trump: tricks_pb2.Trump.ValueType) -> Words:
    """`♥ hearts 红桃`."""
    return TRUMPS.get(trump, Words("not known", "未定"))


def level_words(level: tricks_pb2.Level.ValueType) -> Words:
    """`level 5 打5`."""
    if level == tricks_pb2.LEVEL_UNSPECIFIED:
        return Words("no level", "无级")
    if level == tricks_pb2.LEVEL_NO_TRUMP:
        return Words("the no-trump level", "打无主")
    text = _HIGH_LEVELS.get(level, str(level))
    return Words(f"level {text}", f"打{text}")


def shape_words(shape: tricks_pb2.Shape) -> Words:
    """What a unit is called."""
    sets = {1: Words("single", "单张"), 2: Words("pair", "对子"), 3: Words("triple", "三张")}
    one = sets.get(shape.copies, Words(f"{shape.copies} equal cards", f"{shape.copies}张同牌"))
    return one if shape.length == 1 else Words(f"tractor of {shape.length}", f"{shape.length}连拖拉机")


def _cards(cards: Iterable[int]) -> str:
    return card_row(cards_from_wire(cards), suited=True).plain or "–"


def _declared(event: tricks_pb2.TrumpDeclared) -> str:
    what = f"{event.size} face down 暗叫" if event.is_face_down else _cards(event.cards)
    return f"{_SHOWS.get(event.kind, Words('shows', '亮'))} {what}"


def _failed(event: tricks_pb2.ThrowFailed) -> str:
    fine = f"; fine 罚 {event.fine} points {event.fine}分" if event.fine else ""
    verb = "is" if len(event.blocked) == 1 else "are"
    return f"cannot throw 甩牌失败 {_cards(event.cards)}: {_cards(event.blocked)} {verb} stopped 被挡{fine}"


def _captured(event: tricks_pb2.KittyCaptured, options: TricksOptions | None) -> str:
    """In games without a kitty it is the last trick that counts more (§7.5)."""
    worth = points_of(cards_from_wire(event.cards))
    if options is not None and not options.kitty:
        return (
            f"wins the last trick 末墩 {_cards(event.cards)}: its {worth} points count × {event.multiplier},"
            f" +{event.points} on top 另加{event.points}分"
        )
    product = f"{worth} points × {event.multiplier}"
    return f"captures the kitty 抠底 {_cards(event.cards)}: {product}, +{event.points} {event.points}分"


def _named(event: tricks_pb2.DeclarerNamed, options: TricksOptions | None) -> str:
    """Where roles alternate nobody is the declarer: a holder leads (§9.3)."""
    attackers = side_words(1 - event.seat % 2)
    if options is not None and options.rotation is Rotation.ROLES_ALTERNATE:
        return f"leads for the holders 守方首出; {attackers} attack 抓分"
    level = f" at {level_words(event.level)}" if event.level else ""
    return f"is the declarer 庄家{level}; {attackers} attack 抓分"


SEAT_WORDS: Final[dict[str, Callable[[Any], str]]] = {
    "trump_declared": _declared,
    "pair_topped": lambda event: f"takes the pair 压对 {_cards(event.taken)} of {SEATS[event.owner]}",
    "throw_failed": _failed,
    "shape_named": lambda event: f"asks for a {shape_words(event.shape)}",
    "forfeit_paid": lambda event: f"pays 赔付 {-min(event.coins, default=0)} coins",
}
"""By the kind of event: what its seat does."""

SEAT_WORDS_BY_GAME: Final[dict[str, Callable[[Any, TricksOptions | None], str]]] = {
    "declarer_named": _named,
    "kitty_captured": _captured,
}
"""By the kind of event: what its seat does, where that is told in the words of the game."""


def draw_header(options: TricksOptions, level: tricks_pb2.Level.ValueType) -> Text:
    """Cards are drawn one by one from now on, and how fast. level: as far as it is known."""
    seconds = f"{options.draw_pace_ms * len(SEATS) / 1000:g}"
    told = f"── draw 摸牌 · a card to each seat every {seconds} s 每{seconds}秒各摸一张"
    at = f" · {level_words(level)}" if level else ""
    return Text(f"{told}{at} · declare at any time 随时可亮主", "dim")


def turned_words(event: tricks_pb2.TrumpTurned) -> str:
    """Nobody declared."""
    turned = f" {_cards(event.cards)}" if event.cards else ""
    return f"Nobody declares 无人亮主; turned 翻底{turned}: {trump_words(event.trump)}"


def fixed_words(event: tricks_pb2.TrumpFixed) -> str:
    """The trump of the deal, and what lay face down."""
    shown = " · ".join(f"{SEATS[show.seat]} {_cards(show.cards)}" for show in event.revealed)
    revealed = f"; shown face down, now turned up 亮出暗叫: {shown}" if shown else ""
    return f"Trump 主: {trump_words(event.trump)}{revealed}"


def decided_words(event: tricks_pb2.MatchDecided) -> str:
    """Who won the match, and by what."""
    by = _DECIDED_BY.get(event.by, Words("", ""))
    winner = f"{side_words(event.winner)} win" if event.HasField("winner") else "nobody wins 平"
    return f"Match decided 定局: {winner} {by}"
