"""The settings that a service says it has."""

from __future__ import annotations

import re
import subprocess
import sys
from functools import cache


@cache
def known_settings(service: str) -> frozenset[str]:
    """The environment variables that ``python -m shuangkou.<service> --help`` lists."""
    shown = subprocess.run(
        [sys.executable, "-m", f"shuangkou.{service}", "--help"],
        check=False,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert shown.returncode == 0, shown.stderr
    return frozenset(re.findall(r"^\s+(SHUANGKOU_[A-Z_]+)$", shown.stdout, re.MULTILINE))
