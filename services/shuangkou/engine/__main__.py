"""`python -m shuangkou.engine`."""

from shuangkou.chassis.app import run
from shuangkou.engine.bind import bind
from shuangkou.engine.settings import EngineSettings
from shuangkou.wire.refusals import refusal

run("engine", EngineSettings, bind, refusal)
