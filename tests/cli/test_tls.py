"""A suite whose services ask for certificates, and commands that have one or not."""

from __future__ import annotations

from pathlib import Path

import pytest

from kit.certificates import Authority
from kit.command import run_command
from kit.suite import suite_up


def test_commands_show_their_certificate(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ours = Authority(tmp_path / "authority", "ours")
    pair = ours.sign("suite")
    monkeypatch.setenv("SHUANGKOU_GRPC_TLS_CERT_FILE", str(pair.certificate))
    monkeypatch.setenv("SHUANGKOU_GRPC_TLS_KEY_FILE", str(pair.key))
    monkeypatch.setenv("SHUANGKOU_GRPC_TLS_CLIENT_CA_FILE", str(ours.file))
    variables = {"CA": ours.file, "CERT": pair.certificate, "KEY": pair.key}
    for name, file in variables.items():
        monkeypatch.setenv(f"SHUANGKOU_CLIENT_TLS_{name}_FILE", str(file))
    with suite_up(tmp_path) as suite:
        for name in variables:
            monkeypatch.delenv(f"SHUANGKOU_CLIENT_TLS_{name}_FILE")
        options = [text for name, file in variables.items() for text in (f"--tls-{name.lower()}", str(file))]
        shown = run_command(*options, "leaderboard", *suite.data)
        assert shown.returncode == 0, shown.stderr
        half = run_command(
            "--tls-ca", str(ours.file), "--tls-cert", str(pair.key), "leaderboard", *suite.data
        )
        assert half.returncode == 2
        assert "go together" in half.stderr
