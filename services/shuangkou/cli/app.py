"""The entry point of `shuangkou`."""

from __future__ import annotations

import signal


def main() -> None:
    """Be the command line."""
    # Libraries take a second to load: Ctrl-C meanwhile ends the command without a traceback.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    from shuangkou.cli.commands import run_command_line

    run_command_line()
