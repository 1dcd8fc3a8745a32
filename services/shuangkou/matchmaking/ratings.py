"""How good players are, as far as anybody has told."""

from __future__ import annotations

from shuangkou.matchmaking.quality import Skill


class Ratings:
    """Where the rating of a new ticket comes from. Until the ledger tells ratings everybody is unknown."""

    async def of(self, _player_id: str, _ruleset_id: str) -> Skill:
        """The player's skill at a game; that of somebody unknown where nobody can say."""
        return Skill()
