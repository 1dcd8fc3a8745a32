"""What can be typed at a table, as far as its game knows it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from rich.text import Text

from shuangkou.cli.columns import left
from shuangkou.cli.faces import LEGEND, rank_symbol
from shuangkou.rules.climbing.options import ClimbingOptions, Phase
from shuangkou.rules.tricks.options import Declare, TricksOptions

_CELLS: Final = 13
_USUAL_RANKS: Final = "3 4 5 6 7 8 9 10 J Q K A 2 LJ BJ"
_BEFORE_PLAY: Final = {
    Phase.BURY: (("bury 3 5", "lay cards face down in place of the kitty 扣底"),),
    Phase.DECLARE: (
        ("declare 3 4", "declare a combination that you hold 叫牌"),
        ("pass", "declare nothing 不叫"),
    ),
    Phase.AUCTION: (
        ("bid 2", "bid 2 points for the landlord 叫分"),
        ("call", "call the landlord, if nobody has spoken 叫地主"),
        ("grab", "take it from the seat that called 抢地主"),
    ),
    Phase.TAKE: (("take 3 K", "take cards of the kitty 拿底牌; take all, take none"),),
    Phase.EXCHANGE: (("exchange 3 5", "change cards once 换牌; exchange all, exchange none"),),
    Phase.MARK: (("mark K", "mark a card in secret 提分"),),
}

_READING: Final = (
    ("legal", "list what you may do, lowest first; #2 does the second"),
    ("hint", "the best acts, their points and why 提示; go does the first"),
    ("hand", "your cards 手牌"),
    ("table", "the trick, whose turn it is, what is left and aside"),
    ("score", "points over the match"),
)
_LEAVING: Final = (
    ("host", "let a bot play your seat 托管; reclaim takes it back"),
    ("quit", "leave; a bot plays your seat on, and you may come back"),
)


def help_text(options: ClimbingOptions | TricksOptions | None) -> Text:
    """One line for each word; all words of climbing games where the game is not known."""
    rows = _tricks_rows(options) if isinstance(options, TricksOptions) else _rows(options)
    lines = (left(Text(f"  {word}"), _CELLS + 2).append(meaning) for word, meaning in rows)
    return Text("\n").join(lines)


def _tricks_rows(options: TricksOptions) -> Iterator[tuple[str, str]]:
    yield "5h", "play a card, suit and rank (also ♥5)"
    if options.decks > 1:
        yield "5h 5h", "play a pair 对子; more pairs of a row are a tractor 拖拉机"
    yield "", "suits are s ♠ h ♥ c ♣ d ♦, jokers LJ BJ"
    drawing = ", in the draw too 摸牌时也可" if options.draw_pace_ms else ""
    yield "declare 5h", f"show cards for trump 亮主, 反主{drawing}"
    if options.declare is Declare.ANY_PAIR:
        yield "", "declare 7h 7h back 3c 4d gives two cards for a pair it tops"
    yield "pass", "show nothing 不亮, 不反"
    if options.kitty:
        yield "bury 3c 4d", "lay cards face down in place of the kitty 扣底"
    yield from _READING
    if options.last_trick_shown:
        yield "last", "the last trick, and who took it 上一墩"
    yield "forfeit", "leave for good 逃跑"
    yield from _LEAVING


def _rows(options: ClimbingOptions | None) -> Iterator[tuple[str, str]]:
    if options is None or options.max_set > 1:
        yield "7 7", "play cards by rank; suits are chosen for you"
        yield "", "(also 77, 7*2, 7h 7s, ♥7)"
    else:
        yield "7", "play a card by rank; its suit is chosen for you (or 7h, ♥7)"
    ranks = _USUAL_RANKS if options is None else " ".join(map(rank_symbol, options.rank_order))
    yield "", f"ranks from low to high: {ranks}"
    if options is None or options.jokers:
        yield "", LEGEND
    if options is not None and options.wild:
        yield "", f"{' '.join(map(rank_symbol, options.wild))} stands for what is missing 万能牌"
    yield "pass", "play nothing 不要"
    for phase in Phase:
        if options is None or phase in options.phases:
            yield from _BEFORE_PLAY.get(phase, ())
    yield from _READING
    yield from _out_of_turn(options)
    yield from _LEAVING


def _out_of_turn(options: ClimbingOptions | None) -> Iterator[tuple[str, str]]:
    if options is None or options.surrender:
        yield "surrender", "give the deal up if your partner agrees 投降"
    if options is None or options.redeal_vote:
        yield "redeal", "ask for a new deal before the first play 重发"
    fine = "the fine" if options is None else f"{options.forfeit_fine}"
    yield "forfeit", f"leave for good and pay {fine} 逃跑"
