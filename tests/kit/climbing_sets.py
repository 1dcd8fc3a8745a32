"""Random cards that are worth asking about: near-misses of real combinations, and hands full of them."""

from collections import Counter
from random import Random

from shuangkou.rules.cards import CARDS, Card, Rank, Suit, card_of, full_deck
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


def random_cards(table: MoveTable, rng: Random) -> tuple[Card, ...]:
    """Near a combination, or of one suit, or any; never a card more often than the deck has it."""
    options = table.options
    deck = list(full_deck(options.decks, options.jokers))
    rng.shuffle(deck)
    kind = rng.random()
    if kind < 0.1:
        return tuple(deck[: rng.randint(0, 8)])
    if kind < 0.3:
        suit = rng.randrange(4)
        return tuple([card for card in deck if card.suit == suit][: rng.randint(1, 7)])
    need = table.needs[rng.randrange(len(table.combinations))].tolist()
    wanted = Counter(dict(zip(options.rank_order, need, strict=True)))
    cards: list[Card] = []
    for card in sorted(deck, key=lambda card: (card.suit != 1) if kind < 0.4 else 0):
        if wanted[card.rank]:
            wanted[card.rank] -= 1
            cards.append(card)
    spare = [card for card in deck if card not in cards]
    if kind > 0.8:
        cards.append(rng.choice(spare))
    if kind > 0.9:
        cards.pop(rng.randrange(len(cards)))
    rng.shuffle(cards)
    return tuple(cards)
