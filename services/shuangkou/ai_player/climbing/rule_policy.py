"""The rule policy: every legal act gets a worth in tricks, the best is played.

The worth of a play is what it saves (`hand_cost`), plus what the lead is worth if the play wins
the trick, minus what is at risk if it does not. Passing leaves the hand as it is, and leaves the
trick to its owner.
"""

from dataclasses import dataclass, replace

import numpy as np

from shuangkou.ai_player.climbing.chance import whim
from shuangkou.ai_player.climbing.features import Floats
from shuangkou.ai_player.climbing.hand_cost import row_costs, wild_hand_costs
from shuangkou.ai_player.climbing.outlook import Rival, win_chances
from shuangkou.ai_player.climbing.position import Position, position_of
from shuangkou.ai_player.personas import Persona
from shuangkou.rules.climbing.options import ClimbingOptions
from shuangkou.rules.climbing.view import SeatView
from shuangkou.rules.commands import Pass, PlayCards

Act = PlayCards | Pass


@dataclass(frozen=True, slots=True)
class Weights:
    """What things are worth, in tricks.

    control: a play kept that surely wins. lead: gaining the lead; keep: not losing it. urgency and
    keep_urgency: the same on top, the nearer a rival is to going out. near_out: cards at which that begins.
    finish and run_out: the lead, gained or not lost, with a hand that needs it only once more.
    threat: a play that lets a rival go out. support: the partner's lead. assist: a play that lets the
    partner go out. bomb: a bomb kept. contribution: each point that a bomb earns from every other seat
    (贡献分). The values stand at a local best in self-play of `plain`.
    """

    control: float = 0.75
    lead: float = 0.4
    urgency: float = 1.5
    near_out: float = 10.0
    finish: float = 0.8
    keep: float = 0.4
    keep_urgency: float = 0.5
    run_out: float = 0.8
    threat: float = 1.5
    support: float = 0.8
    assist: float = 0.5
    bomb: float = 0.3
    contribution: float = 0.2


def choose(options: ClimbingOptions, view: SeatView, persona: Persona) -> Act:
    """A legal act for the seat to act; NotToAct for any other view."""
    position = position_of(options, view)
    worths = act_worths(position, persona, weights_of(persona, view))
    worths = worths + whim(view, len(worths), persona.whim)
    best = int(worths.argmax())
    return Pass(position.legal.seat) if best == len(position.rows) else position.command(best)


def weights_of(persona: Persona, view: SeatView) -> Weights:
    """The weights of a character in its present mood."""
    plain = Weights()
    behind = view.seat is not None and view.standing.totals[view.seat] < 0
    aggression = persona.aggression + (persona.revenge if behind else 0.0)
    return replace(
        plain,
        lead=plain.lead * (0.6 + aggression),
        support=plain.support * (0.3 + persona.support_partner),
        assist=plain.assist * (0.3 + persona.support_partner),
        bomb=plain.bomb + persona.bomb_threshold - 0.6,
    )


def act_worths(position: Position, persona: Persona, weights: Weights) -> Floats:
    """The worth of each of the legal plays in their order, then that of passing if it is allowed."""
    chances = _chances(position, persona)
    costs = row_costs(chances, weights.control)
    rests = position.held - position.uses
    after = wild_hand_costs(position.features, position.held, costs, np.vstack((rests, position.held)))
    wins = _wins(position, chances)
    lead = _lead_worth(position, weights)
    finish = weights.run_out if position.leads else weights.finish
    worths = wins * (lead + finish * _readiness(after[:-1])) - after[:-1]
    worths += _partner_share(position, weights, wins)
    worths -= _at_risk(position, weights, wins) + weights.bomb * position.is_bomb
    worths += weights.contribution * position.paid
    worths[~rests.any(axis=1)] = _GOING_OUT
    if not position.legal.may_pass:
        return worths
    return np.append(worths, _pass_worth(position, weights, chances, lead) - after[-1])


_GOING_OUT = np.float32(1000)
_BOMBING = 0.15
_UNKNOWN_CHANCE = np.float32(0.7)
"""That a play wins its trick which no row tells of."""
_AFTER_PASS = 0.4
"""A rival that passed is that much less ready to beat a higher play."""


def _chances(position: Position, persona: Persona) -> Floats:
    features = position.features
    unseen = features.deck - position.held - position.partners
    if persona.memory >= 0.5:
        unseen = unseen - position.gone
    in_kind = 0.8 - 0.5 * persona.risk
    rivals = [
        Rival(rival.size, in_kind * (_AFTER_PASS if rival.has_passed else 1), _BOMBING)
        for rival in position.rivals
    ]
    return win_chances(features, unseen, rivals)


def _wins(position: Position, chances: Floats) -> Floats:
    """The chance of each play to win its trick; a discard (贴牌) has none."""
    rows, top = position.rows, position.top
    wins: Floats = np.where(rows >= 0, chances[rows], _UNKNOWN_CHANCE).astype(np.float32)
    if top is None or not position.legal.table.options.discards:
        return wins
    beating: Floats = wins * position.features.beaten_by[top, rows]
    return beating


def _lead_worth(position: Position, weights: Weights) -> float:
    nearest = min((rival.size for rival in position.rivals), default=0)
    nearness = max(0.0, 1 - nearest / weights.near_out)
    if position.leads:
        return weights.keep + weights.keep_urgency * nearness
    return weights.lead + weights.urgency * nearness


def _readiness(costs: Floats) -> Floats:
    """From 0 to 1: whether the rest of a hand can be played out once it has the lead."""
    return np.clip((2 - costs) / 2, 0, 1)


def _at_risk(position: Position, weights: Weights, wins: Floats) -> Floats:
    """What a play costs that a rival could beat with its last cards."""
    exposed = np.isin(position.sizes, [rival.size for rival in position.rivals])
    return weights.threat * exposed * (1 - wins)


def _partner_share(position: Position, weights: Weights, wins: Floats) -> Floats:
    """What the partner gains by a lead that suits its last cards."""
    fits = (position.sizes == position.partner_size) & position.leads
    share: Floats = weights.assist * fits * (1 - wins)
    return share


def _pass_worth(position: Position, weights: Weights, chances: Floats, lead: float) -> float:
    """What passing brings: the partner's trick."""
    if not position.is_partners_trick:
        return 0.0
    is_won = all(rival.has_passed for rival in position.rivals)
    chance = 1.0 if is_won else float(_UNKNOWN_CHANCE if position.top is None else chances[position.top])
    return chance * (lead + weights.support)
