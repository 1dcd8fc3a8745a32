"""Everybody who waits, by game, and which games are worth a look: those where somebody is new or due."""

from __future__ import annotations

from collections import deque
from collections.abc import Generator, Iterable, Iterator
from typing import NamedTuple

from shuangkou.matchmaking.game import GameKey
from shuangkou.matchmaking.matcher import Group, group_of, groups
from shuangkou.matchmaking.party import are_at_odds, are_partners
from shuangkou.matchmaking.unit import Queued, Unit, unit_of
from shuangkou.v1.matchmaking_pb2 import TICKET_MODE_BOTS, TicketMode


class Line(NamedTuple):
    """One queue: the tickets of a game, a mode and a region, or of the players of one table who go on."""

    game: GameKey
    mode: TicketMode.ValueType
    region: str
    rematch_of: str


class Place(NamedTuple):
    """Where a ticket stands in its line, from 1, of how many tickets; partners stand in one place."""

    position: int
    waiting: int


class Pool:
    """Takes the newest record of each player, in any order and more than once."""

    def __init__(self) -> None:
        self._tickets: dict[str, Queued] = {}
        self._lapsing: dict[str, Queued] = {}
        self._at_odds: dict[str, Queued] = {}
        self._units: dict[str, Unit] = {}
        self._lines: dict[Line, dict[Unit, None]] = {}
        self._due: dict[Line, int] = {}
        self._fresh: dict[Line, dict[Unit, None]] = {}
        self._looked_ms: dict[Line, int] = {}
        self._places: dict[Line, dict[str, int]] = {}

    def __len__(self) -> int:
        return len(self._tickets)

    @property
    def lines(self) -> Iterator[tuple[Line, list[Unit]]]:
        """All queues."""
        return ((line, list(units)) for line, units in self._lines.items())

    def take(self, queued: Queued) -> None:
        """A ticket waits, now at this revision."""
        known = self._tickets.get(queued.player_id)
        if known is not None and known.sequence >= queued.sequence:
            return
        self.drop(queued.player_id)
        self._tickets[queued.player_id] = queued
        if queued.ticket.lapses_ms:
            self._lapsing[queued.player_id] = queued
        unit = self._unit(queued)
        if unit is not None:
            self._enter(unit)

    def drop(self, player_id: str) -> None:
        """The player's ticket does not wait any more."""
        known = self._tickets.pop(player_id, None)
        self._lapsing.pop(player_id, None)
        if known is not None and known.ticket.partner_id:
            self._make_up(known)
        unit = self._units.get(player_id)
        if unit is not None:
            for name in unit.names:
                del self._units[name]
            for line in _lines_of(unit):
                self._leave(unit, line)

    def ripe(self, now_ms: int) -> Generator[Group]:
        """The tables that can be opened now, one of each queue in turn: a crowd in one holds up no other.

        Whoever takes a group must drop its tickets before it asks for the next. A generator that is closed
        early leaves the rest for the next look.
        """
        looks = deque(self._look(line, now_ms) for line in self._worth_a_look(now_ms))
        try:
            while looks:
                look = looks.popleft()
                group = next(look, None)
                if group is not None:
                    looks.append(look)
                    yield group
        finally:
            for look in looks:
                look.close()

    def put_back(self, group: Group) -> None:
        """The group's tickets wait on unless they are known to have changed."""
        for queued in group.tickets:
            self.take(queued)

    def next_due_ms(self) -> int | None:
        """When something is due next unless something changes first; 0 where there is more to look at."""
        return 0 if self._fresh else min(self._due.values(), default=None)

    def lapsed(self, now_ms: int) -> list[Queued]:
        """Tickets whose time is over."""
        return [each for each in self._lapsing.values() if each.ticket.lapses_ms <= now_ms]

    @property
    def at_odds(self) -> list[Queued]:
        """Tickets whose partner waits for something else, of two the one that came later."""
        return list(self._at_odds.values())

    def place_of(self, player_id: str) -> Place | None:
        """Where the player stands in the queue of the first game; None while a partner is missing."""
        unit = self._units.get(player_id)
        if unit is None:
            return None
        line = _lines_of(unit)[0]
        if line not in self._places:
            places, ahead = self._places.setdefault(line, {}), 0
            for one in sorted(self._lines[line], key=lambda unit: unit.rank):
                places |= dict.fromkeys(one.names, ahead + 1)
                ahead += one.size
        return Place(self._places[line][player_id], len(self._places[line]))

    def _unit(self, queued: Queued) -> Unit | None:
        ticket = queued.ticket
        if not ticket.partner_id or ticket.rematch_of:
            return unit_of(queued)
        partner = self._tickets.get(ticket.partner_id)
        if partner is None or not are_partners(ticket, partner.ticket):
            return None
        first, second = sorted((queued, partner), key=lambda each: each.sequence)
        if are_at_odds(ticket, partner.ticket):
            self._at_odds[second.player_id] = second
            return None
        return unit_of(first, second)

    def _make_up(self, gone: Queued) -> None:
        """Whoever was at odds with this ticket, which waits no more, is not any longer."""
        self._at_odds.pop(gone.player_id, None)
        other = self._at_odds.get(gone.ticket.partner_id)
        if other is not None and other.ticket.partner_id == gone.player_id:
            del self._at_odds[gone.ticket.partner_id]

    def _enter(self, unit: Unit) -> None:
        self._units |= dict.fromkeys(unit.names, unit)
        for line in _lines_of(unit):
            self._lines.setdefault(line, {})[unit] = None
            self._fresh.setdefault(line, {})[unit] = None
            self._places.pop(line, None)

    def _leave(self, unit: Unit, line: Line) -> None:
        del self._lines[line][unit]
        self._places.pop(line, None)
        fresh = self._fresh.get(line, {})
        fresh.pop(unit, None)
        if not fresh:
            self._fresh.pop(line, None)
        if not self._lines[line]:
            for of_lines in (self._lines, self._due, self._looked_ms):
                of_lines.pop(line, None)

    def _worth_a_look(self, now_ms: int) -> list[Line]:
        due = [line for line, at_ms in self._due.items() if at_ms <= now_ms]
        return list(dict.fromkeys((*self._fresh, *due)))

    def _look(self, line: Line, now_ms: int) -> Generator[Group]:
        """Who has made no table yet makes one only with somebody who is new, or whose window is wider."""
        units = self._lines.get(line)
        if units is None:
            return
        fresh = self._fresh.pop(line, {}) | self._widened(line, now_ms)
        is_done = False
        try:
            for group in _groups_in(line, units, fresh, now_ms):
                if all(unit in units for unit in group.units):
                    yield group
                if all(unit not in units for unit in group.units):
                    continue
                # It has come to nothing: whoever is left may play with others.
                self._mark(line, group.units)
            is_done = True
        finally:
            if not is_done:
                self._mark(line, fresh)
        if line in self._lines:
            self._looked_ms[line] = now_ms
            self._note_due(line, now_ms)

    def _widened(self, line: Line, now_ms: int) -> dict[Unit, None]:
        before_ms = self._looked_ms.get(line)
        if before_ms is None or line not in self._due:
            return {}
        return {unit: None for unit in self._lines[line] if unit.window(before_ms) < unit.window(now_ms)}

    def _mark(self, line: Line, units: Iterable[Unit]) -> None:
        """These are looked at again, those of them that are still there."""
        here = self._lines.get(line, {})
        left = {unit: None for unit in units if unit in here}
        if left:
            self._fresh[line] = self._fresh.get(line, {}) | left

    def _note_due(self, line: Line, now_ms: int) -> None:
        at_ms = _next_due(self._lines[line], now_ms)
        if at_ms is None:
            self._due.pop(line, None)
        else:
            self._due[line] = at_ms


def _lines_of(unit: Unit) -> list[Line]:
    ticket = unit.tickets[0].ticket
    return [Line(game, ticket.mode, ticket.region, ticket.rematch_of) for game in unit.games]


def _groups_in(line: Line, units: dict[Unit, None], fresh: dict[Unit, None], now_ms: int) -> Iterator[Group]:
    if line.rematch_of:
        first = next(iter(units))
        people = {name for name in first.tickets[0].ticket.players if not name.startswith("bot:")}
        if people == {name for unit in units for name in unit.names}:
            yield group_of(line.game, list(units))
    elif line.mode == TICKET_MODE_BOTS:
        yield from (group_of(line.game, [unit]) for unit in list(units))
    else:
        yield from groups(line.game, list(units), now_ms, fresh)


def _next_due(units: dict[Unit, None], now_ms: int) -> int | None:
    moments = [unit.bots_at_ms for unit in units if unit.bots_at_ms > now_ms]
    if len(units) > 1:
        moments += [at_ms for unit in units if (at_ms := unit.next_step_ms(now_ms)) is not None]
    moments += [q.ticket.lapses_ms for unit in units for q in unit.tickets if q.ticket.lapses_ms > now_ms]
    return min(moments, default=None)
