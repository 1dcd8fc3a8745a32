"""Three replicas, all orders: nobody sits twice, no party is parted, no ticket is lost, whoever can plays.

Seeded walks go through many interleavings quickly; hypothesis looks for the shortest that breaks a law.
"""

from __future__ import annotations

from bisect import bisect
from enum import Enum, auto
from itertools import accumulate
from random import Random

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from kit.effort import rounds
from kit.match_world import READY_CHECK_MS, World
from shuangkou.matchmaking.unit import UNLIMITED_MS
from shuangkou.v1.matchmaking_pb2 import TICKET_MODE_RANKED, TICKET_STATE_WAITING, SkillEstimate
from shuangkou.v1.matchmaking_pb2 import Game as OtherGame

_REPLICAS = 3
_PARTNERS = {"a": "b", "b": "a", "c": "d", "d": "c"}
_NAMES = "abcdefgh"
_EVENTS = (40, 90, 140)
"""How long a walk is: the long ones go deep, the short ones are many."""
_ODDS = tuple(accumulate((16, 1.5, 20, 20, 12, 14, 1, 1.5, 0.5, 50)))
"""Of each kind of event in a walk."""
_BLOCKS = 20
_WALKS_IN_A_BLOCK = 50_000
"""In the profile `thorough`: a million walks in all."""


class Game(Enum):
    """What a player waits for: with people, near its rating, with bots after a while, one of two rulesets."""

    PEOPLE = auto()
    RANKED = auto()
    BOTS_LATER = auto()
    EITHER = auto()


def wish_of(world: World, name: str, game: Game, in_party: bool, avoids: bool) -> dict[str, object]:
    """What a player asks for."""
    wish: dict[str, object] = {}
    if game is Game.RANKED:
        # Neighbours are within the first window, those at the ends of the row only within later ones.
        rating = SkillEstimate(mu=20 + 1.5 * _NAMES.index(name), sigma=2)
        wish |= {"mode": TICKET_MODE_RANKED, "rating": rating}
    elif game is Game.BOTS_LATER:
        wish["bots_at_ms"] = world.now_ms + READY_CHECK_MS
    elif game is Game.EITHER:
        wish |= {"ruleset_id": "zsy", "or_games": [OtherGame(ruleset_id="qq", deals=1)]}
    if in_party and name in _PARTNERS:
        wish["partner_id"] = _PARTNERS[name]
    if avoids:
        wish["avoided"] = ["h" if name != "h" else "g"]
    return wish


_GAMES_OF_A_WALK = (
    [Game.PEOPLE],
    [Game.RANKED],
    [Game.PEOPLE, Game.BOTS_LATER],
    [Game.PEOPLE, Game.EITHER],
    [*Game],
)


def settle(world: World) -> None:
    """Everything comes to rest, and again when all windows are wide open and all bots are due."""
    world.come_to_rest()
    world.check_at_rest()
    if any(record.ticket.state == TICKET_STATE_WAITING for record in world.records):
        world.now_ms += UNLIMITED_MS
        world.come_to_rest()
        world.check_at_rest()


