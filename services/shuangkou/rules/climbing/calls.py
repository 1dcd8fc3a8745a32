"""What was declared, bid and called before play, folded from the public events (§12.1, §12.2)."""

from shuangkou.rules.climbing.events import Opening
from shuangkou.rules.climbing.phase_events import BidMade, CombinationDeclared, LandlordCalled, LandlordNamed
from shuangkou.rules.seats import Seat


def standing_declaration(opening: tuple[Opening, ...]) -> CombinationDeclared | None:
    """The last one, None when there was none."""
    return next((event for event in reversed(opening) if isinstance(event, CombinationDeclared)), None)


def highest_bid(opening: tuple[Opening, ...]) -> BidMade | None:
    """The last one, None when nobody bid."""
    return next((event for event in reversed(opening) if isinstance(event, BidMade)), None)


def caller_of(opening: tuple[Opening, ...]) -> Seat | None:
    """The seat that called the landlord, None when nobody did."""
    return next((event.seat for event in opening if isinstance(event, LandlordCalled)), None)


def landlord_of(opening: tuple[Opening, ...]) -> LandlordNamed | None:
    """The landlord of this deal and what it bid, None before it is known."""
    return next((event for event in opening if isinstance(event, LandlordNamed)), None)
