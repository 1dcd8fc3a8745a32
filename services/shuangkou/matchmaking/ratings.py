"""How good players are: what the ledger says, and as good as anybody unknown where it cannot be asked."""

from __future__ import annotations

import grpc
from google.protobuf.field_mask_pb2 import FieldMask

from shuangkou.chassis.clients import ServiceClient
from shuangkou.chassis.logs import logger
from shuangkou.matchmaking.quality import UNKNOWN, Skill
from shuangkou.rules.ruleset import UnknownRuleSet, load
from shuangkou.v1.events_pb2 import RATING_POOL_PEOPLE
from shuangkou.v1.scoring_pb2 import GetPlayerRequest
from shuangkou.v1.scoring_pb2_grpc import ScoringServiceStub

# A ticket is worth more than its rating: a ledger that is slow to answer holds nobody up for long.
_PATIENCE_SECONDS = 0.5


class Ratings:
    """Asks the scoring service, or nobody where there is no client."""

    def __init__(self, client: ServiceClient | None) -> None:
        self._client = client

    async def of(self, player_id: str, ruleset_id: str) -> Skill:
        """The player's skill at the ruleset's family of games, at tables of people."""
        if self._client is None:
            return UNKNOWN
        request = GetPlayerRequest(player_id=player_id, read_mask=FieldMask(paths=["ratings"]))
        stub, metadata = ScoringServiceStub(self._client.channel), self._client.metadata()
        try:
            answer = await stub.GetPlayer(request, timeout=_PATIENCE_SECONDS, metadata=metadata)
            family = load(ruleset_id).family
        except UnknownRuleSet:
            return UNKNOWN
        except grpc.aio.AioRpcError as error:
            if error.code() is not grpc.StatusCode.NOT_FOUND:
                logger().warning("rating_not_known", reason=f"{error.code().name}: {error.details()}")
            return UNKNOWN
        for rating in answer.ratings:
            if (rating.family, rating.pool) == (family, RATING_POOL_PEOPLE):
                return Skill(rating.mu, rating.sigma)
        return UNKNOWN
