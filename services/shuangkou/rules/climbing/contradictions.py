"""Why a row of options cannot be played."""

from collections.abc import Iterator
from itertools import pairwise

from shuangkou.rules.cards import JOKERS, Rank
from shuangkou.rules.climbing.combinations import Kind
from shuangkou.rules.climbing.options import (
    EXTRA_KINDS,
    BombOrder,
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

Check = tuple[bool, str]
"""Whether it holds, and what to say when it does not."""


def contradictions(options: ClimbingOptions) -> list[str]:
    """Why these options cannot be played together; empty when they can."""
    checks = (*_of_the_deck(options), *_of_the_kinds(options), *_of_the_table(options))
    return [message for holds, message in checks if not holds]


def _of_the_deck(options: ClimbingOptions) -> Iterator[Check]:
    order, run = options.rank_order, options.run_ranks
    ranks = set(Rank) if options.jokers else set(Rank) - JOKERS
    cards = options.decks * (54 if options.jokers else 52)
    at = order.index(run[0]) if run and run[0] in order else 0
    yield set(order) == ranks, "rank_order must name every rank of the deck once"
    yield order[at : at + len(run)] == run, "run_ranks must be neighbours in rank_order"
    yield set(options.set_ranks) <= ranks, "set_ranks must be ranks of the deck"
    dealt = options.hand_size * options.players + options.kitty
    yield options.hand_size > 0 and dealt <= cards, f"hand_size for all and kitty must be at most {cards}"
    yield 1 <= options.decks <= 3, "decks must be 1 to 3"
    yield options.wild in ((), (Rank.BIG_JOKER,)), "wild must be nothing or BJ"
    yield not options.wild or order[-1:] == options.wild, "a wild rank must be the highest"


def _of_the_kinds(options: ClimbingOptions) -> Iterator[Check]:
    has_stars = options.bomb_order is not BombOrder.SIZE
    needs_jokers = options.three_joker_bomb or options.topped_bombs or options.wild or has_stars
    has_bombs = 4 <= options.min_bomb <= options.max_bomb
    has_chains = 2 <= options.min_chain <= options.max_chain
    yield options.min_bomb == 0 or has_bombs, "min_bomb must be 0, or at least 4 and at most max_bomb"
    yield options.min_chain == 0 or has_chains, "min_chain must be 0, or at least 2 and at most max_chain"
    yield set(options.extra_kinds) <= EXTRA_KINDS, "extra_kinds has kinds that are no extra"
    yield (
        not needs_jokers or (options.jokers and options.decks == 2),
        "wild cards, stars, three_joker_bomb and topped_bombs need the jokers of two packs",
    )
    yield not options.suits or options.decks == 1, "suits count only where no card is there twice"
    has_kickers = bool({Kind.TRIPLE1, Kind.QUAD2} & set(options.extra_kinds))
    yield not has_kickers or SuitRule.TIES not in options.suits, "ties are not for kinds with kickers"


def _of_the_table(options: ClimbingOptions) -> Iterator[Check]:
    has_sides = options.sides is Sides.PARTNERS
    yield options.players in (2, 4), "players must be 2 or 4"
    yield not has_sides or options.players == 4, "two players have no sides"
    yield has_sides or options.deal_end is not DealEnd.SIDE_OUT, "side_out needs partners"
    yield has_sides or not options.open_partner_hands, "open_partner_hands needs partners"
    yield options.forfeit_fine % 3 == 0, "forfeit_fine must be a multiple of 3"
    yield options.phases[-1:] == (Phase.PLAY,), "the last of phases must be play"
    yield from _of_the_kitty(options)
    yield from _of_the_phases(options)
    yield from _of_the_tricks(options)


def _of_the_kitty(options: ClimbingOptions) -> Iterator[Check]:
    use = options.kitty_use
    is_even = use is not KittyUse.DRAWN or options.kitty % options.players == 0
    is_buried = Phase.BURY in options.phases
    yield options.kitty > 0 or use is KittyUse.UNSEEN, "without a kitty its kitty_use must be unseen"
    yield is_even, "a kitty that is drawn must be the same number of cards for each seat"
    yield is_buried == (use is KittyUse.TAKEN), "who takes the kitty must bury as many cards, and nobody else"


def _of_the_phases(options: ClimbingOptions) -> Iterator[Check]:
    phases, use = options.phases, options.kitty_use
    stock = options.hand_size * options.players
    has_auction = Phase.AUCTION in phases
    yield len(set(phases)) == len(phases), "phases must name each phase once"
    yield len(phases) == 1 or options.players == 4, "only four players have phases before play"
    yield (
        (Phase.DECLARE in phases) == bool(options.declarations),
        "declare needs declarations, and they need it",
    )
    yield has_auction == (options.max_bid > 0), "an auction needs a max_bid, and that needs an auction"
    yield has_auction or options.scoring is not Scoring.LANDLORD_SIDES, "landlord_sides needs an auction"
    yield (Phase.TAKE in phases) == (use is KittyUse.CHOSEN), "a chosen kitty is taken from, and no other"
    follows = list(pairwise(phases))
    is_named = Phase.TAKE not in phases or (Phase.AUCTION, Phase.TAKE) in follows
    yield is_named, "take comes after the auction, for only a landlord takes from the kitty"
    yield (
        (Phase.EXCHANGE in phases) == (use is KittyUse.STOCK),
        "cards are exchanged with a stock, and only so",
    )
    yield use is not KittyUse.STOCK or options.kitty >= stock, "a stock must do for all hands"


def _of_the_tricks(options: ClimbingOptions) -> Iterator[Check]:
    is_round = options.trick_end is TrickEnd.ONE_ROUND
    is_last = options.deal_end is DealEnd.LAST_TRICK
    places = [place for place, _ in options.place_weights]
    by_place = options.scoring is Scoring.PLAYS_BY_PLACE
    yield (
        is_last == (options.scoring is Scoring.TRICK_PIPS),
        "last_trick is scored by trick_pips, and only it",
    )
    yield not is_last or options.discards, "last_trick needs discards"
    yield (
        not options.discards or (is_round and options.max_set == 1),
        "discards are single cards in one_round",
    )
    yield is_round or options.trick_lead is TrickLead.WINNER, "after_winner needs one_round"
    yield not by_place or places == [1, 2, 3, 4], "place_weights must name the places 1 to 4"
    yield not options.rotation or options.later_lead is LaterLead.RANDOM, "rotation needs a random lead"
    yield not options.surrender or options.scoring is Scoring.PLACES, "surrender needs places to score"
