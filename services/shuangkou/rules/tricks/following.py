"""What a hand owes to a lead, and which plays meet it (§6.6, §6.7)."""

from collections.abc import Sequence
from dataclasses import dataclass

from shuangkou.rules import errors
from shuangkou.rules.cards import CARDS, Card
from shuangkou.rules.errors import IllegalCommand
from shuangkou.rules.notation import format_tricks_card
from shuangkou.rules.tricks.order import EffectiveSuit, TrumpOrder
from shuangkou.rules.tricks.packing import can_cut
from shuangkou.rules.tricks.units import Counts, Format, Shape, counts_of


@dataclass(frozen=True, slots=True)
class Sets:
    """Sets of equal cards (§6.6): a face with c copies is c // j sets of j."""

    quads: int
    triples: int
    pairs: int


@dataclass(frozen=True, slots=True)
class Duty:
    """What every follow of one hand has to be (跟牌义务).

    size: cards to play. must: cards to play in any case. choice: what the others come from.
    is_exhausted: the hand has no more of the suit than are led, and owes nothing else. tractors: led shapes
    to be matched side by side, the largest first. sets: how many of each the play has to hold, those
    within tractors included.
    """

    suit: EffectiveSuit
    size: int
    is_exhausted: bool
    must: Counts
    choice: Counts
    tractors: tuple[Shape, ...]
    sets: Sets


_NOTHING = Sets(0, 0, 0)


