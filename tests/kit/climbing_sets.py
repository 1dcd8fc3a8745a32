"""Random cards that are worth asking about: near-misses of real combinations, and hands full of them."""

from random import Random

from shuangkou.rules.cards import CARDS, Card, Rank, Suit, card_of
from shuangkou.rules.climbing.move_table import MoveTable
from shuangkou.rules.notation import DEFAULT_ORDER


def random_set(table: MoveTable, rng: Random) -> tuple[Card, ...]:
    """Cards of a combination, some of them wild, dropped, added or changed; sometimes any cards at all."""
    if rng.random() < 0.1:
        return tuple(rng.choices(CARDS, k=rng.randint(0, 8)))
    need = table.needs[rng.randrange(len(table.combinations))].tolist()
    ranks = [rank for rank, count in zip(DEFAULT_ORDER, need, strict=True) for _ in range(count)]
    for _ in range(rng.choice((0, 0, 1, 1, 2))):
        ranks[rng.randrange(len(ranks))] = Rank.BIG_JOKER
    change = rng.random()
    if change < 0.15:
        ranks[rng.randrange(len(ranks))] = rng.choice(DEFAULT_ORDER)
    elif change < 0.3:
        ranks.append(rng.choice((*DEFAULT_ORDER, Rank.SMALL_JOKER, Rank.BIG_JOKER)))
    elif change < 0.4:
        ranks.pop(rng.randrange(len(ranks)))
    rng.shuffle(ranks)
    return tuple(any_card(rank, rng) for rank in ranks)


def random_hand(rng: Random) -> tuple[Card, ...]:
    """A hand of few ranks with up to all jokers, small enough to try every part of it."""
    width = rng.choice((3, 3, 4, 5, 7))
    first = rng.randint(0, 13 - width)
    most = {3: 8, 4: 5, 5: 4, 7: 2}[width]
    held = {rank: rng.randint(0, most) for rank in DEFAULT_ORDER[first : first + width]}
    held |= {Rank.SMALL_JOKER: rng.randint(0, 2), Rank.BIG_JOKER: rng.choice((0, 1, 2, 2))}
    cards = [any_card(rank, rng) for rank, count in held.items() for _ in range(count)]
    return tuple(cards[-27:])


def any_card(rank: Rank, rng: Random) -> Card:
    """A card of this rank in any suit."""
    return card_of(rank, None if rank > Rank.ACE else rng.choice(tuple(Suit)))
