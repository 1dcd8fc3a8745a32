"""What is made ready beforehand is all that decisions need: none waits for a compiler."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

_PROBE = """
import gc
import sys

from numba.core.dispatcher import Dispatcher

from shuangkou.fastplay.warm import warm

warm()


def compiled():
    return {
        (each.py_func.__module__, each.py_func.__qualname__): len(each.nopython_signatures)
        for each in gc.get_objects()
        if isinstance(each, Dispatcher) and each.py_func.__module__.startswith("shuangkou.fastplay")
    }


before = compiled()
from fastplay import test_climbing_policy as climbing
from fastplay import test_tricks_policy as tricks

for id in ("activity54", "qq", "baibian", "classic52"):
    ruleset = climbing.RULESETS[id]
    state = climbing.middle_of(ruleset, 5)
    for tier in ("beginner", "instant", "strong"):
        climbing.TIERS[tier](ruleset.options, climbing.DECIDER.observe(state, state.deal.turn))
for id in ("sheng_basic", "multi2"):
    ruleset = tricks.RULESETS[id]
    view = tricks.to_act(tricks.middle_of(ruleset, 5))
    for tier in ("beginner", "instant", "strong"):
        tricks.TIERS[tier](ruleset.options, view)
late = {name for name, count in compiled().items() if count > before.get(name, 0)}
assert before
print(sorted(late))
"""


def test_no_decision_compiles_anything() -> None:
    """In a process of its own, in which no other test has decided anything."""
    root = Path(__file__).parents[1]
    path = os.pathsep.join([str(root), *filter(None, sys.path)])
    ran = subprocess.run(
        [sys.executable, "-c", _PROBE],
        env=os.environ | {"PYTHONPATH": path},
        capture_output=True,
        text=True,
        timeout=110,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.strip() == "[]"
