"""deploy/: the image, the compose file and what it mounts fit together."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml

from kit.settings_help import known_settings
from shuangkou.cli.broker import USERS, password_variable
from shuangkou.fastplay.kernel import BROUGHT

ROOT = Path(__file__).resolve().parents[2]
DEPLOY = ROOT / "deploy"
TOOLS = Path(sys.executable).parent
SERVICES = ("engine", "matchmaking", "ai_player", "scoring")


@pytest.fixture(scope="module")
def compose() -> dict[str, Any]:
    content: dict[str, Any] = yaml.safe_load((DEPLOY / "compose.yaml").read_text())
    return content


@pytest.fixture(scope="module")
def dockerfile() -> str:
    return (DEPLOY / "Dockerfile").read_text()


def run_tool(name: str, *arguments: str) -> None:
    result = subprocess.run(
        [str(TOOLS / name), *arguments], check=False, capture_output=True, text=True, timeout=60, cwd=ROOT
    )
    assert result.returncode == 0, result.stdout + result.stderr


def test_hadolint_finds_nothing_in_the_dockerfile() -> None:
    run_tool("hadolint", "deploy/Dockerfile")


@pytest.mark.parametrize("service", SERVICES)
def test_the_dockerfile_has_a_target_that_runs_the_service(dockerfile: str, service: str) -> None:
    assert f'FROM service AS {service}\nENTRYPOINT ["python", "-m", "shuangkou.{service}"]\n' in dockerfile


def test_the_image_runs_as_a_numbered_user_on_a_pinned_base(dockerfile: str) -> None:
    assert re.search(r"^USER 10001:10001$", dockerfile, re.MULTILINE)
    assert re.search(r"^ARG BASE=python:3\.\d+\.\d+-slim-\w+$", dockerfile, re.MULTILINE)


def test_what_is_compiled_for_the_image_is_not_hidden_by_a_volume(
    dockerfile: str, compose: dict[str, Any]
) -> None:
    """The folder that is written at run time is a volume, and empty; the image's own one is another."""
    (written,) = re.findall(r"^ENV NUMBA_CACHE_DIR=(\S+)", dockerfile, re.MULTILINE)
    (brought,) = re.findall(rf"{BROUGHT}=(\S+)", dockerfile)
    assert f"RUN NUMBA_CACHE_DIR={brought} python -m shuangkou.fastplay.warm" in dockerfile
    (in_memory,) = compose["services"]["ai_player"]["tmpfs"]
    place, _, options = in_memory.partition(":")
    assert place == written
    assert "uid=10001" in options.split(",")
    pod = yaml.safe_load_all((ROOT / "k8s/base/ai-player/deployment.yaml").read_text())
    (container,) = next(pod)["spec"]["template"]["spec"]["containers"]
    assert written in {mount["mountPath"] for mount in container["volumeMounts"]}
    assert not any(brought.startswith(mount["mountPath"]) for mount in container["volumeMounts"])


def test_what_the_dockerfile_copies_exists(dockerfile: str) -> None:
    for line in re.findall(r"^COPY (?!--from)(.+)$", dockerfile, re.MULTILINE):
        *sources, _ = line.split()
        for source in sources:
            assert (ROOT / source).exists(), source


def test_the_compose_file_runs_every_service_from_its_target(compose: dict[str, Any]) -> None:
    targets = {name: item["build"]["target"] for name, item in compose["services"].items() if "build" in item}
    assert targets == {service: service for service in SERVICES}


@pytest.mark.parametrize("service", SERVICES)
def test_every_variable_is_a_setting_of_the_service(compose: dict[str, Any], service: str) -> None:
    assert compose["services"][service]["environment"].keys() <= known_settings(service)


@pytest.mark.parametrize("service", SERVICES)
def test_files_named_in_variables_are_secrets_of_the_container(compose: dict[str, Any], service: str) -> None:
    container = compose["services"][service]
    given = {item if isinstance(item, str) else item["target"] for item in container["secrets"]}
    named = {value for name, value in container["environment"].items() if name.endswith("_FILE")}
    assert named == {f"/run/secrets/{name}" for name in given}