def walk(seed: int) -> World:
    """One interleaving: what happens next, and who goes on, is drawn."""
    random = Random(seed)
    draw = random.random
    world = World(_REPLICAS, lambda: draw() < 0.02)
    games = random.choice(_GAMES_OF_A_WALK)
    for _ in range(random.choice(_EVENTS)):
        replica, name = int(draw() * _REPLICAS), _NAMES[int(draw() * len(_NAMES))]
        match bisect(_ODDS, draw() * _ODDS[-1]):
            case 0:
                for each in random.sample(_NAMES, 3):
                    wish = wish_of(world, each, random.choice(games), draw() < 0.3, draw() < 0.2)
                    world.create(replica, each, **wish)
            case 1:
                world.cancel(replica, name)
            case 2:
                for asked in random.sample(_NAMES, 5):
                    world.answer(replica, asked, is_ready=draw() < 0.96)
            case 3:
                world.replicas[replica].catch_up(random.choice((1, 4, 99)))
            case 4:
                world.match(replica)
            case 5:
                world.finish(replica)
            case 6:
                world.crash(replica)
            case 7:
                world.end_table(int(draw() * 8))
                world.now_ms += random.choice((1, READY_CHECK_MS // 2, READY_CHECK_MS * 2))
            case 8:
                world.leave_table(name)
            case _:
                for _ in range(random.choice((1, 7, 60))):
                    if not world.running:
                        break
                    world.step(int(draw() * len(world.running)))
        world.check()
    settle(world)
    return world


@pytest.mark.timeout(3600)  # with the profile `thorough`
@pytest.mark.parametrize("block", range(_BLOCKS))
def test_no_order_of_events_breaks_a_law(block: int) -> None:
    seated = cancelled = 0
    for number in range(rounds(12, _WALKS_IN_A_BLOCK)):
        seed = block * _WALKS_IN_A_BLOCK + number
        try:
            world = walk(seed)
        except BaseException as error:
            error.add_note(f"seed {seed}")
            raise
        seated += len(world.engine.claims)
        cancelled += len(world.cancelled)
    # A walk in which nothing happens proves nothing.
    assert seated
    assert cancelled


class Replicas(RuleBasedStateMachine):
    """The same world, led by hypothesis."""

    def __init__(self) -> None:
        super().__init__()
        self._lost = 0
        self.world = World(_REPLICAS, self._lose)

    def _lose(self) -> bool:
        self._lost = max(0, self._lost - 1)
        return self._lost == 1

    replicas = st.integers(0, _REPLICAS - 1)
    names = st.sampled_from(_NAMES)

    @rule(
        replica=replicas,
        name=names,
        game=st.sampled_from(Game),
        in_party=st.booleans(),
        avoids=st.booleans(),
    )
    def create(self, replica: int, name: str, game: Game, in_party: bool, avoids: bool) -> None:
        """Somebody queues."""
        self.world.create(replica, name, **wish_of(self.world, name, game, in_party, avoids))

    @rule(replica=replicas, name=names)
    def cancel(self, replica: int, name: str) -> None:
        """Somebody takes the ticket back."""
        self.world.cancel(replica, name)

    @rule(replica=replicas, name=names, is_ready=st.booleans())
    def answer(self, replica: int, name: str, is_ready: bool) -> None:
        """Somebody answers."""
        self.world.answer(replica, name, is_ready)

    @rule(replica=replicas, messages=st.integers(1, 20))
    def catch_up(self, replica: int, messages: int) -> None:
        """A replica sees more."""
        self.world.replicas[replica].catch_up(messages)

    @rule(replica=replicas)
    def match(self, replica: int) -> None:
        """A replica matches."""
        self.world.match(replica)

    @rule(replica=replicas)
    def finish(self, replica: int) -> None:
        """A replica takes claims up."""
        self.world.finish(replica)

    @rule(number=st.integers(0, 50), times=st.integers(1, 25))
    def step(self, number: int, times: int) -> None:
        """Somebody goes on."""
        for _ in range(times):
            self.world.step(number)

    @rule(replica=replicas)
    def crash(self, replica: int) -> None:
        """A replica dies."""
        self.world.crash(replica)

    @rule(after=st.integers(2, 8))
    def lose_an_answer(self, after: int) -> None:
        """One of the next answers gets lost."""
        self._lost = after

    @rule(number=st.integers(0, 3))
    def end_table(self, number: int) -> None:
        """A match is over."""
        self.world.end_table(number)

    @rule(name=names)
    def leave_table(self, name: str) -> None:
        """Somebody leaves a table for good."""
        self.world.leave_table(name)

    @rule(ms=st.sampled_from((1, READY_CHECK_MS // 2, READY_CHECK_MS * 2)))
    def wait(self, ms: int) -> None:
        """Time goes by."""
        self.world.now_ms += ms

    @invariant()
    def holds(self) -> None:
        """At every moment."""
        self.world.check()

    def teardown(self) -> None:
        """And at the end."""
        settle(self.world)


TestReplicas = Replicas.TestCase
TestReplicas.settings = settings(
    max_examples=max(10, settings().max_examples // 3), stateful_step_count=60, deadline=None
)
