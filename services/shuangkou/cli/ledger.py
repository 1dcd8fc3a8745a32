"""`shuangkou scoring rebuild`: the ledger of a suite made again from its event stream."""

from __future__ import annotations

import os
import subprocess
import sys

from rich.text import Text

from shuangkou.chassis.dev_keys import create_dev_keys
from shuangkou.chassis.ledger_address import shown
from shuangkou.chassis.settings import PREFIX, LogFormat
from shuangkou.cli.broker import password_of
from shuangkou.cli.folder import DataFolder
from shuangkou.cli.invocation import suggestion
from shuangkou.cli.ledger_address import VARIABLE, elsewhere
from shuangkou.cli.problem import Problem
from shuangkou.cli.terminal import Terminal

_USER = "scoring"


def rebuild_ledger(folder: DataFolder, check: bool, terminal: Terminal) -> int:
    """Run the service's own program as that service; its exit code.

    Problem when no suite runs, or it keeps its ledger elsewhere and the environment does not say where.
    """
    record = folder.running()
    address = elsewhere()
    if record.ledger and not address:
        raise Problem(f"this suite keeps its ledger in {record.ledger}; set {VARIABLE} to its address")
    if address:
        terminal.remark(Text(f"The ledger 账本 is {shown(address)}, as {VARIABLE} says.", "dim"))
    environment = {
        f"{PREFIX}NATS_URL": record.nats_url,
        f"{PREFIX}NATS_USER": _USER,
        f"{PREFIX}NATS_PASSWORD": password_of(folder, _USER),
        VARIABLE: address or f"sqlite:///{folder.ledger}",
        f"{PREFIX}AUTH_KEYS_FILE": str(create_dev_keys(folder.keys).key_set_file),
        f"{PREFIX}LOG_FORMAT": LogFormat.TEXT,
    }
    called = ["--called", suggestion("scoring rebuild")]
    command = [sys.executable, "-m", "shuangkou.scoring.rebuild", *called, *(["--check"] if check else [])]
    return subprocess.run(command, env=os.environ | environment, check=False).returncode
