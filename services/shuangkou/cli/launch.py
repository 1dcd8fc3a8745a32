"""`python -m shuangkou.cli.launch PROGRAM ARGUMENT…` becomes that program and dies with its parent."""

from __future__ import annotations

import os
import sys

from shuangkou.chassis.parent import die_with_parent_if_asked

if __name__ == "__main__":
    die_with_parent_if_asked()
    os.execv(sys.argv[1], sys.argv[1:])
