"""Every house rule of the trick-taking family as one typed value; a ruleset is a row of these.

A row may leave out an option that has a default here: it then plays the plain rule.
"""

from dataclasses import MISSING, dataclass, fields
from enum import Enum
from typing import Annotated, get_type_hints

from shuangkou.rules.cards import Rank
from shuangkou.rules.notation import parse_ranks
from shuangkou.rules.option_text import Meaning, OptionSpec, Ranks, Table, option_spec


class Level(Enum):
    """A rung of the ladder: what a side plays at (§8.4). NO_TRUMP has no level card."""

    TWO = "2"
    THREE = "3"
    FOUR = "4"
    FIVE = "5"
    SIX = "6"
    SEVEN = "7"
    EIGHT = "8"
    NINE = "9"
    TEN = "T"
    JACK = "J"
    QUEEN = "Q"
    KING = "K"
    ACE = "A"
    NO_TRUMP = "NT"

    @property
    def rank(self) -> Rank | None:
        """The rank of its level cards; None where it has none."""
        return _RANKS[self]


_RANKS: dict[Level, Rank | None] = {
    level: None if level is Level.NO_TRUMP else parse_ranks(level.value)[0] for level in Level
}

Levels = tuple[Level, ...]


class FirstDrawer(Enum):
    """Who draws the first card of the first deal (§2.3)."""

    RANDOM = "random"
    SIDE_CARDS = "side_cards"
    TURNED_CARDS = "turned_cards"
    CUT = "cut"
    TURNED_PIPS = "turned_pips"


class LaterDrawer(Enum):
    """Who draws the first card of a later deal (§2.4)."""

    DECLARER = "declarer"
    NEXT_SEAT = "next_seat"


class Declare(Enum):
    """What is shown to declare trump (§3.2)."""

    ONE_OPEN = "one_open"
    ONE_FACE_DOWN = "one_face_down"
    SOME_FACE_DOWN = "some_face_down"
    JOKER_AND_LEVEL = "joker_and_level"
    ANY_PAIR = "any_pair"


class FirstDeclare(Enum):
    """What is shown to declare trump in the first deal (§3.2)."""

    AS_LATER = "as_later"
    PAIR_OR_JOKERS = "pair_or_jokers"


class Overturn(Enum):
    """What may be shown to overturn (§3.3)."""

    PAIR = "pair"
    JOKER_PAIR = "joker_pair"
    JOKER_AND_PAIR = "joker_and_pair"
    MORE_CARDS = "more_cards"
    HIGHER_PAIR = "higher_pair"


class ShowOrder(Enum):
    """Which show overturns which (§3.4)."""

    SUITS = "suits"
    SUITS_ONCE = "suits_once"
    PAIRS_ONCE = "pairs_once"
    JOKERS = "jokers"
    NEW_SUIT = "new_suit"
    COUNT = "count"
    RANK = "rank"


class Window(Enum):
    """When an overturn is allowed (§3.5)."""

    BEFORE = "before"
    DECLARER_BEFORE = "declarer_before"
    AFTER = "after"


class MovesDeal(Enum):
    """When an overturn before the kitty is taken makes the overturner declarer (§3.8)."""

    NEVER = "never"
    FIRST_DEAL = "first_deal"
    BOTH_AT_START = "both_at_start"


class Lock(Enum):
    """What the twin of a declared card locks out (§3.7)."""

    NONE = "none"
    JOKERS_ONLY = "jokers_only"
    HIGHER_OR_JOKERS = "higher_or_jokers"
    FULL = "full"
    FIRST_FINAL = "first_final"


class NobodyDeclares(Enum):
    """What is trump when nobody declares (§3.9)."""

    TURNED = "turned"
    LEVEL_ELSE_HIGHEST = "level_else_highest"
    LEVEL_OR_REDEAL = "level_or_redeal"
    SPADES = "spades"
    REDEAL = "redeal"


class NoTrumpTractors(Enum):
    """What is consecutive without a trump suit (§5.5)."""

    JOKERS = "jokers"
    LEVEL = "level"


class KittyMultiplier(Enum):
    """What a captured kitty counts times (§7.3)."""

    NONE = "none"
    TWICE = "twice"
    DOUBLING = "doubling"
    BY_TRUMP = "by_trump"
    LINEAR = "linear"
    FLAT = "flat"
    CARDS = "cards"
    LAST_TRICK = "last_trick"


class Scoring(Enum):
    """What the points of a deal are turned into (§8)."""

    LEVELS = "levels"
    TOTALS = "totals"
    CONVERSION = "conversion"
    MATCH_POINTS = "match_points"


class Rotation(Enum):
    """Who is the next declarer (§9.1)."""

    PARTNER_OR_NEXT = "partner_or_next"
    SAME_OR_NEXT = "same_or_next"
    FIXED = "fixed"
    ROLES_ALTERNATE = "roles_alternate"


class MatchEnd(Enum):
    """What wins the match (§10)."""

    PASS_LAST = "pass_last"
    REACH = "reach"
    HAT_ANY = "hat_any"
    HAT_ALL = "hat_all"
    DEALS = "deals"


