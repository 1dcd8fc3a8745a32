"""Auctions of trump written by hand, and random ones of every trick-taking ruleset."""

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from shuangkou.rules.cards import JOKERS, Card, Rank, full_deck
from shuangkou.rules.notation import parse_cards, parse_rank
from shuangkou.rules.ruleset import TricksRuleSet, available, load
from shuangkou.rules.seats import SEATS, Seat
from shuangkou.rules.tricks.asking import after_bury, after_draw, after_pass, after_show
from shuangkou.rules.tricks.auction import Auction, Stage, open_auction
from shuangkou.rules.tricks.declaring import legal_shows, show_of
from shuangkou.rules.tricks.nobody import after_turn, turn_kitty
from shuangkou.rules.tricks.options import TricksOptions

RULESETS: dict[str, TricksRuleSet] = {id: load(id) for id in available("tricks")}
"""Every trick-taking game by its id."""


def opened(id: str, level: str = "2", declarer: int | None = None, others: str | None = None) -> Auction:
    """Before the draw: a first deal where there is no declarer, else a later one; seat 0 draws first.

    level: that of the declaring side, of both where `others` is not given.
    """
    rank = parse_rank(level)
    rest = rank if others is None else parse_rank(others)
    return open_auction(
        RULESETS[id].options,
        is_first_deal=declarer is None,
        levels=(rest, rank) if declarer in (1, 3) else (rank, rest),
        first=SEATS[0],
        declarer=None if declarer is None else SEATS[declarer],
    )


def shown(auction: Auction, seat: int, text: str) -> Auction:
    """After this show, of a seat that holds nothing else; IllegalCommand where it is refused."""
    cards = parse_cards(text)
    return after_show(auction, show_of(auction, SEATS[seat], cards, cards))


def passed(auction: Auction, *seats: int) -> Auction:
    """After these seats have passed, each when it was asked."""
    for seat in seats:
        assert auction.asked == seat
        auction = after_pass(auction, SEATS[seat])
    return auction


def all_passed(auction: Auction) -> Auction:
    """After everybody that is still asked has passed."""
    while auction.asked is not None:
        auction = after_pass(auction, auction.asked)
    return auction


def buried(auction: Auction) -> Auction:
    """After the draw, if it lasts, a closing round of passes, and the bury."""
    if auction.stage is Stage.DRAWING:
        auction = all_passed(after_draw(auction))
    assert auction.stage is Stage.BURYING
    assert auction.burier is not None
    return after_bury(auction, auction.burier)


@dataclass(frozen=True, slots=True)
class Step:
    """An auction at some moment and the cards that each seat holds then."""

    auction: Auction
    hands: tuple[tuple[Card, ...], ...]


def some_steps(ruleset: TricksRuleSet, rng: Random) -> Iterator[Step]:
    """A whole auction played at random, moment by moment, with hands full of what can be shown.

    It ends with Stage.CLOSED, or with UNDECLARED where the deal is dealt again.
    """
    auction = _some_opening(ruleset.options, rng)
    deck = _lively_deck(auction, rng)
    hands: tuple[tuple[Card, ...], ...] = ((), (), (), ())
    eagerness = rng.choice((0.05, 0.3, 0.9))
    for place in range(0, len(deck) - 4, 4):
        hands = tuple((*hands[seat], deck[place + seat]) for seat in range(4))
        for seat in rng.sample(SEATS, 4):
            yield Step(auction, hands)
            auction = _maybe_shown(auction, seat, hands[seat], rng, eagerness)
    auction = after_draw(auction)
    while auction.stage is not Stage.CLOSED:
        yield Step(auction, hands)
        following = _next(auction, hands, rng, eagerness)
        if following is None:
            return
        auction = following
    yield Step(auction, hands)


def _next(
    auction: Auction, hands: tuple[tuple[Card, ...], ...], rng: Random, eagerness: float
) -> Auction | None:
    if auction.stage is Stage.UNDECLARED:
        kitty = rng.sample(full_deck(auction.options.decks), auction.options.kitty)
        turned = turn_kitty(auction, kitty, rng.randrange(7))
        return None if turned is None else after_turn(auction, turned)
    if auction.stage is Stage.BURYING:
        assert auction.burier is not None
        return after_bury(auction, auction.burier)
    assert auction.asked is not None
    after = _maybe_shown(auction, auction.asked, hands[auction.asked], rng, eagerness)
    return after_pass(auction, auction.asked) if after is auction else after


def _maybe_shown(
    auction: Auction, seat: Seat, hand: tuple[Card, ...], rng: Random, eagerness: float
) -> Auction:
    legal = legal_shows(auction, seat, hand)
    if not legal or rng.random() > eagerness:
        return auction
    return after_show(auction, show_of(auction, seat, rng.choice(legal), hand))


def _some_opening(options: TricksOptions, rng: Random) -> Auction:
    ranks = [level.rank for level in options.ladder or options.schedule]
    own, others = (rng.choice(ranks), rng.choice(ranks)) if ranks else (None, None)
    is_first = rng.random() < 0.4
    if is_first or not options.ladder or rng.random() < 0.3:
        own = others = ranks[0] if ranks else None
    is_fixed = bool(options.schedule)
    declarer = rng.choice(SEATS) if is_fixed or not is_first else None
    if not ranks:
        declarer = None
    return open_auction(
        options, is_first_deal=is_first, levels=(own, others), first=rng.choice(SEATS), declarer=declarer
    )


def _lively_deck(auction: Auction, rng: Random) -> list[Card]:
    """Level cards and jokers, and a few others that may not be shown."""
    every = full_deck(auction.options.decks)
    ranks: set[Rank | None] = {*auction.levels, *JOKERS}
    if None in auction.levels:
        ranks |= {*rng.sample(tuple(Rank), 4)}
    lively = [card for card in every if card.rank in ranks]
    deck = lively + rng.sample(every, 6)
    rng.shuffle(deck)
    return deck
