"""What may be named at the boundary, the same for every service."""

import re

PERSONAS = ("plain", "carefree", "steady", "critic", "veteran", "tilt")
"""The characters that bots play as, in the order in which they should be shown."""

RESERVED_NAMES = frozenset(("engine", "matchmaking", "ai_player", "scoring"))
"""Services act under these: a player of that name could use up their command ids."""

_PLAYER = re.compile(r"[A-Za-z0-9_.@-]{1,64}")

PLAYER_NAME_RULE = "1 to 64 of A-Z a-z 0-9 - _ . @, no service's name"
"""For people: what `is_player_name` accepts."""


def is_player_name(text: str) -> bool:
    """Whether a player may be called so, be it by a token's subject or on a seat."""
    return _PLAYER.fullmatch(text) is not None and text not in RESERVED_NAMES
