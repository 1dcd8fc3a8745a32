"""``python -m shuangkou.scoring``."""

from shuangkou.chassis.app import run
from shuangkou.scoring.bind import bind
from shuangkou.scoring.settings import ScoringSettings
from shuangkou.wire.refusals import refusal

if __name__ == "__main__":
    run("scoring", ScoringSettings, bind, refusal)
