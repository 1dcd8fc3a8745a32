"""What the rules can say no with.

ValueError
├── IllegalCommand      a command against the rules, with a code of `CODES`
├── notation.NotationError
├── ruleset.RuleSetError
│   ├── ruleset.UnknownRuleSet
│   ├── ruleset.UnknownOption
│   └── ruleset.BadOptionValue
└── match_events.MatchEventError
    ├── match_events.UnknownEvent
    ├── match_events.BadEventOption
    └── match_events.UnsuitableRuleSet
"""

from shuangkou.rules.cards import Card
from shuangkou.rules.seats import Seat

NOT_YOUR_TURN = "turn/not_your_turn"
NOT_HELD = "cards/not_held"
NO_SUCH_COMBINATION = "climbing/no_such_combination"
DOES_NOT_BEAT = "climbing/does_not_beat"
PASS_ON_EMPTY_TRICK = "climbing/pass_on_empty_trick"
NO_DEAL_IN_PROGRESS = "state/no_deal_in_progress"
DEAL_IN_PROGRESS = "state/deal_in_progress"
BAD_SEED = "state/bad_seed"
MATCH_OVER = "state/match_over"
OTHER_PHASE = "state/other_phase"
NO_SUCH_ACT = "state/no_such_act"
NO_SUCH_SEAT = "seat/no_such_seat"
WRONG_BURY_COUNT = "climbing/wrong_bury_count"
ALREADY_OUT = "climbing/already_out"
ALREADY_FORFEITED = "climbing/already_forfeited"
NO_SURRENDER = "climbing/no_surrender"
SURRENDER_TOO_LATE = "climbing/surrender_too_late"
ALREADY_OFFERED = "climbing/already_offered"
NO_REDEAL = "climbing/no_redeal"
REDEAL_TOO_LATE = "climbing/redeal_too_late"
ALREADY_VOTED = "climbing/already_voted"
NOT_DECLARABLE = "climbing/not_declarable"
DECLARED_TOO_LOW = "climbing/declared_too_low"
NO_SUCH_BID = "climbing/no_such_bid"
BID_TOO_LOW = "climbing/bid_too_low"
CALL_TOO_LATE = "climbing/call_too_late"
NOTHING_TO_GRAB = "climbing/nothing_to_grab"
NOT_IN_KITTY = "cards/not_in_kitty"
MUST_PLAY = "climbing/must_play"

NO_CARDS = "tricks/no_cards"
MIXED_SUITS = "tricks/mixed_suits"
NO_THROWS = "tricks/no_throws"
WRONG_CARD_COUNT = "tricks/wrong_card_count"
MUST_FOLLOW_SUIT = "tricks/must_follow_suit"
MUST_FOLLOW_TRACTOR = "tricks/must_follow_tractor"
MUST_FOLLOW_QUAD = "tricks/must_follow_quad"
MUST_FOLLOW_TRIPLE = "tricks/must_follow_triple"
MUST_FOLLOW_PAIR = "tricks/must_follow_pair"
MUST_FOLLOW_HIGH = "tricks/must_follow_high"

NO_SUCH_SHOW = "tricks/no_such_show"
SHOW_TOO_LOW = "tricks/show_too_low"
SHOWN_BEFORE = "tricks/shown_before"
OWN_SHOW = "tricks/own_show"
JOKER_COLOUR = "tricks/joker_colour"
DECLARER_SIDE_FIRST = "tricks/declarer_side_first"
DECLARER_WAITS = "tricks/declarer_waits"
NO_OVERTURN_NOW = "tricks/no_overturn_now"
TRUMP_LOCKED = "tricks/trump_locked"
TRUMP_FINAL = "tricks/trump_final"
WRONG_RETURN = "tricks/wrong_return"

WRONG_KITTY_SIZE = "tricks/wrong_kitty_size"
SHOWN_STAYS = "tricks/shown_stays"
NO_SUCH_CHOICE = "tricks/no_such_choice"
NO_TIME_LIMIT = "tricks/no_time_limit"

CODES: frozenset[str] = frozenset(
    (
        NOT_YOUR_TURN,
        NOT_HELD,
        NO_SUCH_COMBINATION,
        DOES_NOT_BEAT,
        PASS_ON_EMPTY_TRICK,
        NO_DEAL_IN_PROGRESS,
        DEAL_IN_PROGRESS,
        BAD_SEED,
        MATCH_OVER,
        OTHER_PHASE,
        NO_SUCH_ACT,
        NO_SUCH_SEAT,
        WRONG_BURY_COUNT,
        ALREADY_OUT,
        ALREADY_FORFEITED,
        NO_SURRENDER,
        SURRENDER_TOO_LATE,
        ALREADY_OFFERED,
        NO_REDEAL,
        REDEAL_TOO_LATE,
        ALREADY_VOTED,
        NOT_DECLARABLE,
        DECLARED_TOO_LOW,
        NO_SUCH_BID,
        BID_TOO_LOW,
        CALL_TOO_LATE,
        NOTHING_TO_GRAB,
        NOT_IN_KITTY,
        MUST_PLAY,
        NO_CARDS,
        MIXED_SUITS,
        NO_THROWS,
        WRONG_CARD_COUNT,
        MUST_FOLLOW_SUIT,
        MUST_FOLLOW_TRACTOR,
        MUST_FOLLOW_QUAD,
        MUST_FOLLOW_TRIPLE,
        MUST_FOLLOW_PAIR,
        MUST_FOLLOW_HIGH,
        NO_SUCH_SHOW,
        SHOW_TOO_LOW,
        SHOWN_BEFORE,
        OWN_SHOW,
        JOKER_COLOUR,
        DECLARER_SIDE_FIRST,
        DECLARER_WAITS,
        NO_OVERTURN_NOW,
        TRUMP_LOCKED,
        TRUMP_FINAL,
        WRONG_RETURN,
        WRONG_KITTY_SIZE,
        SHOWN_STAYS,
        NO_SUCH_CHOICE,
        NO_TIME_LIMIT,
    )
)
"""The closed set of refusal codes, `family/what`; clients may depend on them."""


class IllegalCommand(ValueError):
    """A command that the rules refuse: the state stays as it was.

    `cards` are those at fault (empty when no card is), `seat` the seat that asked.
    """

    def __init__(
        self, code: str, message: str, cards: tuple[Card, ...] = (), seat: Seat | None = None
    ) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.cards = cards
        self.seat = seat
