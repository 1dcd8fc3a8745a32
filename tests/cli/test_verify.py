"""`shuangkou verify` on a running suite."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from kit.command import call_command, run_command
from kit.suite import LocalSuite, suite_up
from shuangkou.cli.verification import CheckedDeal, Verdict
from shuangkou.cli.verify import verdict_lines


@pytest.fixture(scope="module")
def suite(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalSuite]:
    with suite_up(tmp_path_factory.mktemp("suite")) as up:
        yield up


@pytest.mark.parametrize("ruleset_id", ["qq", "single54"])
def test_a_table_of_bots_is_verified(suite: LocalSuite, ruleset_id: str) -> None:
    table = run_command("demo", "--ruleset", ruleset_id, "--deals", "1", *suite.data).stdout.split()[1]
    ran = call_command("verify", table, *suite.data)
    assert (ran.returncode, ran.stderr) == (0, "")
    assert "deal 1 第1局: " in ran.stdout
    assert "seed, hands, acts and result agree 相符" in ran.stdout
    assert ran.stdout.splitlines()[-1].endswith("all agrees 全部相符")


@pytest.mark.parametrize("table", ["nope", ">", "a.b"])
def test_a_table_that_is_not_there_is_an_error(suite: LocalSuite, table: str) -> None:
    ran = call_command("verify", table, *suite.data)
    assert (ran.returncode, ran.stdout) == (2, "")
    assert ran.stderr == f"shuangkou: the stream has no event of a table {table!r}\n"


def test_what_disagrees_is_told_with_its_version() -> None:
    deals = [CheckedDeal(1, 7, "v9: the buried cards 扣底", ()), CheckedDeal(2, 3, "", ("v40: no",))]
    lines = [line.plain for line in verdict_lines("t", Verdict(deals=deals, is_open=True))]
    assert "    ✗ v40: no" in lines
    assert any("from v9: the buried cards 扣底 on not decided again" in line for line in lines)
    assert any("still played" in line for line in lines)
    assert lines[-1] == "Verified 核验: 2 deals 2局, 10 acts 10着; the record does NOT agree 不符"


def test_a_table_without_a_finished_deal_is_not_said_to_agree() -> None:
    for verdict in (Verdict(is_open=True), Verdict()):
        last = verdict_lines("t", verdict)[-1].plain
        assert last == "Nothing to verify yet 尚无可核验: no deal of this table is over"


def test_an_empty_table_id_is_said_to_be_empty() -> None:
    ran = call_command("verify", "")
    assert ran.returncode == 2
    assert "it is empty" in ran.stderr
