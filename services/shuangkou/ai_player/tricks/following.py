"""Following (跟牌): give points to a trick that is won, win one that is worth it, else give little."""

from collections.abc import Iterator

from shuangkou.ai_player.tricks.chance import whims
from shuangkou.ai_player.tricks.holding import POINTS, Holding, holding_of
from shuangkou.ai_player.tricks.situation import Situation
from shuangkou.ai_player.tricks.trick import Best, Cards, Trick
from shuangkou.ai_player.tricks.weights import Weights
from shuangkou.rules.cards import CARDS
from shuangkou.rules.tricks.defaults import Preference, preferred_follow
from shuangkou.rules.tricks.following import Duty, duty, is_legal_follow, ruff_duty
from shuangkou.rules.tricks.order import EffectiveSuit
from shuangkou.rules.tricks.point_cards import points_of
from shuangkou.rules.tricks.units import SINGLE, Format, format_of, tops, unit_at
from shuangkou.rules.tricks.winning import strength_of_follow, winner


def choose_follow(situation: Situation, weights: Weights, whim: float) -> Cards:
    """The cards to follow with."""
    order, trick = situation.order, situation.view.trick
    lead = format_of(order, trick[0].cards)
    assert lead is not None  # the rules let nothing else be led
    owed = duty(order, lead, situation.view.hand, situation.options.high_follow)
    holding = holding_of(situation, weights)
    now = _trick_now(situation, weights, holding, lead)
    plays = list(dict.fromkeys(_plays(situation, lead, owed, holding)))
    if len(plays) == 1:
        return plays[0]
    strays = whims(situation.view, len(plays), whim)
    worths = [now.worth(cards) + stray for cards, stray in zip(plays, strays, strict=True)]
    return plays[worths.index(max(worths))]


def _trick_now(situation: Situation, weights: Weights, holding: Holding, lead: Format) -> Trick:
    order, trick = situation.order, situation.view.trick
    best = trick[winner(order, [play.cards for play in trick])]
    is_ruffed = lead.suit is not EffectiveSuit.TRUMP and order.is_trump(best.cards[0])
    strength = lead.key.top if best is trick[0] else strength_of_follow(order, lead, best.cards)
    points = points_of(card for play in trick for card in play.cards)
    return Trick(situation, weights, holding, lead, Best(best.seat, is_ruffed, strength or 0), points)


def _plays(situation: Situation, lead: Format, owed: Duty, holding: Holding) -> Iterator[Cards]:
    """Legal follows worth a thought."""
    order = situation.order
    for swing in (1, -1):
        yield preferred_follow(order, owed, _by_cost(holding, swing))
    if not owed.is_exhausted:
        yield from _units(situation, lead, owed)
    elif not any(owed.must) and lead.suit is not EffectiveSuit.TRUMP:
        yield from _ruffs(situation, lead, owed, holding)


def _by_cost(holding: Holding, swing: int) -> Preference:
    """The cheapest first, with points saved (1) or given away (-1)."""
    return lambda card: (round(100 * (holding.each(card) + swing * POINTS[card] / 2)), card)


def _units(situation: Situation, lead: Format, owed: Duty) -> Iterator[Cards]:
    """Units of the shape led, which may win; of a single lead that is every card."""
    order, shape = situation.order, lead.key.shape
    if lead.is_throw or any(owed.must):
        return
    if shape == SINGLE:
        yield from ((CARDS[card],) for card, count in enumerate(owed.choice) if count)
        return
    line = order.lines[owed.suit]
    for top in tops(line, owed.choice, shape):
        cards = unit_at(line, owed.choice, shape, top).cards
        if is_legal_follow(order, owed, cards):
            yield order.ascending(cards)


def _ruffs(situation: Situation, lead: Format, owed: Duty, holding: Holding) -> Iterator[Cards]:
    """毙: a plain lead with every unit that takes it; a throw as cheaply and as highly as may be."""
    order, line = situation.order, situation.order.lines[EffectiveSuit.TRUMP]
    if not lead.is_throw:
        for top in tops(line, owed.choice, lead.key.shape):
            yield order.ascending(unit_at(line, owed.choice, lead.key.shape, top).cards)
        return
    ruff = ruff_duty(order, lead, owed)
    if ruff is None:
        return
    for swing in (1, -1):
        cards = preferred_follow(order, ruff, _by_cost(holding, swing))
        if strength_of_follow(order, lead, cards) is not None:
            yield cards
