"""``python -m shuangkou.scoring``."""

from shuangkou.chassis.app import run
from shuangkou.scoring.bind import bind
from shuangkou.scoring.settings import ScoringSettings
from shuangkou.wire.refusals import refusal

run("scoring", ScoringSettings, bind, refusal)
