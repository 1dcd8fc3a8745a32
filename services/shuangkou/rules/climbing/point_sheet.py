"""What deals are worth that are not scored by places (§11, §13), as a table for people."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from shuangkou.rules.cards import Rank
from shuangkou.rules.climbing.cards_left import pips_left_of
from shuangkou.rules.climbing.combinations import Kind
from shuangkou.rules.climbing.landlord_points import BOMB_POINTS, JOKER_BOMB_POINTS, NO_BOMB_POINTS
from shuangkou.rules.climbing.move_table import move_table
from shuangkou.rules.climbing.options import ClimbingOptions, Phase, Scoring
from shuangkou.rules.climbing.play_points import FLAT_WORTH, RUN_POINTS, RUN_WORTH
from shuangkou.rules.climbing.trick_pips import pips_of_rank
from shuangkou.rules.notation import format_rank


@dataclass(frozen=True, slots=True)
class ScoreLine:
    """`value`: `+4 +4 -4 -4` by place, `x2`, or points."""

    name_en: str
    name_zh: str
    value: str


def _pips_left(options: ClimbingOptions) -> Iterator[ScoreLine]:
    yield _FIRST_GETS_ALL
    worths = _by_rank(options.rank_order, lambda rank: pips_left_of(options, rank))
    yield ScoreLine("each card still held", "手中每张", worths)


def _cards_left(_: ClimbingOptions) -> Iterator[ScoreLine]:
    yield _FIRST_GETS_ALL
    yield ScoreLine("each card still held", "手中每张", "-1")


def _bombs_and_matches(options: ClimbingOptions) -> Iterator[ScoreLine]:
    yield ScoreLine("first seat out", "头游", f"{options.out_points:+d}")
    for size, points in options.bomb_points:
        yield ScoreLine(f"bomb of {size} cards, unless led", f"{size}张炸弹（非首出）", f"{points:+d}")
    value = f"{options.match_points:+d}"
    yield ScoreLine("each card held of the last play's rank", "手中与末手同点每张", value)


def _cards_won(options: ClimbingOptions) -> Iterator[ScoreLine]:
    yield _BOTH_PARTNERS
    yield ScoreLine("each card won in tricks", "赢得的每张牌", f"{options.trick_card_points:+d}")
    value = f"{options.kitty_card_points:+d}"
    yield ScoreLine("kitty card, for the first out's side", "头游方得底牌每张", value)
    yield ScoreLine("but a joker of the kitty", "底牌中的王每张", f"{options.kitty_joker_points:+d}")


def _plays_by_place(options: ClimbingOptions) -> Iterator[ScoreLine]:
    kinds = {combination.kind for combination in move_table(options).combinations}
    for kind, points in FLAT_WORTH.items():
        if kind in kinds:
            yield ScoreLine(kind.name_en, kind.name_zh, f"{points:+d}")
    for kind, (free, each) in RUN_WORTH.items():
        if kind in kinds:
            counted = f"(n − {free})" if free else "n"
            yield ScoreLine(f"{kind.name_en} of n cards", f"n张{kind.name_zh}", f"+{counted} × {each}")
    if Phase.DECLARE in options.phases:
        yield ScoreLine("declaration that stands and is played", "所叫牌型打出", "twice 两次")
    for place, quarters in options.place_weights:
        yield ScoreLine(f"place {place} keeps", f"第{place}名保留", f"{quarters}/4")


def _landlord_sides(options: ClimbingOptions) -> Iterator[ScoreLine]:
    yield _BOTH_PARTNERS
    kinds = {combination.kind for combination in move_table(options).combinations}
    yield ScoreLine("bomb", "炸弹", f"{BOMB_POINTS:+d}")
    if Kind.JOKER_BOMB in kinds:
        yield ScoreLine("joker bomb", "王炸", f"{JOKER_BOMB_POINTS:+d}")
    yield ScoreLine("pair, also in consecutive pairs", "每对（含连对）", "+1")
    yield ScoreLine("a side that plays no bomb", "未出炸弹（反主分）", f"{NO_BOMB_POINTS:+d}")
    yield ScoreLine("the first out's side", "头游方", f"the bid 叫分, 1–{options.max_bid}")
    if options.spring_points:
        yield ScoreLine("spring: losers but play the first lead", "春天", f"{options.spring_points:+d}")


def _ranks_played(options: ClimbingOptions) -> Iterator[ScoreLine]:
    yield _BOTH_PARTNERS
    places = {rank: place for place, rank in enumerate(options.rank_order, start=1)}
    worths = _by_rank(options.rank_order, places.get)
    yield ScoreLine("play, by its highest rank", "每手按最大牌点", worths)
    yield ScoreLine("a straight besides", "顺子另加", f"{RUN_POINTS:+d}")


def _trick_pips(options: ClimbingOptions) -> Iterator[ScoreLine]:
    worths = _by_rank(options.rank_order, pips_of_rank)
    yield ScoreLine("trick, by its winning card", "赢墩按最大的牌", worths)
    yield ScoreLine("doubled by a card twice the one it beats", "点数翻倍则", "x2")
    if options.mark_points:
        yield ScoreLine("own marked card that wins its trick", "所提的牌赢墩", f"{options.mark_points:+d}")


def _by_rank(ranks: Iterable[Rank], worth: Callable[[Rank], int | None]) -> str:
    """`J 11, Q 12`: a number card is named only where it is worth another number than its own."""
    named = [f"{_said(rank)} {worth(rank)}" for rank in ranks if worth(rank) != rank or rank > Rank.TEN]
    plain = [rank for rank in ranks if worth(rank) == rank and rank <= Rank.TEN]
    return ", ".join([f"{_said(plain[0])}–{_said(plain[-1])} the number 按点"] * bool(plain) + named)


def _said(rank: Rank) -> str:
    return "10" if rank is Rank.TEN else format_rank(rank)


_FIRST_GETS_ALL = ScoreLine("the first seat out gets what all others pay", "头游得其余各家所付", "")
_BOTH_PARTNERS = ScoreLine("both partners get what their side has", "同方两家得分相同", "")

POINT_SHEETS: dict[Scoring, Callable[[ClimbingOptions], Iterator[ScoreLine]]] = {
    Scoring.PIPS_LEFT: _pips_left,
    Scoring.CARDS_LEFT: _cards_left,
    Scoring.CARDS_WON: _cards_won,
    Scoring.BOMBS_AND_MATCHES: _bombs_and_matches,
    Scoring.PLAYS_BY_PLACE: _plays_by_place,
    Scoring.LANDLORD_SIDES: _landlord_sides,
    Scoring.RANKS_PLAYED: _ranks_played,
    Scoring.TRICK_PIPS: _trick_pips,
}
"""By the option `scoring`."""
