"""Three replicas, all orders: nobody sits twice, no party is parted, no ticket is lost, whoever can plays.

Seeded walks go through many interleavings quickly; hypothesis looks for the shortest that breaks a law.
"""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from kit.effort import rounds
from kit.match_world import READY_CHECK_MS, World

_REPLICAS = 3
_PARTNERS = {"a": "b", "b": "a", "c": "d", "d": "c"}
_NAMES = "abcdefgh"
_STEPS = 140
_BLOCKS = 20
_WALKS_IN_A_BLOCK = 50_000
"""In the profile `thorough`: a million walks in all."""


def wish_of(name: str, in_party: bool, avoids: bool) -> dict[str, object]:
    """What a player asks for."""
    wish: dict[str, object] = {}
    if in_party and name in _PARTNERS:
        wish["partner_id"] = _PARTNERS[name]
    if avoids:
        wish["avoided"] = ["h" if name != "h" else "g"]
    return wish


def walk(seed: int) -> World:
    """One interleaving: what happens next, and who goes on, is drawn."""
    random = Random(seed)
    world = World(_REPLICAS, lambda: random.random() < 0.02)
    for _ in range(_STEPS):
        replica, name = random.randrange(_REPLICAS), random.choice(_NAMES)
        match random.choices(range(9), (16, 1.5, 20, 20, 12, 14, 1, 1.5, 50))[0]:
            case 0:
                for each in random.sample(_NAMES, 3):
                    wish = wish_of(each, random.random() < 0.3, random.random() < 0.2)
                    world.create(replica, each, **wish)
            case 1:
                world.cancel(replica, name)
            case 2:
                for asked in random.sample(_NAMES, 5):
                    world.answer(replica, asked, is_ready=random.random() < 0.96)
            case 3:
                world.replicas[replica].catch_up(random.choice((1, 4, 99)))
            case 4:
                world.match(replica)
            case 5:
                world.finish(replica)
            case 6:
                world.crash(replica)
            case 7:
                world.end_table(random.randrange(8))
                world.now_ms += random.choice((1, READY_CHECK_MS // 2, READY_CHECK_MS * 2))
            case _:
                for _ in range(random.choice((1, 7, 60))):
                    world.step(random.randrange(1_000))
        world.check()
    world.come_to_rest()
    world.check_at_rest()
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

    @rule(replica=replicas, name=names, in_party=st.booleans(), avoids=st.booleans())
    def create(self, replica: int, name: str, in_party: bool, avoids: bool) -> None:
        """Somebody queues."""
        self.world.create(replica, name, **wish_of(name, in_party, avoids))

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
        self.world.come_to_rest()
        self.world.check_at_rest()


TestReplicas = Replicas.TestCase
TestReplicas.settings = settings(
    max_examples=max(10, settings().max_examples // 3), stateful_step_count=60, deadline=None
)
