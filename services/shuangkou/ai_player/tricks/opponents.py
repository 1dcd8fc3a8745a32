"""Players to be measured against: some weak, some one-sided, none used in any rollout."""

from functools import partial

from shuangkou.ai_player.mind import Player
from shuangkou.ai_player.personas import PLAIN
from shuangkou.ai_player.tricks.chance import chance_of, choose_at_random
from shuangkou.ai_player.tricks.core_policy import beginner, instant
from shuangkou.ai_player.tricks.phases import act_for, rule_play
from shuangkou.rules.commands import PlayCards
from shuangkou.rules.tricks.defaults import default_lead
from shuangkou.rules.tricks.events import Phase
from shuangkou.rules.tricks.legal_acts import legal_acts_in_view
from shuangkou.rules.tricks.options import TricksOptions
from shuangkou.rules.tricks.plays import Cards, LegalFollows
from shuangkou.rules.tricks.position import Position, position_seen
from shuangkou.rules.tricks.view import SeatView
from shuangkou.rules.tricks.winning import winner
from shuangkou.wire.commands import SeatAct

_SLIPS = 0.1


def naive(options: TricksOptions, view: SeatView) -> SeatAct:
    """Leads its lowest card, beats whoever takes the trick, its partner too, with the lowest play that does,
    and else gives the least."""
    return _plain_play(options, view, beats=True)


def trump_happy(options: TricksOptions, view: SeatView) -> SeatAct:
    """Leads its highest trump, and puts its highest trumps on every trick that it may, its partner's too;
    without a trump to play it is naive."""
    position, follows = position_seen(options, view), legal_acts_in_view(options, view).follows
    plays = follows.plays if follows else tuple((card,) for card in position.hand)
    highest = max(plays, key=lambda cards: _trumps(position, cards))
    return PlayCards(position.seat, highest) if _trumps(position, highest) else naive(options, view)


def _trumps(position: Position, cards: Cards) -> list[int]:
    """How high its trumps are, the highest first."""
    order = position.order
    return sorted((order.strengths[card] for card in cards if order.is_trump(card)), reverse=True)


def passive(options: TricksOptions, view: SeatView) -> SeatAct:
    """Leads its lowest card and never beats anything that it need not."""
    return _plain_play(options, view, beats=False)


def ten_percent_random(options: TricksOptions, view: SeatView) -> SeatAct:
    """The rule policy, but for every tenth play, which is left to chance."""
    if chance_of(view, "slip").random() < _SLIPS:
        return choose_at_random(options, view, "slip")
    return instant(options, view, PLAIN)


def _plain_play(options: TricksOptions, view: SeatView, *, beats: bool) -> SeatAct:
    position, follows = position_seen(options, view), legal_acts_in_view(options, view).follows
    if follows is None:
        return PlayCards(position.seat, default_lead(position.order, position.hand))
    winning = _lowest_winning(position, follows) if beats else None
    return PlayCards(position.seat, winning or follows.plays[0])


def _lowest_winning(position: Position, follows: LegalFollows) -> Cards | None:
    order, table = position.order, [play.cards for play in position.trick]
    winning = [cards for cards in follows.plays if winner(order, [*table, cards]) == len(table)]
    if not winning:
        return None
    return min(winning, key=lambda cards: [order.strengths[card] for card in cards[::-1]])


def _in_play(play: Player) -> Player:
    """What comes before play is done by the same plain sense, whoever plays."""

    def acts(options: TricksOptions, view: SeatView) -> SeatAct:
        return play(options, view) if view.phase is Phase.PLAY else act_for(options, view, PLAIN)

    return acts


_PLAYERS: dict[str, Player] = {
    "naive": naive,
    "trump_happy": trump_happy,
    "passive": passive,
    "ten_percent_random": ten_percent_random,
    "rule": partial(rule_play, persona=PLAIN),
    "instant": partial(instant, persona=PLAIN),
    "beginner": partial(beginner, persona=PLAIN),
}

PLAYERS: dict[str, Player] = {
    "random": choose_at_random,
    **{name: _in_play(play) for name, play in _PLAYERS.items()},
}
"""By the names that the arena knows."""
