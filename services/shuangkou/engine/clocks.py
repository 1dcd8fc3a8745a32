"""The clocks of a table: what is told of time with every version of it."""

from dataclasses import dataclass, replace

from shuangkou.rules.by_seat import put
from shuangkou.rules.seats import Seat


@dataclass(frozen=True, slots=True)
class Clocks:
    """All times in milliseconds since 1970 UTC.

    time_ms: when the newest commit was decided; outages before it are accounted for. turn_ms: until then the
    time of the turn itself lasts. deadline_ms: after it the engine acts, 0 for no limit. Between the two runs
    the time bank of a person. banks_ms: by seat, what is left of it in this deal.
    """

    time_ms: int = 0
    turn_ms: int = 0
    deadline_ms: int = 0
    banks_ms: tuple[int, ...] = (0, 0, 0, 0)

    def refilled(self, bank_ms: int) -> "Clocks":
        """A deal begins: every seat has a full time bank, wherever its player sat before."""
        return replace(self, banks_ms=(bank_ms,) * len(self.banks_ms))

    def charged(self, seat: Seat, used_ms: int, is_alone: bool) -> "Clocks":
        """The seat has used so much of its time bank in this turn.

        is_alone: no other seat is asked, so that what is paid for can be taken from the turn.
        """
        left_ms = max(0, self.banks_ms[seat] - used_ms)
        turn_ms = self.turn_ms + used_ms if is_alone else self.turn_ms
        return replace(self, turn_ms=turn_ms, banks_ms=put(self.banks_ms, seat, left_ms))

    def credited(self, credited_ms: int) -> "Clocks":
        """The turn in progress goes on so much longer."""
        deadline_ms = self.deadline_ms + credited_ms if self.deadline_ms else 0
        return replace(self, turn_ms=self.turn_ms + credited_ms, deadline_ms=deadline_ms)


NO_CLOCKS = Clocks()
"""Before the first commit."""
