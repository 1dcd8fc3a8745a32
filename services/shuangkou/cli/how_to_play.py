"""How a game is played, in sentences that its options say: what a newcomer reads before the tables."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from shuangkou.cli.faces import rank_symbol
from shuangkou.cli.words import Words
from shuangkou.rules.climbing.options import (
    Beating,
    ClimbingOptions,
    DealEnd,
    KittyUse,
    LaterLead,
    Phase,
    Scoring,
    Sides,
    SuitRule,
    TrickEnd,
    TrickLead,
)


def how_to_play(options: ClimbingOptions) -> Iterator[Words]:
    """Cards and sides, what comes before play, how plays follow, how the deal and the match end."""
    yield _cards(options)
    yield _ranks(options)
    yield from _sides(options)
    if options.kitty_use in _KITTIES:
        yield _filled(_KITTIES[options.kitty_use], options)
    for phase in options.phases:
        if phase in _PHASES:
            yield _filled(_PHASES[phase], options)
    yield from _following(options)
    yield from _end_of_deal(options)
    yield from _match(options)


def _cards(options: ClimbingOptions) -> Words:
    packs = f"{options.decks} pack{'s'[: options.decks != 1]}"
    jokers = Words("with jokers", "带王") if options.jokers else Words("without jokers", "无王")
    return Words(
        f"{packs} of cards {jokers.en}, {options.hand_size} cards each for {options.players} players.",
        f"{options.decks}副牌，{jokers.zh}，{options.players}人，每家{options.hand_size}张。",
    )


def _ranks(options: ClimbingOptions) -> Words:
    order = " ".join(map(rank_symbol, options.rank_order))
    wild = ", ".join(map(rank_symbol, options.wild))
    en, zh = (f" {wild} is wild.", f"{wild}为万能牌。") if wild else ("", "")
    return Words(f"Ranks from low to high: {order}.{en}", f"牌点从小到大。{zh}")


def _sides(options: ClimbingOptions) -> Iterator[Words]:
    if options.sides is Sides.NONE:
        yield Words("Each seat plays for itself.", "各自为战。")
    elif options.later_lead is LaterLead.FACE_CARD:
        yield Words(
            "A face-up card of the deck decides: who is dealt its first copy leads, who is dealt the second"
            " is the partner. Players change places so that partners sit opposite.",
            "明牌定先手与对家：得第一张者首出，得第二张者为其对家，换位后对坐。",
        )
    else:
        yield Words("Who sits opposite is your partner.", "对家为同伴。")
    if options.open_partner_hands:
        yield Words("Partners see each other's cards.", "双明：对家互看手牌。")
    if options.rotation:
        yield Words("After each deal every player moves on one seat.", "每局后顺次换位。")


def _following(options: ClimbingOptions) -> Iterator[Words]:
    if options.discards:
        yield Words(
            "In a trick each seat plays one card. What does not beat the top card lies beside it and cannot"
            " win. Who is down to one card and does not lead may keep it: pass.",
            "每墩各出一张，压不过则贴牌；只剩一张且非首出者可不出，报桌。",
        )
    else:
        yield Words(
            "Lead any combination. Others beat it with a higher one of its kind and size, or pass.",
            "首出任意牌型；其余各家以同型同张数的更大牌压，或不要。",
        )
    if options.min_bomb or options.joker_bomb:
        yield Words("A bomb beats all that is no bomb.", "炸弹压一切非炸弹。")
    if options.beating in _BEATINGS:
        yield _BEATINGS[options.beating]
    yield from (words for rule, words in _SUITS.items() if rule in options.suits)
    yield _TRICK_ENDS[options.trick_end, options.trick_lead]


def _end_of_deal(options: ClimbingOptions) -> Iterator[Words]:
    if options.sides is Sides.PARTNERS and options.trick_end is TrickEnd.ALL_PASSED:
        yield Words("When all pass on the last play of a seat, its partner leads.", "出完无人压则对家接风。")
    yield _ENDS[options.deal_end]
    if options.deal_end is DealEnd.SIDE_OUT and options.scoring is Scoring.PLACES:
        yield Words(
            "When the partner of the first seat out is second it is a double, third a single, fourth a draw.",
            "头游的对家为二游是双扣，三游是单扣，末游是平扣。",
        )
    if options.later_lead in _LEADS:
        yield _LEADS[options.later_lead]


def _match(options: ClimbingOptions) -> Iterator[Words]:
    if options.target_score:
        yield _filled(
            Words("The match goes on until a total reaches {target_score}.", "一场打到{target_score}分。"),
            options,
        )
    if options.forfeit_fine:
        yield _filled(
            Words(
                "Who leaves for good (forfeit) pays {forfeit_fine}, shared by the others.",
                "逃跑罚{forfeit_fine}分，其余各家均分。",
            ),
            options,
        )
    asked: tuple[tuple[bool, Words], ...] = (
        (options.surrender, Words("A side may surrender if both partners say so.", "同方两家同意可投降。")),
        (
            options.redeal_vote,
            Words(
                "All seats together may ask for a new deal before the first play.", "首出前全体同意可重发。"
            ),
        ),
    )
    yield from (words for is_allowed, words in asked if is_allowed)


def _filled(words: Words, options: ClimbingOptions) -> Words:
    facts = {
        "kitty": options.kitty,
        "each": options.kitty // options.players,
        "max_bid": options.max_bid,
        "all_pass_limit": options.all_pass_limit,
        "target_score": options.target_score,
        "forfeit_fine": options.forfeit_fine,
        "mark_points": options.mark_points,
        "kinds": " or ".join(f"a {kind.name_en}" for kind in options.declarations),
        "kinds_zh": "或".join(kind.name_zh for kind in options.declarations),
    }
    return Words(words.en.format(**facts), words.zh.format(**facts))


_KITTIES: Final = {
    KittyUse.DRAWN: Words(
        "{kitty} cards are dealt last, {each} to each seat in turn.", "底牌{kitty}张，每家依次摸{each}张。"
    ),
    KittyUse.SHOWN: Words(
        "{kitty} cards are the kitty. It is turned over when the first seat is out.",
        "底牌{kitty}张，头游出完时亮底。",
    ),
    KittyUse.STOCK: Words("{kitty} cards are the stock.", "其余{kitty}张为牌堆。"),
}
_PHASES: Final = {
    Phase.BURY: Words(
        "The dealer, who leads, takes the {kitty} cards of the kitty and buries any {kitty}: bury 3 5.",
        "庄家首出，先拿{kitty}张底牌，再扣{kitty}张：bury 3 5。",
    ),
    Phase.DECLARE: Words(
        "Before play each seat in turn may declare {kinds} that it holds and that stands over the last:"
        " declare 3 4 5 6 7.",
        "出牌前各家依次可叫{kinds_zh}，后叫须更大：declare 3 4 5 6 7。",
    ),
    Phase.AUCTION: Words(
        "Seats bid for the landlord, 1 to {max_bid} points: bid 2. The first may call, and then the others"
        " grab. When all pass the deal is void; after {all_pass_limit} such deals the dealer must take it.",
        "叫分抢地主，1到{max_bid}分：bid 2；首家可叫地主call，其余可抢grab；"
        "全不叫则流局，连续{all_pass_limit}次由庄家当地主。",
    ),
    Phase.TAKE: Words(
        "The landlord alone sees the {kitty} cards of the kitty, takes what it wants of them, and leads:"
        " take 3 K, take all or take none.",
        "地主独看{kitty}张底牌，任拿几张后首出：take all。",
    ),
    Phase.EXCHANGE: Words(
        "Before play each seat may lay cards away once and draw as many from the stock: exchange 3 5.",
        "出牌前每家可换牌一次：exchange 3 5。",
    ),
    Phase.MARK: Words(
        "Before play each seat marks one card in secret: mark K. It earns {mark_points} if it wins its"
        " trick.",
        "出牌前每家暗提一张：mark K；赢墩则加{mark_points}分。",
    ),
}
_BEATINGS: Final = {
    Beating.EQUAL_OR_HIGHER: Words(
        "An equal one follows, too, but no bomb an equal bomb.", "同点也可跟，炸弹除外。"
    ),
    Beating.MORE_EQUAL_CARDS: Words(
        "A set, three or more equal cards, beats all plays of fewer cards and is then a bomb.",
        "同张（三张以上同点）压张数更少的任何牌，即为炸弹。",
    ),
    Beating.CATEGORIES: Words(
        "Straight, flush and straight flush, as far as they are played here, beat each other in this order,"
        " whatever their lengths.",
        "顺子、同花、同花顺依次更大，长短不限。",
    ),
}
_SUITS: Final = {
    SuitRule.SINGLES_FOLLOW: Words("A single is beaten only by its own suit.", "单张须同花色压。"),
    SuitRule.TIES: Words(
        "Equal ranks are told apart by suit: ♠ ♥ ♣ ♦ from high to low.", "同点比花色：♠♥♣♦。"
    ),
}
_TRICK_ENDS: Final[dict[tuple[TrickEnd, TrickLead], Words]] = {
    (TrickEnd.ALL_PASSED, TrickLead.WINNER): Words(
        "The trick ends when all others pass; who played highest leads the next.",
        "其余都不要，最大者再首出。",
    ),
    (TrickEnd.ALL_PASSED, TrickLead.AFTER_WINNER): Words(
        "The trick ends when all others pass; the seat after the highest play leads the next.",
        "其余都不要，最大者的下家首出。",
    ),
    (TrickEnd.ONE_ROUND, TrickLead.WINNER): Words(
        "A trick is one round; who played highest leads the next.", "每墩一轮，最大者再首出。"
    ),
    (TrickEnd.ONE_ROUND, TrickLead.AFTER_WINNER): Words(
        "A trick is one round; the seat after the highest play leads the next.",
        "每墩一轮，最大者的下家首出。",
    ),
}
_ENDS: Final = {
    DealEnd.SIDE_OUT: Words("The deal ends when both partners of a side are out.", "一方两家出完即结束。"),
    DealEnd.FIRST_OUT: Words("The deal ends when a seat is out.", "一家出完即结束。"),
    DealEnd.THREE_OUT: Words("The deal ends when three seats are out.", "三家出完即结束。"),
    DealEnd.LAST_TRICK: Words("The deal ends with the last trick.", "出完最后一墩即结束。"),
}
_LEADS: Final = {
    LaterLead.LAST_HEAD: Words("The first seat out leads the next deal.", "头游下一局首出。"),
    LaterLead.LAST_HEAD_UNLESS_DOUBLE: Words(
        "The first seat out leads the next deal; after a double a random seat does.",
        "头游下一局首出，双扣后随机。",
    ),
    LaterLead.AFTER_LAST_HEAD: Words(
        "The seat after the last winner leads the next deal.", "上局胜者的下家首出。"
    ),
    LaterLead.RANDOM: Words("A random seat begins each deal.", "每局随机首出。"),
}
