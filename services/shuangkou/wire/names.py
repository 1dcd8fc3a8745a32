"""What may be named at the boundary, the same for every service."""

import re

MOST_DEALS = 100
"""The longest match."""

_PLAYER = re.compile(r"[A-Za-z0-9_.@-]{1,64}")

PLAYER_NAME_RULE = "1 to 64 of A-Z a-z 0-9 - _ . @"
"""For people: what `is_player_name` accepts, personas included."""


def is_player_name(text: str) -> bool:
    """Whether a player or a persona may be called so."""
    return _PLAYER.fullmatch(text) is not None
