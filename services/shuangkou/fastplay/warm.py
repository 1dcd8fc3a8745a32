"""Compile all kernels, or load them from where they are kept: about a minute once, well below a second later.

Kernels know games by their numbers only, so those of one game are those of all.
`python -m shuangkou.fastplay.warm` does it before anybody waits.
"""

import sys
from concurrent.futures import ProcessPoolExecutor
from itertools import count
from multiprocessing import get_context

from shuangkou.fastplay.climbing.desk import Desk as ClimbingDesk
from shuangkou.fastplay.climbing.endgame import Room, ending_of
from shuangkou.fastplay.climbing.search import search
from shuangkou.fastplay.climbing.seen import command_for, deal_seen
from shuangkou.fastplay.climbing.tables import game_of
from shuangkou.fastplay.tricks.desk import Desk
from shuangkou.fastplay.tricks.search import candidates, trial_of
from shuangkou.rules.climbing.decider import ClimbingDecider
from shuangkou.rules.commands import StartDeal
from shuangkou.rules.dealing import SEED_BYTES
from shuangkou.rules.ruleset import available, load
from shuangkou.rules.tricks.commands import Command
from shuangkou.rules.tricks.decider import TricksDecider
from shuangkou.rules.tricks.events import Phase

_TICK_SECONDS = 0.001


def warm() -> None:
    """Decide once in each family as any player does."""
    _climb()
    _take_tricks()


def _climb() -> None:
    decider = ClimbingDecider()
    ruleset = load(available("climbing")[0])
    state = decider.new_match(ruleset)
    for event in decider.decide(state, StartDeal(bytes(SEED_BYTES))):
        state = decider.evolve(state, event)
    seat = decider.actors(state)[0]
    game, view = game_of(ruleset.options), decider.observe(state, seat)
    ticks = count()
    found = search(game, view, seat, ClimbingDesk(game), 10, lambda: next(ticks) * _TICK_SECONDS)
    deal = deal_seen(game, view, seat)
    ending_of(game, deal, Room(game), found.rule, 1)
    command_for(game, view, deal, found.play)


def _take_tricks() -> None:
    decider, ruleset = TricksDecider(), load(available("tricks")[0])
    state = decider.new_match(ruleset)
    command: Command = StartDeal(bytes(SEED_BYTES))
    while state.deal is None or state.deal.phase is not Phase.PLAY:
        for event in decider.decide(state, command):
            state = decider.evolve(state, event)
        seat = decider.actors(state)[0]
        command = decider.fallback(state, seat)
    ticks = count()
    trial = trial_of(
        ruleset.options, decider.observe(state, seat), seat, Desk(), lambda: next(ticks) * _TICK_SECONDS
    )
    trial.gains(candidates(trial))


def main() -> None:
    """The families beside each other, for whoever has two processors."""
    sys.stdout.write("compiling the bots: once, a minute, more on a busy machine …\n")
    sys.stdout.flush()
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        for family in [pool.submit(_climb), pool.submit(_take_tricks)]:
            family.result()


if __name__ == "__main__":
    main()
