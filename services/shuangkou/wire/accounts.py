"""What a ledger enters of a deal, the same words for every family of games."""

from dataclasses import dataclass

from shuangkou.rules.seats import SEATS

TIE, NARROW, PLAIN, WIDE = range(4)
"""How clearly a deal was won: not at all, 平扣 or one level, 单扣 or two, 双扣 or more."""


@dataclass(frozen=True, slots=True)
class SeatAccount:
    """Why a seat scores what it does: base × multiplier + contribution + fine.

    levels: rungs that its side went up. place: 1 to 4, 0 where there are no places. bombs: that it played.
    """

    base: int = 0
    multiplier: int = 1
    contribution: int = 0
    fine: int = 0
    levels: int = 0
    place: int = 0
    bombs: int = 0

    @property
    def total(self) -> int:
        """The points of the seat."""
        return self.base * self.multiplier + self.contribution + self.fine


@dataclass(frozen=True, slots=True)
class DealAccount:
    """A deal by seat. result: `double`, `single` or `draw`, empty in games that do not end so."""

    seats: tuple[SeatAccount, ...]
    result: str = ""
    margin: int = TIE


def plain_account(scores: tuple[int, ...], is_fine: bool = False) -> DealAccount:
    """Of a deal of which only the points are known; of a void one they are fines."""
    seats = [SeatAccount(fine=scores[seat]) if is_fine else SeatAccount(base=scores[seat]) for seat in SEATS]
    return DealAccount(tuple(seats))
