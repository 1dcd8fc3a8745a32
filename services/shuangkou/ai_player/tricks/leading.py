"""Leading (首出): winners that are known, safe throws, trumps drawn from the others, else what is cheap."""

from collections.abc import Iterator

from shuangkou.ai_player.tricks.chance import whims
from shuangkou.ai_player.tricks.holding import Holding, holding_of
from shuangkou.ai_player.tricks.situation import Situation
from shuangkou.ai_player.tricks.trick import Best, Cards, Trick
from shuangkou.ai_player.tricks.weights import Weights
from shuangkou.rules.tricks.order import EffectiveSuit
from shuangkou.rules.tricks.plays import legal_leads
from shuangkou.rules.tricks.units import SINGLE, Format, Unit, cards_of

_FEW = 2
"""Of the single cards of a suit so many of the highest and of the lowest are thought about."""


def choose_lead(situation: Situation, weights: Weights, whim: float) -> Cards:
    """The cards to lead."""
    holding = holding_of(situation, weights)
    leads = list(_leads(situation))
    strays = whims(situation.view, len(leads), whim)
    worths = [
        _worth(situation, weights, holding, lead) + stray for lead, stray in zip(leads, strays, strict=True)
    ]
    best = leads[worths.index(max(worths))]
    return situation.order.ascending(_cards(best))


def _cards(lead: Format) -> Cards:
    return tuple([card for unit in lead.units for card in unit.cards])


def _leads(situation: Situation) -> Iterator[Format]:
    unseen = cards_of(situation.unseen)
    legal = legal_leads(situation.order, situation.view.hand, situation.options.throws, unseen)
    singles: dict[EffectiveSuit, list[Unit]] = {}
    for unit in legal.units:
        suit = situation.order.suits[unit.cards[0]]
        if unit.shape == SINGLE:
            singles.setdefault(suit, []).append(unit)
        else:
            yield Format(suit, (unit,))
    for suit, units in singles.items():
        few = units if len(units) <= 2 * _FEW else (*units[:_FEW], *units[-_FEW:])
        yield from (Format(suit, (unit,)) for unit in few)
    yield from legal.throws


def _worth(situation: Situation, weights: Weights, holding: Holding, lead: Format) -> float:
    cards = _cards(lead)
    trick = Trick(situation, weights, holding, lead, Best(situation.seat, False, lead.key.top), 0)
    worth = trick.worth(cards)
    if lead.suit is EffectiveSuit.TRUMP:
        worth += weights.draw * len(cards) * _surplus(situation)
    return worth


def _surplus(situation: Situation) -> float:
    """Trumps that the seat has more than each of the others on average."""
    return situation.trumps - situation.suit_sizes[EffectiveSuit.TRUMP] / 3
