"""Names of variables: what one part of the suite reads no other part refuses, and nothing else passes."""

from __future__ import annotations

import pytest

from kit.command import call_command
from kit.manifests import SERVICES
from kit.settings_help import known_settings
from shuangkou.chassis.parent import VARIABLE
from shuangkou.chassis.settings import OF_OTHERS, PREFIX, ServiceSettings
from shuangkou.cli.broker import USERS, password_variable
from shuangkou.fastplay.kernel import BROUGHT


def test_the_list_of_variables_is_that_of_all_parts_together() -> None:
    common = {f"{PREFIX}{name.upper()}" for name in ServiceSettings.model_fields}
    of_services = {name for service in SERVICES for name in known_settings(service.replace("-", "_"))}
    others = {VARIABLE, BROUGHT, f"{PREFIX}DATA", *map(password_variable, USERS)}
    assert (of_services - common) | others == OF_OTHERS


def test_the_command_refuses_a_variable_that_nobody_reads(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SHUANGKOU_LOGFORMAT", "json")
    ran = call_command("rulesets")
    assert (ran.returncode, ran.stdout) == (2, "")
    assert ran.stderr == (
        "shuangkou: SHUANGKOU_LOGFORMAT is unknown; the closest known name is SHUANGKOU_LOG_FORMAT\n"
    )
    assert call_command("--help").returncode == 0