_TWO_TO_ACE: Levels = tuple(level for level in Level if level is not Level.NO_TRUMP)


@dataclass(frozen=True, slots=True, kw_only=True)
class TricksOptions:
    """The meaning of each option stands beside it, in English and 中文."""

    decks: Annotated[int, Meaning("Packs of cards in the deck", "几副牌")]
    hand_size: Annotated[int, Meaning("Cards that each seat draws", "每家张数")]
    kitty: Annotated[int, Meaning("Cards left as the kitty", "底牌张数")]
    ladder: Annotated[Levels, Meaning("The levels from low to high", "从低到高打哪些级")] = _TWO_TO_ACE
    stops: Annotated[
        Levels, Meaning("Levels that may not be jumped over, besides the last", "除最后一级外不可跳过的级")
    ] = ()
    hard: Annotated[
        Levels,
        Meaning("Levels left only by winning as declarers, besides the last", "必打级：坐庄打过才能升"),
    ] = ()
    schedule: Annotated[
        Levels, Meaning("The level of each deal where it is fixed", "固定每副牌所打的级")
    ] = ()
    fixed_trumps: Annotated[
        Ranks, Meaning("Ranks that are always trump, high to low, instead of a level", "常主牌点，从大到小")
    ] = ()
    first_drawer: Annotated[FirstDrawer, Meaning("Who draws first in the first deal", "首副由谁先摸牌")] = (
        FirstDrawer.RANDOM
    )
    later_drawer: Annotated[LaterDrawer, Meaning("Who draws first in a later deal", "以后由谁先摸牌")] = (
        LaterDrawer.DECLARER
    )
    draw_pace_ms: Annotated[
        int, Meaning("Milliseconds for each card drawn, 0: dealt at once", "每张摸牌毫秒数，0为一次发完")
    ] = 0
    declare: Annotated[Declare, Meaning("What is shown to declare trump", "凭什么亮主")]
    first_declare: Annotated[
        FirstDeclare, Meaning("What is shown to declare in the first deal", "首副凭什么亮主")
    ] = FirstDeclare.AS_LATER
    joker_colour: Annotated[
        bool, Meaning("The joker shown must have the colour of the suit", "亮主的王须与花色同色")
    ] = False
    declarer_side_first: Annotated[
        bool,
        Meaning(
            "After the first deal only the declaring side may declare while drawing",
            "首副以后摸牌时只有庄家方可亮主",
        ),
    ] = False
    overturn: Annotated[tuple[Overturn, ...], Meaning("What may be shown to overturn", "凭什么反主")] = ()
    show_order: Annotated[ShowOrder, Meaning("Which show overturns which", "反主的大小")] = ShowOrder.SUITS
    first_window: Annotated[
        tuple[Window, ...], Meaning("When to overturn in the first deal", "首副何时可反主")
    ] = ()
    later_window: Annotated[
        tuple[Window, ...], Meaning("When to overturn in later deals", "以后何时可反主")
    ] = ()
    declarer_waits: Annotated[
        bool, Meaning("The declarer overturns only after somebody else did", "庄家须在他人反主之后才可反")
    ] = False
    stir: Annotated[
        bool,
        Meaning("Who overturns after the bury takes the kitty and buries again", "炒底：扣底后反主者换底牌"),
    ] = False
    moves_deal: Annotated[
        MovesDeal, Meaning("When an overturn makes its seat the declarer", "反主何时夺庄")
    ] = MovesDeal.NEVER
    lock: Annotated[
        Lock, Meaning("What showing the twin of the declared card locks out", "加固（定主）的效力")
    ] = Lock.NONE
    nobody_declares: Annotated[
        NobodyDeclares, Meaning("What is trump when nobody declares", "无人亮主时如何定主")
    ]
    turned_place: Annotated[
        int, Meaning("Which card of the kitty is turned when nobody declares", "无人亮主时翻第几张底牌")
    ] = 1
    turned_joker_skipped: Annotated[
        bool, Meaning("A turned joker is passed over, else it means no trump", "翻到王时跳过，否则打无主")
    ] = False
    turned_final: Annotated[
        bool, Meaning("A trump turned from the kitty cannot be overturned", "翻底定主后不可再反")
    ] = False
    throws: Annotated[bool, Meaning("Several units may be led at once", "可否甩牌")] = True
    throw_fine: Annotated[
        int, Meaning("Points that a failed throw costs for each blocked card", "甩牌失败每张罚分")
    ] = 0
    throw_costs_stake: Annotated[
        bool, Meaning("A failed throw costs half the stake of the table", "甩牌失败罚桌面底注的一半")
    ] = False
    opponents_choose: Annotated[
        bool,
        Meaning("The opponents name the shape that a failed throw leads", "甩牌失败由对方指定出单或出对"),
    ] = False
    low_ace: Annotated[
        bool, Meaning("In a plain suit the ace also stands below the two in tractors", "副牌AA22也算拖拉机")
    ] = False
    no_trump_tractors: Annotated[
        NoTrumpTractors, Meaning("What is consecutive without a trump suit", "无主时哪些主牌相连")
    ] = NoTrumpTractors.LEVEL
    high_follow: Annotated[
        bool, Meaning("Who lacks the pairs led must give the highest cards", "无足够对子时须跟最大的牌")
    ] = False
    kitty_multiplier: Annotated[KittyMultiplier, Meaning("What a captured kitty counts times", "抠底的倍数")]
    max_kitty_multiplier: Annotated[
        int, Meaning("Largest multiplier of the kitty, 0: no limit", "抠底最高倍数，0为不限")
    ] = 0
    scoring: Annotated[
        Scoring, Meaning("What the points of a deal are turned into", "一局的分数如何折算")
    ] = Scoring.LEVELS
    declarer_levels: Annotated[
        Table, Meaning("Levels the declaring side gains, from so many points", "庄家方升级表：分数起点与级数")
    ] = ((0, 3), (5, 2), (40, 1))
    attacker_levels: Annotated[
        Table,
        Meaning(
            "Levels the attacking side gains, from so many points; the first takes the deal",
            "抓分方升级表，首行为上台分",
        ),
    ] = ((80, 0),)
    attacker_step: Annotated[
        int, Meaning("Points for each further level, 0: no further", "此后每多少分再升一级，0为不再升")
    ] = 40
    rotation: Annotated[Rotation, Meaning("Who is the next declarer", "下一局由谁坐庄")] = (
        Rotation.PARTNER_OR_NEXT
    )
    match_end: Annotated[MatchEnd, Meaning("What wins the match", "怎样赢得一场")] = MatchEnd.PASS_LAST
    goal: Annotated[Level, Meaning("The level that wins when it is reached", "达到即胜的级")] = Level.ACE
    deals: Annotated[int, Meaning("Deals of a match, 0: as many as it takes", "一场的副数，0为不定")] = 0
    max_deals: Annotated[
        int, Meaning("Deals after which the higher level wins", "最多打几副，之后级高者胜")
    ] = 100
    limit_minutes: Annotated[
        int,
        Meaning("Minutes after which the side ahead wins, 0: no limit", "限时（分钟），到时领先者胜，0不限"),
    ] = 0
    hook_levels: Annotated[
        Levels, Meaning("Levels at which a hook throws the declarers down", "可被钩的级（钩到底）")
    ] = ()
    hook_falls: Annotated[Levels, Meaning("Where each hook throws them to", "被钩后各落到哪一级")] = ()
    hook_points: Annotated[int, Meaning("Points that a hook needs", "钩到底至少需要的分数")] = 85
    base_stake: Annotated[
        int, Meaning("Coins that each loser of a deal pays, 0: no stakes", "底注：每副输家各付，0为无")
    ] = 0
    stake_doubles: Annotated[
        bool, Meaning("Every overturn in the deal doubles the stake", "每反主一次底注翻倍")
    ] = False
    last_trick_shown: Annotated[bool, Meaning("The last trick may be looked at", "可否查看上一圈")] = True
    turn_seconds: Annotated[int, Meaning("Seconds to follow", "跟牌时限（秒）")]
    lead_seconds: Annotated[int, Meaning("Seconds to lead", "首出时限（秒）")]
    declare_seconds: Annotated[int, Meaning("Seconds to declare, overturn or pass", "亮主或反主时限（秒）")]
    bury_seconds: Annotated[int, Meaning("Seconds to bury the kitty", "扣底时限（秒）")]
    time_bank_seconds: Annotated[int, Meaning("Extra seconds, once in a deal", "每局一次的加时（秒）")]

    @property
    def players(self) -> int:
        """Seats that play: always four (§2.1)."""
        return 4

    @property
    def has_partners(self) -> bool:
        """Partners sit opposite (§2.1)."""
        return True

    @property
    def has_lasting_sides(self) -> bool:
        """Partners stay partners (§2.1)."""
        return True

    @property
    def ends_matches(self) -> bool:
        """Levels, a schedule or the clock end the match (§10)."""
        return True

    @property
    def deals_of_match(self) -> int:
        """§10.6."""
        return self.deals

    @property
    def deals_in_pairs(self) -> bool:
        """Where roles alternate both sides attack equally often (§9.3)."""
        return self.rotation is Rotation.ROLES_ALTERNATE

    @property
    def is_face_down(self) -> bool:
        """Suits are shown face-down (§3.6)."""
        return self.declare in (Declare.ONE_FACE_DOWN, Declare.SOME_FACE_DOWN)


SPECS: dict[str, OptionSpec] = {
    key: option_spec(key, annotation)
    for key, annotation in get_type_hints(TricksOptions, include_extras=True).items()
}
"""All options of the family by key, in the order in which a person reads them."""

REQUIRED: frozenset[str] = frozenset(
    option.name for option in fields(TricksOptions) if option.default is MISSING
)
"""Options that every row must name."""
