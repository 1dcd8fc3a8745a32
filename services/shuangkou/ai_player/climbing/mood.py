"""How a character feels, from what its seat has just seen: nothing is kept from one act to the next."""

from shuangkou.rules.climbing.view import SeatView
from shuangkou.rules.seats import Seat, side_of

MOST_GRUDGES = 3


def grudges(view: SeatView) -> int:
    """How much went wrong of late, 0 to MOST_GRUDGES: the last deal was lost, it is behind in the match, a
    rival bombed its side in this deal."""
    seat = view.seat
    if seat is None:
        return 0
    head = view.standing.last_head
    lost_last = head is not None and side_of(head) != side_of(seat)
    return int(lost_last) + int(view.standing.totals[seat] < 0) + int(_was_bombed(view, seat))


def _was_bombed(view: SeatView, seat: Seat) -> bool:
    return any(side_of(bomb.seat) != side_of(seat) for bomb in view.bombs)
