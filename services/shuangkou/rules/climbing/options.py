"""Every house rule of the climbing family as one typed value; a ruleset is a row of these.

A row may leave out an option that has a default here: it then plays the plain rule.
"""

from dataclasses import MISSING, dataclass, fields
from enum import Enum
from typing import Annotated, get_type_hints

from shuangkou.rules.climbing.combinations import Kind
from shuangkou.rules.option_text import Meaning, OptionSpec, Ranks, Table, option_spec


class BombOrder(Enum):
    """What decides between two bombs (§4.3)."""

    SIZE = "size"
    STARS = "stars"
    PHASES = "phases"


class Beating(Enum):
    """Which play may be played on which (§4.3)."""

    HIGHER = "higher"
    EQUAL_OR_HIGHER = "equal_or_higher"
    MORE_EQUAL_CARDS = "more_equal_cards"
    CATEGORIES = "categories"

    __hash__ = object.__hash__  # as in Kind: looked up for every play


class SuitRule(Enum):
    """What suits are good for (§4.6); without any they never matter (§1.3)."""

    SINGLES_FOLLOW = "singles_follow"
    TIES = "ties"
    FLUSHES = "flushes"
    STRAIGHT_FLUSHES = "straight_flushes"


class Phase(Enum):
    """A part of the deal with its own acts; a deal goes through those of `phases` in turn."""

    BURY = "bury"
    DECLARE = "declare"
    AUCTION = "auction"
    TAKE = "take"
    EXCHANGE = "exchange"
    MARK = "mark"
    PLAY = "play"


class KittyUse(Enum):
    """What becomes of the kitty (§10.2)."""

    UNSEEN = "unseen"
    TAKEN = "taken"
    DRAWN = "drawn"
    SHOWN = "shown"
    CHOSEN = "chosen"
    STOCK = "stock"


class Sides(Enum):
    """Who plays for whom (§2.1)."""

    PARTNERS = "partners"
    NONE = "none"


class DealEnd(Enum):
    """When a deal is over (§6.1)."""

    SIDE_OUT = "side_out"
    FIRST_OUT = "first_out"
    THREE_OUT = "three_out"
    LAST_TRICK = "last_trick"


class TrickEnd(Enum):
    """When a trick is over (§4.4, §4.7)."""

    ALL_PASSED = "all_passed"
    ONE_ROUND = "one_round"


class TrickLead(Enum):
    """Who leads the next trick (§4.4, §4.7)."""

    WINNER = "winner"
    AFTER_WINNER = "after_winner"


class LaterLead(Enum):
    """Who leads a deal that follows a normal one (§2.4); by a face-up card every deal is led so (§2.6)."""

    LAST_HEAD = "last_head"
    LAST_HEAD_UNLESS_DOUBLE = "last_head_unless_double"
    AFTER_LAST_HEAD = "after_last_head"
    RANDOM = "random"
    FACE_CARD = "face_card"


class Scoring(Enum):
    """Which sum a finished deal is scored by (§7)."""

    PLACES = "places"
    PIPS_LEFT = "pips_left"
    CARDS_LEFT = "cards_left"
    CARDS_WON = "cards_won"
    BOMBS_AND_MATCHES = "bombs_and_matches"
    PLAYS_BY_PLACE = "plays_by_place"
    LANDLORD_SIDES = "landlord_sides"
    RANKS_PLAYED = "ranks_played"
    TRICK_PIPS = "trick_pips"


class MultiplierSource(Enum):
    """Whose bombs multiply the base points (§7.2)."""

    NONE = "none"
    WINNERS_BEST = "winners_best"
    ALL_PRODUCT = "all_product"


