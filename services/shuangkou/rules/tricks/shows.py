"""What is shown for trump (亮主): how shown cards read, and which readings there are (§3.2, §3.3)."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from itertools import product

from shuangkou.rules.cards import CARDS, JOKERS, Card, Rank, Suit, card_of
from shuangkou.rules.seats import Seat
from shuangkou.rules.tricks.order import Trump

Cards = tuple[Card, ...]


class ShowKind(Enum):
    """What a show does to those before it."""

    DECLARE = "declare"
    REINFORCE = "reinforce"
    OVERTURN = "overturn"


@dataclass(frozen=True, slots=True)
class Form:
    """Shown cards as they read: copies of one face, perhaps with a joker beside them.

    trump: what they would make trump. rank: of the copies; a joker's in a set of jokers. count: how many
    copies. joker: the one shown beside them, None where there is none.
    """

    trump: Trump
    rank: Rank
    count: int
    joker: Rank | None = None

    @property
    def cards(self) -> Cards:
        """The cards that read so, sorted."""
        copies = (card_of(self.rank, self.trump.suit),) * self.count
        return copies if self.joker is None else (*copies, card_of(self.joker))

    @property
    def is_joker_pair(self) -> bool:
        """Two identical jokers (对王), which mean no trump."""
        return self.rank in JOKERS and self.count == 2


@dataclass(frozen=True, slots=True)
class Show:
    """One show of a deal as it was accepted; the cards stay in their owner's hand.

    cards: all that were shown, sorted, with those that the seat had on the table before; empty for a seat
    that may not know them (§3.6). size: how many, known to all. is_after_bury: in the asking after the
    bury (扣底后).
    """

    seat: Seat
    kind: ShowKind
    cards: Cards
    size: int
    is_face_down: bool = False
    is_after_bury: bool = False

    @property
    def form(self) -> Form | None:
        """How it reads; None while it is hidden."""
        return read_form(self.cards)

    @property
    def face_down_part(self) -> Cards:
        """The cards that only their owner may know: all of a face-down show, none of an open one."""
        return self.cards if self.is_face_down else ()


def read_form(cards: Cards) -> Form | None:
    """How these cards read, in any order; None when they cannot be shown together in any ruleset."""
    jokers = [card.rank for card in cards if card.rank in JOKERS]
    faces = [card for card in cards if card.rank not in JOKERS]
    if len({*faces}) > 1 or len({*jokers}) > 1 or not cards:
        return None
    if not faces:
        return Form(Trump.NONE, jokers[0], len(jokers))
    if len(jokers) > 1:
        return None
    return Form(Trump.of(faces[0].suit), faces[0].rank, len(faces), jokers[0] if jokers else None)


def forms_of(counts: Counter[Card], ranks: frozenset[Rank]) -> Iterator[Form]:
    """Every reading of cards among these that shows one of these ranks, or jokers alone."""
    jokers = (None, *(rank for rank in sorted(JOKERS) if counts[card_of(rank)]))
    for rank, suit, joker in product(sorted(ranks), Suit, jokers):
        for count in range(1, counts[card_of(rank, suit)] + 1):
            yield Form(Trump.of(suit), rank, count, joker)
    for rank in sorted(JOKERS):
        for count in range(1, counts[card_of(rank)] + 1):
            yield Form(Trump.NONE, rank, count)


def copies_of_all(decks: int) -> Counter[Card]:
    """Every face as often as the deck has it."""
    return Counter(dict.fromkeys(CARDS, decks))
