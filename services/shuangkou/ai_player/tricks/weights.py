"""What things are worth to the policy, in small points (小分)."""

from dataclasses import dataclass, replace

from shuangkou.ai_player.personas import Persona
from shuangkou.rules.tricks.view import SeatView


@dataclass(frozen=True, slots=True)
class Weights:
    """A trick that brings x points more likely by p is worth p times x; cards kept are worth what they
    will bring.

    master, next_master: a plain card that nothing unseen beats, and how much of that is left for each unseen
    card above it. trump, trump_top, next_top: a trump, what the highest has on top, and how much of that is
    left for each one above it. pair, trump_pair, top_pair: the second card of a pair, and what a pair has on
    top that no unseen pair beats. tractor: neighbouring pairs. void: to be rid of a plain suit while there
    are trumps. lead: to lead the next trick. feed: points that a partner adds to a trick that is won, for
    each card. gift: points that opponents have to add to it. draw: to draw the trumps of others (吊主), for
    each card and trump more than they have. willing: how likely a seat plays what beats a trick.
    last: the share of the last trick that its best cards are worth before it. hat: the last trick won with a
    level card where that wins the match or throws the declarers down.
    """

    master: float = 2.0
    next_master: float = 0.5
    trump: float = 1.5
    trump_top: float = 5.0
    next_top: float = 0.85
    pair: float = 0.5
    trump_pair: float = 1.2
    top_pair: float = 1.5
    tractor: float = 1.5
    void: float = 1.5
    lead: float = 3.0
    feed: float = 2.5
    gift: float = 1.0
    draw: float = 0.15
    willing: float = 0.85
    last: float = 0.5
    hat: float = 60.0


PLAIN_WEIGHTS = Weights()


def weights_of(persona: Persona, view: SeatView) -> Weights:
    """The weights of a character in its present mood."""
    is_behind = view.seat is not None and view.standing.totals[view.seat] < 0
    aggression = persona.aggression + (persona.revenge if is_behind else 0.0)
    plain = PLAIN_WEIGHTS
    return replace(
        plain,
        lead=plain.lead * (0.6 + aggression),
        draw=plain.draw * (0.6 + aggression),
        feed=plain.feed * (0.3 + persona.support_partner),
        willing=min(1.0, plain.willing + 0.4 - persona.risk),
    )
