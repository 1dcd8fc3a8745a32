"""Replicas of matchmaking on one store, in one thread: the real protocol of claims, stepped by hand.

Whatever runs can be left off between any two of its turns.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

from kit.match_outside import NOTHING, LoggedStore, OneEngine
from kit.stepping import Stepper, turn
from shuangkou.chassis.errors import Refused
from shuangkou.chassis.nats import NatsFailure
from shuangkou.matchmaking.claim import names_of, tickets_of
from shuangkou.matchmaking.desk import ClaimDesk, Verdict, verdict
from shuangkou.matchmaking.finishing import Finisher
from shuangkou.matchmaking.matching import Matching
from shuangkou.matchmaking.party import PARTNER_DIFFERS
from shuangkou.matchmaking.picture import Picture
from shuangkou.matchmaking.pool import Pool
from shuangkou.matchmaking.queue import TicketQueue
from shuangkou.matchmaking.record import Terms, is_held
from shuangkou.matchmaking.seats import TableSeats
from shuangkou.matchmaking.store import Entry, claim_key, player_key
from shuangkou.matchmaking.tables import EngineOutOfReach
from shuangkou.matchmaking.unit import Queued, Unit
from shuangkou.v1.matchmaking_pb2 import (
    TICKET_MODE_CASUAL,
    TICKET_STATE_CANCELLED,
    TICKET_STATE_MATCHED,
    TICKET_STATE_READY_CHECK,
    TICKET_STATE_WAITING,
    Claim,
    PlayerRecord,
    Ticket,
)

READY_CHECK_MS = 1_000
_ENDLESS = 5_000
_TERMS = Terms(ended_seconds=3_600, first_pause_ms=500)
_FAULTS = (Refused, NatsFailure, EngineOutOfReach)


@dataclass(slots=True)
class Replica:
    """One process: what it has seen, and the services on top."""

    store: LoggedStore
    desk: ClaimDesk
    queue: TicketQueue
    finisher: Finisher
    picture: Picture = field(default_factory=Picture)
    position: int = 0

    async def refresh(self, tickets: Iterable[Queued]) -> None:
        """As the mirror does."""
        for queued in tickets:
            key = player_key(queued.player_id)
            self._take(key, await self.store.get(key))

    def catch_up(self, messages: int) -> None:
        """See so many more messages of the log."""
        until = min(self.position + messages, len(self.store.log) - 1)
        for place in range(self.position + 1, until + 1):
            self._take(*self.store.log[place])
        self.position = until

    def _take(self, key: str, entry: Entry) -> None:
        kind, _, rest = key.partition(".")
        if kind == "player":
            self.picture.take_player(key, entry.sequence, entry.value)
        elif kind == "claim":
            self.picture.take_claim(rest, entry.sequence, entry.value)

    async def match(self, now_ms: int) -> None:
        """One look at those who wait."""
        async for _ in Matching(self.desk, self, self.queue).once(now_ms):
            await turn()

    def ripe(self, now_ms: int) -> list[str]:
        """The claims that are worth taking up as far as it has seen."""
        return [
            claim_id
            for claim_id, taken in self.picture.claims.items()
            if verdict(taken.claim, self.picture.tickets_in(taken.claim), now_ms) is not Verdict.WAIT
        ]


class World:
    """Everything, and a clock that moves when told. ``lose`` decides which answers get lost."""

    def __init__(self, replicas: int, lose: Callable[[], bool]) -> None:
        self.now_ms = 1_000_000
        self.is_calm = False
        self.store = LoggedStore(lambda: not self.is_calm and lose())
        self.engine = OneEngine(lambda: not self.is_calm and lose())
        self.replicas = [self._replica() for _ in range(replicas)]
        self.running: list[Stepper] = []
        self.acknowledged: dict[str, str] = {}
        self.cancelled: set[str] = set()
        self.steps = 0
        self._numbers = iter(range(1, 1_000_000))
        self._checked: tuple[object, ...] = ()
        self._records: dict[int, PlayerRecord] = {0: PlayerRecord()}
        self._keys: dict[str, str] = {}

    def create(self, replica: int, name: str, **wish: Any) -> None:
        """The player asks this replica for a ticket."""
        ticket_id = f"t{next(self._numbers)}"
        usual: dict[str, Any] = {
            "ruleset_id": "qq",
            "deals": 1,
            "mode": TICKET_MODE_CASUAL,
            "created_ms": self.now_ms,
        }
        ticket = Ticket(ticket_id=ticket_id, player_id=name, state=TICKET_STATE_WAITING, **(usual | wish))

        def answered(result: object) -> None:
            if isinstance(result, Ticket):
                self.acknowledged[name] = ticket_id

        self._run(replica, self.replicas[replica].queue.enter(ticket), answered)

    def cancel(self, replica: int, name: str) -> None:
        """The player takes the last ticket back."""
        if name in self.acknowledged:
            ticket_id = self.acknowledged[name]
            self.cancelled.add(ticket_id)
            self._run(replica, self.replicas[replica].queue.leave(name, ticket_id, self.now_ms))

    def answer(self, replica: int, name: str, is_ready: bool) -> None:
        """The player answers a ready check, if there is one."""
        ticket = self.record(name).ticket
        if ticket.state == TICKET_STATE_READY_CHECK:
            queue = self.replicas[replica].queue
            self._run(replica, queue.answer(name, ticket.ticket_id, is_ready, self.now_ms))

    def match(self, replica: int) -> None:
        """A replica looks at those who wait."""
        self._run(replica, self.replicas[replica].match(self.now_ms))

    def finish(self, replica: int) -> None:
        """A replica takes up every claim that seems ripe to it."""
        for claim_id in self.replicas[replica].ripe(self.now_ms):
            self._run(replica, self.replicas[replica].finisher.finish(claim_id))

    def crash(self, replica: int) -> None:
        """The process is gone with all that it did, and a new one starts."""
        for stepper in self.running:
            if stepper.owner == replica:
                stepper.crash()
        self.running = [stepper for stepper in self.running if not stepper.is_over]
        self.replicas[replica] = self._replica()

    def end_table(self, number: int) -> None:
        """One of the running tables is over."""
        running = sorted(self.engine.running)
        if running:
            self.engine.finished.add(running[number % len(running)])

    def leave_table(self, name: str) -> None:
        """The player leaves the table that it plays at, if any, for good (逃跑)."""
        for table_id, claim in self.engine.running.items():
            if name in names_of(claim):
                self.engine.left.add((table_id, name))

    def step(self, number: int) -> None:
        """One of those who run goes on."""
        if self.running:
            stepper = self.running[number % len(self.running)]
            self.steps += 1
            stepper.step()
            if stepper.is_over:
                self.running.remove(stepper)

    def record(self, name: str) -> PlayerRecord:
        """The player's record as it is stored."""
        return self._parsed(self.store.newest.get(self._key(name), NOTHING))

    @property
    def records(self) -> Iterator[PlayerRecord]:
        """All of them."""
        for key, entry in self.store.newest.items():
            if key.startswith("player."):
                yield self._parsed(entry)

    @property
    def open_claims(self) -> list[str]:
        """Those that are not settled."""
        return [key for key, entry in self.store.newest.items() if key.startswith("claim.") and entry.value]

    def come_to_rest(self) -> None:
        """No more faults: everybody who is asked is ready, and time goes by until nothing moves."""
        self.is_calm = True
        written = 0
        while self.running or self.open_claims or written < len(self.store.log):
            written = len(self.store.log)
            assert written < _ENDLESS, "it never comes to rest"
            self.now_ms += 50
            for number, replica in enumerate(self.replicas):
                replica.catch_up(len(self.store.log))
                self.match(number)
                self.finish(number)
            for record in list(self.records):
                self.answer(0, record.player_id, is_ready=True)
            self._let_run()

    def check(self) -> None:
        """What must hold at every moment; looked at anew where anything was stored or happened at a table."""
        engine = self.engine
        moment = (len(self.store.log), len(engine.claims), len(engine.finished), len(engine.left))
        if moment == self._checked:
            return
        self._checked = moment
        seats: dict[str, str] = {}
        for table_id, claim in self.engine.running.items():
            _check_parties(claim)
            for _, ticket in tickets_of(claim):
                if (table_id, ticket.player_id) in self.engine.left:
                    continue
                record = self.record(ticket.player_id)
                is_current = record.ticket.ticket_id == ticket.ticket_id
                assert is_current, f"{record} plays at {table_id} with an older ticket"
                assert ticket.player_id not in seats, f"{ticket.player_id}: {table_id} and {seats}"
                seats[ticket.player_id] = table_id
                assert self._is_on_its_way(record.ticket, claim), f"{record} plays at {table_id}"

    def check_at_rest(self) -> None:
        """What must hold once nothing moves any more."""
        self.check()
        assert not self.running
        assert not self.open_claims
        for name, ticket_id in self.acknowledged.items():
            self._check_fate(name, ticket_id)
        pool = Pool()
        for record in self.records:
            assert record.ticket.state in (TICKET_STATE_WAITING, TICKET_STATE_MATCHED, TICKET_STATE_CANCELLED)
            if record.ticket.state == TICKET_STATE_WAITING:
                pool.take(Queued(1, record))
            elif is_held(record):
                assert record.ticket.table_id in self.engine.claims
        assert not pool.at_odds
        for _, units in pool.lines:
            assert not any(_is_whole(choice, self.now_ms) for choice in _choices(units))
            assert not any(0 < unit.bots_at_ms <= self.now_ms for unit in units)

    def _check_fate(self, name: str, ticket_id: str) -> None:
        record = self.record(name)
        found = [ticket for ticket in (record.ticket, *record.ended) if ticket.ticket_id == ticket_id]
        assert found, f"{ticket_id} of {name} is lost: {record}"
        [ticket] = found
        if ticket.state == TICKET_STATE_CANCELLED:
            ended_alone = ticket.refusal in ("match/not_ready", PARTNER_DIFFERS)
            assert ended_alone or ticket_id in self.cancelled, ticket

    def _is_on_its_way(self, ticket: Ticket, claim: Claim) -> bool:
        """Whether the ticket has this table, or can only get it: its claim is stored as opening."""
        if ticket.state == TICKET_STATE_MATCHED:
            return ticket.table_id == f"table-{claim.claim_id}"
        stored = Claim.FromString(self.store.newest[claim_key(claim.claim_id)].value)
        return ticket.claim_id == claim.claim_id and stored.is_opening

    def _key(self, name: str) -> str:
        if name not in self._keys:
            self._keys[name] = player_key(name)
        return self._keys[name]

    def _parsed(self, entry: Entry) -> PlayerRecord:
        """A stored record, read once; nobody changes it."""
        if entry.sequence not in self._records:
            self._records[entry.sequence] = PlayerRecord.FromString(entry.value)
        return self._records[entry.sequence]

    def _let_run(self) -> None:
        while self.running:
            self.step(0)

    def _run(
        self,
        owner: int,
        work: Coroutine[Any, Any, object],
        on_end: Callable[[object], None] = lambda _: None,
    ) -> None:
        self.running.append(Stepper(owner, work, on_end, _FAULTS))

    def _replica(self) -> Replica:
        seats = TableSeats(self.store, self.engine, _TERMS, 60_000)
        desk = ClaimDesk(self.store, _TERMS, ("plain", "steady"), READY_CHECK_MS, 60_000)
        finisher = Finisher(desk, self.engine, _tell_nobody, lambda: self.now_ms)
        return Replica(self.store, desk, TicketQueue(self.store, _TERMS, seats), finisher)


async def _tell_nobody(_claim: Claim, _table_id: str) -> None:
    await turn()


def _check_parties(claim: Claim) -> None:
    names = names_of(claim)
    for seat, ticket in tickets_of(claim):
        if ticket.partner_id:
            assert names[(seat + 2) % 4] == ticket.partner_id, f"{ticket.player_id} is parted in {names}"


def _choices(units: list[Unit]) -> Iterator[tuple[Unit, ...]]:
    for count in range(2, 5):
        yield from combinations(units, count)


def _is_whole(units: tuple[Unit, ...], now_ms: int) -> bool:
    return sum(unit.size for unit in units) == 4 and all(
        one.suits(other, now_ms) for one, other in combinations(units, 2)
    )