def test_images_are_pinned_and_ports_stay_on_this_machine(compose: dict[str, Any]) -> None:
    for name, container in compose["services"].items():
        if "image" in container:
            assert re.search(r":v?\d+\.\d+", container["image"]), name
        assert all(port.startswith("127.0.0.1:") for port in container["ports"]), name


def test_what_the_compose_file_mounts_is_declared_or_exists(compose: dict[str, Any]) -> None:
    for container in compose["services"].values():
        for mount in container.get("volumes", []):
            source = mount.split(":")[0]
            assert (DEPLOY / source).exists() if source.startswith(".") else source in compose["volumes"]
        for item in container.get("secrets", []):
            assert (item if isinstance(item, str) else item["source"]) in compose["secrets"]


def test_prometheus_scrapes_the_metrics_of_every_service() -> None:
    content = yaml.safe_load((DEPLOY / "prometheus" / "prometheus.yml").read_text())
    (job,) = content["scrape_configs"]
    (static,) = job["static_configs"]
    assert static["targets"] == [f"{service}:9090" for service in SERVICES]


@pytest.mark.parametrize("config", ["deploy/nats/nats.conf", "k8s/base/nats/nats.conf"])
def test_nats_accepts_its_configuration(config: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for user in USERS:
        monkeypatch.setenv(password_variable(user), "p1")
    run_tool("nats-server", "-t", "-c", config)


def make_secrets(folder: Path, *arguments: str) -> str:
    """Run the script beside the folder `secrets`; what it prints."""
    script = folder / "make_secrets.py"
    script.write_text((DEPLOY / "make_secrets.py").read_text())
    made = subprocess.run(
        [sys.executable, str(script), *arguments], check=True, timeout=60, capture_output=True, text=True
    )
    return made.stdout


def test_secrets_for_a_trial_can_be_made(tmp_path: Path, compose: dict[str, Any]) -> None:
    assert make_secrets(tmp_path) == ""
    made = {file.name for file in (tmp_path / "secrets").iterdir()}
    assert made == {
        "keys.json",
        "signing-key.json",
        *(f"{service}.token" for service in SERVICES),
        "nats.env",
        *(f"nats-{service}.env" for service in SERVICES),
        "postgres.env",
        "scoring-database.env",
    }
    files = [item["file"] for item in compose["secrets"].values()]
    for container in compose["services"].values():
        named = container.get("env_file", [])
        files += [named] if isinstance(named, str) else named
    assert {Path(file).name for file in files} == made - {"signing-key.json"}


def secrets_in(folder: Path) -> dict[str, str]:
    """All but tokens, by the name of the file."""
    files = [file for file in (folder / "secrets").iterdir() if file.suffix != ".token"]
    return {file.name: file.read_text() for file in files}


def test_keys_and_passwords_are_kept(tmp_path: Path) -> None:
    """A token that is made in the same second is the same, so tokens are not compared."""
    make_secrets(tmp_path)
    before = secrets_in(tmp_path)
    make_secrets(tmp_path)
    assert secrets_in(tmp_path) == before
    make_secrets(tmp_path, "--renew-passwords")
    after = secrets_in(tmp_path)
    kept = {name for name, text in before.items() if after[name] == text}
    assert kept == {"keys.json", "signing-key.json", "postgres.env", "scoring-database.env"}
    password = before["postgres.env"].partition("=")[2].strip()
    assert f"://shuangkou:{password}@postgres:5432/shuangkou" in before["scoring-database.env"]


def test_the_compose_file_says_nothing_that_its_schema_does_not_know(compose: dict[str, Any]) -> None:
    schema = json.loads((Path(__file__).parent / "schemas" / "compose.json").read_text())
    jsonschema.Draft202012Validator(schema).validate(compose)


def test_what_is_waited_for_has_a_health_check(compose: dict[str, Any]) -> None:
    for container in compose["services"].values():
        for name, how in container.get("depends_on", {}).items():
            assert how == {"condition": "service_healthy"}
            assert "healthcheck" in compose["services"][name]


def test_containers_find_each_other_by_name(compose: dict[str, Any]) -> None:
    for container in compose["services"].values():
        for name, value in container.get("environment", {}).items():
            if name.endswith(("_TARGET", "NATS_URL")):
                host = str(value).rpartition("/")[2].partition(":")[0]
                assert host in compose["services"], (name, value)