def duty(order: TrumpOrder, lead: Format, hand: Sequence[Card], high_follow: bool = False) -> Duty:
    """What this hand owes. high_follow: the option of that name, for games with two packs at most.

    What is owed is the best that any choice of `size` cards of the suit could do, first in tractors and
    then in quads, triples and pairs. Tractors are owed whatever the sets are: those of the lead fit into
    its size. For the sets see `_sets_owed`.
    """
    suit, size = lead.suit, lead.size
    held, others = [0] * len(CARDS), [0] * len(CARDS)
    for card in hand:
        (held if order.suits[card] is suit else others)[card] += 1
    if sum(held) <= size:
        return Duty(suit, size, True, held, others, (), _NOTHING)
    needed = _sets_in(lead.shape)
    owed = _sets_owed(needed, held, size)
    tractors = _tractors_owed(order, suit, held, lead.shape)
    nothing = [0] * len(CARDS)
    if high_follow and needed.pairs > sum(count // 2 for count in held):
        must, choice = _highest(order, held, size)
        return Duty(suit, size, False, must, choice, tractors, owed)
    return Duty(suit, size, False, nothing, held, tractors, owed)


def ruff_duty(order: TrumpOrder, lead: Format, owed: Duty) -> Duty | None:
    """What trumps played on another suit have to be to take the lead; None where the hand has none such."""
    trumps = [count if order.is_trump(card) else 0 for card, count in zip(CARDS, owed.choice, strict=True)]
    line = order.lines[EffectiveSuit.TRUMP]
    if sum(trumps) < owed.size or not can_cut(line, trumps, lead.shape):
        return None
    tractors = tuple(shape for shape in lead.shape if shape.is_tractor)
    nothing = [0] * len(CARDS)
    return Duty(EffectiveSuit.TRUMP, owed.size, False, nothing, trumps, tractors, _sets_in(lead.shape))


def can_meet(order: TrumpOrder, lead: Format, owed: Duty, held: Counts) -> bool:
    """Whether these cards of the suit led, some of those that owe the duty, could still meet it."""
    return (
        sum(held) >= owed.size
        and _sets_owed(_sets_in(lead.shape), held, owed.size) == owed.sets
        and can_cut(order.lines[owed.suit], held, owed.tractors)
    )


def is_legal_follow(order: TrumpOrder, owed: Duty, cards: Sequence[Card]) -> bool:
    """Whether these cards, all of the hand, meet its duty."""
    return _fault(order, owed, cards) is None


def check_follow(order: TrumpOrder, owed: Duty, cards: Sequence[Card]) -> None:
    """IllegalCommand when these cards, all of the hand, do not meet its duty."""
    fault = _fault(order, owed, cards)
    if fault is None:
        return
    code, why, at_fault = fault
    shown = " ".join(map(format_tricks_card, order.ascending(cards)))
    raise IllegalCommand(code, f"cannot follow with {shown}: {why}", at_fault)


def _fault(order: TrumpOrder, owed: Duty, cards: Sequence[Card]) -> tuple[str, str, tuple[Card, ...]] | None:
    if len(cards) != owed.size:
        return errors.WRONG_CARD_COUNT, f"the lead has {_count(owed.size, 'card')}", ()
    played = counts_of(cards)
    missing = _beyond(owed.must, played)
    foreign = tuple(card for card in cards if played[card] > owed.must[card] + owed.choice[card])
    if missing or foreign:
        return _fault_of_cards(order, owed, cards, missing or foreign)
    if not _has_sets(played, owed.sets):
        return _fault_of_sets(played, owed.sets)
    if owed.tractors and not can_cut(order.lines[owed.suit], played, owed.tractors):
        lengths = ", ".join(f"{shape.copies}x{shape.length}" for shape in owed.tractors)
        return errors.MUST_FOLLOW_TRACTOR, f"the hand can match tractors {lengths}", ()
    return None


def _fault_of_cards(
    order: TrumpOrder, owed: Duty, cards: Sequence[Card], at_fault: tuple[Card, ...]
) -> tuple[str, str, tuple[Card, ...]]:
    stray = tuple(card for card in cards if order.suits[card] is not owed.suit)
    if stray:
        return errors.MUST_FOLLOW_SUIT, "the hand has more cards of the suit led", stray
    return errors.MUST_FOLLOW_HIGH, "the highest cards of the suit are owed", at_fault


def _fault_of_sets(played: Counts, owed: Sets) -> tuple[str, str, tuple[Card, ...]]:
    if sum(count // 4 for count in played) < owed.quads:
        return errors.MUST_FOLLOW_QUAD, f"{_count(owed.quads, 'quad')} owed", ()
    if sum(count // 3 for count in played) < owed.triples:
        return errors.MUST_FOLLOW_TRIPLE, f"{_count(owed.triples, 'triple')} owed", ()
    return errors.MUST_FOLLOW_PAIR, f"{_count(owed.pairs, 'pair')} owed", ()


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'s'[: number != 1]}"


def _beyond(owed: Counts, played: Counts) -> tuple[Card, ...]:
    return tuple(card for card in CARDS if owed[card] > played[card])


def _has_sets(played: Counts, owed: Sets) -> bool:
    return (
        sum(count // 2 for count in played) >= owed.pairs
        and sum(count // 3 for count in played) >= owed.triples
        and sum(count // 4 for count in played) >= owed.quads
    )


def _sets_in(shapes: Sequence[Shape]) -> Sets:
    """A unit of m copies over n places needs n * (m // j) sets of j."""
    quads, triples, pairs = (sum(n * (m // copies) for m, n in shapes) for copies in (4, 3, 2))
    return Sets(quads, triples, pairs)


def _tractors_owed(
    order: TrumpOrder, suit: EffectiveSuit, held: Counts, shapes: Sequence[Shape]
) -> tuple[Shape, ...]:
    """From the largest down each led tractor that can be matched beside those before it."""
    line, owed = order.lines[suit], list[Shape]()
    tractors = tuple(shape for shape in shapes if shape.is_tractor)
    if can_cut(line, held, tractors):
        return tractors
    impossible: Shape | None = None
    for shape in tractors:
        if shape == impossible:
            continue
        if can_cut(line, held, (*owed, shape)):
            owed.append(shape)
        else:
            impossible = shape
    return tuple(owed)


def _sets_owed(needed: Sets, held: Counts, size: int) -> Sets:
    """The most sets that `size` cards can hold: quads before triples before pairs, none above what is needed.

    Whatever tractors are owed, their cards can be made up to these sets: every unit of the lead brings
    as many cards as the sets need that stand for it. Only where triples have to stand for quads may the
    cards run out, for a triple leaves one card that makes no pair; then there are no quads but those played.
    """
    quads = min(needed.quads, sum(count >= 4 for count in held))
    triples = min(needed.triples, sum(count >= 3 for count in held))
    pairs = min(needed.pairs, sum(count // 2 for count in held))
    if quads < needed.quads:
        alone = triples - quads
        by_size = 2 * quads + alone + (size - 4 * quads - 3 * alone) // 2
        pairs = min(pairs, by_size)
    return Sets(quads, triples, pairs)


def _highest(order: TrumpOrder, held: Counts, size: int) -> tuple[Counts, Counts]:
    """§6.7: all pairs and the highest of the other cards; and, to choose from, those equal to the lowest."""
    must, choice = [0] * len(CARDS), [0] * len(CARDS)
    lone: list[Card] = []
    for card in CARDS:
        must[card] = held[card] // 2 * 2
        lone += (card,) * (held[card] % 2)
    lone.sort(key=order.strength_of, reverse=True)
    room = size - sum(must)
    limit = order.strengths[lone[room - 1]]
    equal = [card for card in lone if order.strengths[card] == limit]
    higher = [card for card in lone if order.strengths[card] > limit]
    is_open = len(higher) + len(equal) > room
    for card in higher if is_open else (*higher, *equal):
        must[card] += 1
    for card in equal if is_open else ():
        choice[card] += 1
    return must, choice
