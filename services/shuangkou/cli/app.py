"""The entry point of `shuangkou`."""

from __future__ import annotations

import gc
import signal


def main() -> None:
    """Be the command line."""
    # Libraries take a second to load: Ctrl-C meanwhile ends the command without a traceback.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    # And a sixth of that is the search for garbage where there is none.
    gc.disable()
    from shuangkou.cli.commands import run_command_line

    gc.freeze()
    gc.enable()
    run_command_line()
