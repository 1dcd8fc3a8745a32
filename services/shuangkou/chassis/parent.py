"""Dying with the parent process, so that a killed launcher leaves no orphans behind."""

from __future__ import annotations

import ctypes
import os
import signal
import sys

VARIABLE = "SHUANGKOU_DIE_WITH_PARENT"
_PR_SET_PDEATHSIG = 1


def die_with_parent_if_asked() -> None:
    """Have the Linux kernel send SIGTERM at the parent's death, where the variable is ``1``."""
    if os.environ.get(VARIABLE) == "1":
        die_with(os.getppid())


def die_with(parent: int) -> None:
    """Have the Linux kernel send SIGTERM at the death of the parent, which had this process id."""
    if not sys.platform.startswith("linux"):
        return
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(_PR_SET_PDEATHSIG, signal.SIGTERM, 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "prctl(PR_SET_PDEATHSIG)")
    if os.getppid() != parent:
        # The parent died between the two calls, so its signal will never come.
        raise SystemExit(1)
