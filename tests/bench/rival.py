"""What the same is worth elsewhere: 斗地主 of RLCard, which `make bench` installs and nothing else uses."""

import random
import time
from collections.abc import Iterator
from typing import Any

import rlcard
from rlcard.agents import RandomAgent

from bench.pace import Pace

SEATS = 3


def environment(seed: int) -> Any:
    """As its documentation has it: random agents in its environment."""
    made = rlcard.make("doudizhu", config={"seed": seed})
    made.set_agents([RandomAgent(num_actions=made.num_actions) for _ in range(SEATS)])
    return made


def played_by_agents(made: Any, deals: int) -> Pace:
    """Whole deals as its users run them, with an observation for every act."""
    started, acts = time.process_time(), 0
    for _ in range(deals):
        trajectories, _ = made.run()
        acts += sum(len(trajectory) // 2 for trajectory in trajectories)
    return Pace(deals, acts, time.process_time() - started)


def played_bare(made: Any, deals: int) -> Pace:
    """Its game without environment, agents and observations: the closest thing to our decider."""
    game = made.game
    started, acts = time.process_time(), 0
    for _ in range(deals):
        state, _ = game.init_game()
        while not game.is_over():
            state, _ = game.step(random.choice(state["actions"]))
            acts += 1
    return Pace(deals, acts, time.process_time() - started)


def seconds_per_listing(made: Any, deals: int) -> Iterator[float]:
    """Each call that lists what the player to act may play."""
    game = made.game
    for _ in range(deals):
        state, player_id = game.init_game()
        while not game.is_over():
            player = game.players[player_id]
            started = time.perf_counter()
            list(player.available_actions(game.round.greater_player, game.judger))
            yield time.perf_counter() - started
            state, player_id = game.step(random.choice(state["actions"]))
