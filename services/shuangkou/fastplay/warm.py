"""Compile all kernels, or load them from where they are kept: half a minute once, well below a second later.

Kernels know games by their numbers only, so those of one game are those of all.
`python -m shuangkou.fastplay.warm` does it before anybody waits.
"""

from itertools import count

from shuangkou.fastplay.climbing.desk import Desk
from shuangkou.fastplay.climbing.search import search
from shuangkou.fastplay.climbing.seen import command_for, deal_seen
from shuangkou.fastplay.climbing.tables import game_of
from shuangkou.rules.climbing.decider import ClimbingDecider
from shuangkou.rules.commands import StartDeal
from shuangkou.rules.dealing import SEED_BYTES
from shuangkou.rules.ruleset import available, load

_TICK_SECONDS = 0.001


def warm() -> None:
    """Decide once as any player does."""
    decider = ClimbingDecider()
    ruleset = load(available("climbing")[0])
    state = decider.new_match(ruleset)
    for event in decider.decide(state, StartDeal(bytes(SEED_BYTES))):
        state = decider.evolve(state, event)
    seat = decider.actors(state)[0]
    game, view = game_of(ruleset.options), decider.observe(state, seat)
    ticks = count()
    found = search(game, view, seat, Desk(game), 10, lambda: next(ticks) * _TICK_SECONDS)
    command_for(game, view, deal_seen(game, view, seat), found.play)


if __name__ == "__main__":
    warm()
