"""``python -m shuangkou.matchmaking``."""

from shuangkou.chassis.app import run
from shuangkou.matchmaking.bind import bind
from shuangkou.matchmaking.settings import MatchmakingSettings
from shuangkou.wire.refusals import refusal

run("matchmaking", MatchmakingSettings, bind, refusal)
