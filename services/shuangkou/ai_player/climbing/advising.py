"""Advice on a view: the best acts, what each is expected to bring, and why."""

from shuangkou.ai_player.advice import Advice
from shuangkou.ai_player.climbing.core_policy import Act, Clock, Weighed, ready, weigh
from shuangkou.ai_player.personas import Persona
from shuangkou.ai_player.tiers import check_budget
from shuangkou.fastplay.chance import stream_of
from shuangkou.fastplay.climbing.evidence import no_evidence
from shuangkou.fastplay.climbing.instant import FORCED, GOING_OUT
from shuangkou.fastplay.climbing.layout import PASS
from shuangkou.fastplay.climbing.reading import play_of
from shuangkou.fastplay.climbing.search import Trial
from shuangkou.fastplay.climbing.seen import deal_seen
from shuangkou.fastplay.climbing.worlds import hidden_from
from shuangkou.fastplay.guard import Gains, Pace
from shuangkou.rules.climbing.move_table import move_table
from shuangkou.rules.climbing.options import ClimbingOptions, Sides
from shuangkou.rules.climbing.suits import read
from shuangkou.rules.climbing.view import SeatView
from shuangkou.rules.commands import PlayCards
from shuangkou.rules.seats import partner

_MOST_WORLDS = 200
_CERTAIN = FORCED / 2
_FOUND = ("played out in many deals it brings most", "多次推演，得分最高")


def advise(
    options: ClimbingOptions, view: SeatView, persona: Persona, most: int, budget_ms: float, clock: Clock
) -> list[Advice]:
    """At most so many acts, the best first, played out in worlds for the budget; NotToAct, or BadBudget."""
    until = clock() + check_budget(budget_ms) / 1000
    best = weigh(options, view, persona)[:most]
    game, desk, seat = ready(options, view, persona)
    evidence = no_evidence()
    deal = deal_seen(game, view, seat, evidence)
    hidden = hidden_from(game, view, seat, deal, evidence)
    trial = Trial(game, deal, hidden, desk, stream_of(view.seed_hash + b"/advice"), Pace(clock))
    plays = [play_of(game, one.act.cards) if isinstance(one.act, PlayCards) else PASS for one in best]
    played = [trial.points(plays, 1)[0].tolist()]
    while len(played) < _MOST_WORLDS and clock() < until:
        played += trial.points(plays, 1).tolist()
    columns = list(zip(*played, strict=True))
    found = _proven_best(columns)
    order = [found, *(place for place in range(len(best)) if place != found)]
    return [_advice(options, view, best[place], columns[place], place == found > 0) for place in order]


def _proven_best(columns: list[tuple[float, ...]]) -> int:
    """The act that brings most of those proven to gain over the first in the same worlds, else the first."""
    proven = [place for place in range(1, len(columns)) if _gains(columns[place], columns[0]).is_proven]
    return max(proven, key=lambda place: sum(columns[place]), default=0)


def _gains(points: tuple[float, ...], others: tuple[float, ...]) -> Gains:
    gains = Gains()
    for one, other in zip(points, others, strict=True):
        gains.add(one - other)
    return gains


def _advice(
    options: ClimbingOptions, view: SeatView, one: Weighed, points: tuple[float, ...], is_found: bool
) -> Advice:
    gain = _gains(points, (0.0,) * len(points))
    english, chinese = _FOUND if is_found else reason_for(options, view, one)
    error = gain.error if gain.count > 1 else 0.0
    return Advice(one.act, one.worth, gain.mean, error, gain.count, english, chinese)


def reason_for(options: ClimbingOptions, view: SeatView, one: Weighed) -> tuple[str, str]:
    """In English and 中文."""
    act: Act = one.act
    if not isinstance(act, PlayCards):
        if _is_partners_trick(options, view):
            return "it is your partner's trick", "对家的牌，让对家走"
        return "beating it would cost more than it brings", "压牌得不偿失，先不要"
    if one.worth >= GOING_OUT / 2:
        return "it is your last play", "最后一手，出完"
    if one.worth >= _CERTAIN:
        return "nothing can stop you any more", "已无人能拦，稳走"
    return _reason_to_play(options, view, act)


def _is_partners_trick(options: ClimbingOptions, view: SeatView) -> bool:
    if view.seat is None or view.top is None or options.sides is not Sides.PARTNERS:
        return False
    return view.top.seat == partner(view.seat)


def _reason_to_play(options: ClimbingOptions, view: SeatView, act: PlayCards) -> tuple[str, str]:
    found = read(move_table(options), act.cards)
    if found is not None and found.is_bomb:
        return "a bomb takes the lead when it counts", "关键时刻，用炸弹夺牌权"
    if view.top is None:
        return "it gets rid of cards that seldom win", "先走不易得牌权的牌"
    return "it is the cheapest way to win the trick", "用最小的代价压住"
