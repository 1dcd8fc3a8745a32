"""``python -m shuangkou.ai_player``."""

from shuangkou.ai_player.bind import bind
from shuangkou.ai_player.settings import AiPlayerSettings
from shuangkou.chassis.app import run
from shuangkou.wire.refusals import refusal

run("ai_player", AiPlayerSettings, bind, refusal)
