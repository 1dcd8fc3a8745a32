"""`shuangkou scoring rebuild`: the ledger of a suite made again from its event stream."""

from __future__ import annotations

import os
import subprocess
import sys

from shuangkou.chassis.dev_keys import create_dev_keys
from shuangkou.chassis.settings import PREFIX, LogFormat
from shuangkou.cli.broker import password_of
from shuangkou.cli.folder import DataFolder

_USER = "scoring"


def rebuild_ledger(folder: DataFolder, check: bool) -> int:
    """Run the service's own program as that service; its exit code. Problem when no suite runs."""
    record = folder.running()
    environment = {
        f"{PREFIX}NATS_URL": record.nats_url,
        f"{PREFIX}NATS_USER": _USER,
        f"{PREFIX}NATS_PASSWORD": password_of(folder, _USER),
        f"{PREFIX}DATABASE_URL": f"sqlite:///{folder.ledger}",
        f"{PREFIX}AUTH_KEYS_FILE": str(create_dev_keys(folder.keys).key_set_file),
        f"{PREFIX}LOG_FORMAT": LogFormat.TEXT,
    }
    command = [sys.executable, "-m", "shuangkou.scoring.rebuild", *(["--check"] if check else [])]
    return subprocess.run(command, env=os.environ | environment, check=False).returncode