@dataclass(frozen=True, slots=True, kw_only=True)
class ClimbingOptions:
    """The meaning of each option stands beside it, in English and 中文."""

    decks: Annotated[int, Meaning("Packs of cards in the deck", "几副牌")]
    jokers: Annotated[bool, Meaning("The packs include their jokers", "是否带王")]
    hand_size: Annotated[int, Meaning("Cards dealt to each seat", "每家张数")]
    kitty: Annotated[int, Meaning("Cards laid aside as the kitty", "底牌张数")] = 0
    kitty_use: Annotated[KittyUse, Meaning("What becomes of the kitty", "底牌的用法")] = KittyUse.UNSEEN
    players: Annotated[int, Meaning("Seats that play", "几人")] = 4
    clockwise: Annotated[bool, Meaning("The turn goes clockwise on a screen", "是否顺时针出牌")] = False
    sides: Annotated[Sides, Meaning("Who plays for whom", "如何组队")] = Sides.PARTNERS
    open_partner_hands: Annotated[bool, Meaning("Partners see each other's cards", "双明：对家互看手牌")] = (
        False
    )
    rank_order: Annotated[Ranks, Meaning("Order of the ranks, low to high", "牌点从小到大的顺序")]
    run_ranks: Annotated[Ranks, Meaning("Ranks that runs are made of", "可以连的牌点")]
    wild: Annotated[Ranks, Meaning("Rank whose cards are wild", "万能牌（财神）")] = ()
    max_set: Annotated[int, Meaning("Most equal cards in a play that is no bomb", "非炸弹最多几张同点")] = 3
    set_ranks: Annotated[
        Ranks, Meaning("Ranks of pairs and triples, none: all", "对子和三张的牌点，空为全部")
    ] = ()
    extra_kinds: Annotated[tuple[Kind, ...], Meaning("Kinds beyond the usual", "另加的牌型")] = ()
    min_straight: Annotated[int, Meaning("Fewest ranks in a straight, 0: none", "顺子最少几连")]
    max_straight: Annotated[int, Meaning("Most ranks in a straight, 0: no limit", "顺子最多几连")] = 0
    min_pairs: Annotated[int, Meaning("Fewest ranks in consecutive pairs, 0: none", "连对最少几连")]
    min_triples: Annotated[int, Meaning("Fewest ranks in consecutive triples, 0: none", "连三张最少几连")]
    min_bomb: Annotated[int, Meaning("Fewest equal cards in a bomb, 0: none", "炸弹最少张数，0为无")]
    max_bomb: Annotated[
        int, Meaning("Most equal cards in a bomb, wild cards included", "炸弹最多张数（含万能牌）")
    ]
    min_chain: Annotated[int, Meaning("Fewest ranks in a chain bomb, 0: none", "连炸最少几连，0为无")] = 0
    max_chain: Annotated[int, Meaning("Most ranks in a chain bomb", "连炸最多几连")] = 0
    joker_bomb: Annotated[bool, Meaning("All jokers together are a bomb", "全部王为炸弹（天王）")]
    three_joker_bomb: Annotated[bool, Meaning("Any three jokers are a bomb", "任意三张王为炸弹")] = False
    topped_bombs: Annotated[
        bool,
        Meaning("All cards of a rank with three or four jokers are a bomb", "八张同点加三王或四王为炸弹"),
    ] = False
    suits: Annotated[tuple[SuitRule, ...], Meaning("What suits are good for", "花色的作用")] = ()
    bomb_order: Annotated[BombOrder, Meaning("What decides between two bombs", "炸弹如何比大小")] = (
        BombOrder.SIZE
    )
    beating: Annotated[Beating, Meaning("Which play may follow which", "跟牌须大于还是可等于")] = (
        Beating.HIGHER
    )
    phases: Annotated[tuple[Phase, ...], Meaning("The parts of a deal in order", "一局的各阶段")] = (
        Phase.PLAY,
    )
    declarations: Annotated[
        tuple[Kind, ...], Meaning("Kinds that may be declared, low to high", "可叫的牌型，从小到大")
    ] = ()
    max_bid: Annotated[int, Meaning("Highest bid for the landlord", "叫地主最高分")] = 0
    all_pass_limit: Annotated[
        int, Meaning("Deals that all pass in a row until the dealer must bid", "连续几次全不叫由庄家当地主")
    ] = 0
    trick_end: Annotated[TrickEnd, Meaning("When a trick is over", "一圈何时结束")] = TrickEnd.ALL_PASSED
    trick_lead: Annotated[TrickLead, Meaning("Who leads the next trick", "下一圈由谁首出")] = TrickLead.WINNER
    discards: Annotated[
        bool,
        Meaning("Who does not beat discards, and only the last card may be held back", "贴牌与报桌"),
    ] = False
    rotation: Annotated[bool, Meaning("Players move on one seat after each deal", "每局后顺次换位")] = False
    deal_end: Annotated[DealEnd, Meaning("When the deal is over", "一局何时结束")]
    later_lead: Annotated[LaterLead, Meaning("Who leads the next deal, else a random seat", "下一局由谁首出")]
    scoring: Annotated[Scoring, Meaning("Which sum the deal is scored by", "计分方法")] = Scoring.PLACES
    base_double: Annotated[int, Meaning("Points for a double", "双扣底分")] = 0
    base_single: Annotated[int, Meaning("Points for a single", "单扣底分")] = 0
    base_draw: Annotated[int, Meaning("Points for a draw", "平扣底分")] = 0
    draw_zero_sum: Annotated[
        bool, Meaning("In a draw the other side loses as much", "平扣时输方是否扣分")
    ] = True
    base_win: Annotated[int, Meaning("Points where the first seat out wins", "头游即胜的底分")] = 0
    multiplier_source: Annotated[
        MultiplierSource, Meaning("Whose bombs multiply the points", "谁的炸弹翻倍")
    ] = MultiplierSource.NONE
    bomb_mults: Annotated[
        Table,
        Meaning(
            "Multiplier by bomb size, or by stars where they count, else 1", "各张数（或星级）炸弹的倍数"
        ),
    ] = ()
    joker_bomb_mult: Annotated[
        int, Meaning("Multiplier of the joker bomb where stars do not count", "王炸的倍数（不计星级时）")
    ] = 1
    max_multiplier: Annotated[int, Meaning("Largest multiplier, 0: no limit", "最高倍数，0为不限")] = 0
    contributions: Annotated[
        Table,
        Meaning("Points that each other seat pays for a bomb, by stars", "各星级炸弹的贡献分（其余每家）"),
    ] = ()
    group_stars: Annotated[
        Table,
        Meaning(
            "Stars of a seat's separate bombs of 4 or 5, by their number", "不相连炸弹组的相数（按个数）"
        ),
    ] = ()
    group_fives: Annotated[
        int, Meaning("Least stars of a group with two bombs of 5", "含两个五相时至少的相数")
    ] = 0
    bomb_points: Annotated[Table, Meaning("Points of a bomb by its number of cards", "各张数炸弹的得分")] = ()
    out_points: Annotated[int, Meaning("Points of the first seat out", "头游得分")] = 0
    match_points: Annotated[
        int, Meaning("Points for each card left of the rank of the last play", "手中与末手同点的每张得分")
    ] = 0
    trick_card_points: Annotated[int, Meaning("Points for each card won in tricks", "赢得的每张牌得分")] = 0
    kitty_card_points: Annotated[
        int, Meaning("Points for each card of a shown kitty", "亮出底牌每张得分")
    ] = 0
    kitty_joker_points: Annotated[
        int, Meaning("Points for each joker of a shown kitty", "亮出底牌每张王得分")
    ] = 0
    place_weights: Annotated[
        Table, Meaning("Quarters of the points played that a place keeps", "各名次得分的四分之几")
    ] = ()
    spring_points: Annotated[int, Meaning("Points for a spring", "春天加分")] = 0
    mark_points: Annotated[int, Meaning("Points for a marked card that wins its trick", "提分加分")] = 0
    forfeit_fine: Annotated[int, Meaning("Points that a forfeit costs, shared by the others", "逃跑罚分")] = 0
    surrender: Annotated[bool, Meaning("A side may surrender", "可否投降")] = False
    redeal_vote: Annotated[
        bool, Meaning("All seats together may void a deal before its first play", "可否表决重发")
    ] = False
    target_score: Annotated[int, Meaning("Total that ends the match, 0: none", "一场的目标分，0为无")] = 0
    turn_seconds: Annotated[int, Meaning("Seconds to follow or pass", "跟牌时限（秒）")]
    lead_seconds: Annotated[int, Meaning("Seconds to lead", "首出时限（秒）")]
    time_bank_seconds: Annotated[int, Meaning("Extra seconds, once in a deal", "每局一次的加时（秒）")]

    @property
    def ends_matches(self) -> bool:
        """A total ends the match (§7.3)."""
        return self.target_score > 0

    @property
    def deals_of_match(self) -> int:
        """Open: who opens a table says how many it has."""
        return 0

    @property
    def deals_in_pairs(self) -> bool:
        """Every deal is fair by itself."""
        return False

    @property
    def has_partners(self) -> bool:
        """Partners sit opposite (§2.1)."""
        return self.players == 4 and self.sides is Sides.PARTNERS

    @property
    def has_lasting_sides(self) -> bool:
        """The same partners play together in every deal (§2.6, §2.9)."""
        stays = not self.rotation and self.later_lead is not LaterLead.FACE_CARD
        return self.has_partners and stays

    @property
    def most_cards(self) -> int:
        """The most that a seat holds when it plays, that is the largest play there can be (§3.10, §10.4)."""
        more = {KittyUse.DRAWN: self.kitty // self.players, KittyUse.CHOSEN: self.kitty}
        return self.hand_size + more.get(self.kitty_use, 0)


EXTRA_KINDS = frozenset((Kind.TWO_PAIR, Kind.QUAD2, Kind.TRIPLE1, Kind.SET))
"""Kinds that a ruleset has only if it names them."""

SPECS: dict[str, OptionSpec] = {
    key: option_spec(key, annotation)
    for key, annotation in get_type_hints(ClimbingOptions, include_extras=True).items()
}
"""All options of the family by key, in the order in which a person reads them."""

REQUIRED: frozenset[str] = frozenset(
    option.name for option in fields(ClimbingOptions) if option.default is MISSING
)
"""Options that every row must name."""
