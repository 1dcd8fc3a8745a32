"""Settings from the environment."""

from __future__ import annotations

from pathlib import Path

import pytest
from pydantic import Field

from shuangkou.chassis.settings import LogFormat, ServiceSettings, describe, read_settings


class OwnSettings(ServiceSettings):
    """One more field."""

    engine_target: str = Field("127.0.0.1:50051", description="Where the engine listens")


@pytest.fixture(autouse=True)
def environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    keys = tmp_path / "keys.json"
    keys.write_text("{}")
    monkeypatch.setenv("SHUANGKOU_AUTH_KEYS_FILE", str(keys))


def refused(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    with pytest.raises(SystemExit) as stopped:
        read_settings(OwnSettings, "python -m x", arguments)
    assert stopped.value.code == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("python -m x: bad configuration: ")
    return line


def test_variables_override_defaults(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SHUANGKOU_ENGINE_TARGET", "engine:1")
    monkeypatch.setenv("SHUANGKOU_LOG_FORMAT", "text")
    monkeypatch.setenv("SHUANGKOU_STREAM_REPLICAS", "3")
    settings = read_settings(OwnSettings, "x", [])
    assert (settings.engine_target, settings.log_format, settings.stream_replicas) == (
        "engine:1",
        LogFormat.TEXT,
        3,
    )
    assert settings.grace_seconds == 20


def test_a_missing_variable_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("SHUANGKOU_AUTH_KEYS_FILE")
    assert refused(capsys).endswith("SHUANGKOU_AUTH_KEYS_FILE is required")


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("GRPC_ADDRESS", "50051"),
        ("METRICS_ADDRESS", "host:99999"),
        ("LOG_FORMAT", "xml"),
        ("LOG_LEVEL", "loud"),
        ("STREAM_REPLICAS", "0"),
        ("GRACE_SECONDS", "-1"),
        ("SERVICE_TOKEN_FILE", "/nonexistent"),
    ],
)
def test_a_bad_value_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], name: str, value: str
) -> None:
    monkeypatch.setenv(f"SHUANGKOU_{name}", value)
    assert f"SHUANGKOU_{name}='{value}': " in refused(capsys)


def test_a_bad_password_is_not_shown(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("SHUANGKOU_NATS_PASSWORD", "secret")
    monkeypatch.setenv("SHUANGKOU_STREAM_REPLICAS", "none")
    assert "secret" not in refused(capsys)
    monkeypatch.delenv("SHUANGKOU_STREAM_REPLICAS")
    assert "secret" not in repr(read_settings(OwnSettings, "x", []))


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("SHUANGKOU_GRACE_SECOND", "SHUANGKOU_GRACE_SECONDS"),
        ("SHUANGKOU_NATSURL", "SHUANGKOU_NATS_URL"),
        ("SHUANGKOU_ENGINE_TARGETS", "SHUANGKOU_ENGINE_TARGET"),
        ("SHUANGKOU_FINISHED_TABLES_SECONDS", "SHUANGKOU_FINISHED_TABLE_SECONDS"),
        ("shuangkou_log_levels", "SHUANGKOU_LOG_LEVEL"),
    ],
)
def test_an_unknown_variable_is_named_with_the_closest_that_is_known(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], name: str, meant: str
) -> None:
    monkeypatch.setenv(name, "1")
    assert refused(capsys).endswith(f": {name} is unknown; the closest known name is {meant}")


def test_all_that_is_wrong_is_said_at_once(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("SHUANGKOU_GRACE", "secret")
    monkeypatch.setenv("SHUANGKOU_LOG_LEVEL", "loud")
    line = refused(capsys)
    assert "SHUANGKOU_GRACE is unknown" in line
    assert "SHUANGKOU_LOG_LEVEL='loud'" in line
    assert "secret" not in line


def test_variables_of_other_parts_of_the_suite_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SHUANGKOU_DATABASE_URL", "sqlite:///x.db")
    monkeypatch.setenv("SHUANGKOU_DATA", "somewhere")
    assert read_settings(OwnSettings, "x", []).grace_seconds == 20


def test_arguments_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert "'--port'" in refused(capsys, "--port", "1")


def test_help_lists_every_variable_and_exits_cleanly(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        read_settings(OwnSettings, "python -m x", ["--help"])
    assert stopped.value.code == 0
    shown = capsys.readouterr().out
    assert shown == describe(OwnSettings, "python -m x")
    for name, field in OwnSettings.model_fields.items():
        assert f"  SHUANGKOU_{name.upper()}\n      {field.description}" in shown
