"""`shuangkou arena` as a person types it."""

from __future__ import annotations

from pathlib import Path

import pytest

from kit.command import run_command, running


def test_a_short_measurement_tells_of_its_progress_and_of_what_it_found() -> None:
    done = run_command("arena", "naive", "random", "--ruleset", "duel52", "--deals", "3", "--seeds", "typed")
    assert done.returncode == 0, done.stderr
    assert [line for line in done.stderr.splitlines() if "of 3 deals" in line][
        -1
    ] == "naive – random: 3 of 3 deals"
    assert "naive against random, duel52: 3 duplicate deals" in done.stdout
    assert "illegal 0" in done.stdout


def test_a_player_that_is_not_there_is_told_before_anything_is_played() -> None:
    done = run_command("arena", "naive", "nobody", "--ruleset", "duel52")
    assert done.returncode == 2
    assert "no player 'nobody' of duel52" in " ".join(done.stderr.split())


def test_the_report_begins_with_the_mean_and_ends_with_how_to_repeat_it(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    game = "duel52,target_score=50"
    done = run_command(
        "arena",
        "naive",
        "random",
        "--ruleset",
        game,
        "--deals",
        "4",
        "--seeds",
        "two words",
        "--report",
        str(page),
    )
    assert done.returncode == 0, done.stderr
    first, *_, last = done.stdout.splitlines()
    assert first.startswith("naive gains ")
    assert " points a deal on random (95 % interval " in first
    assert "won double" not in done.stdout
    command = f"shuangkou arena naive random --ruleset {game} --deals 4 --budget 50 --seeds 'two words'"
    assert last == f"to repeat: {command}"
    assert command.replace("'", "&#x27;") in page.read_text("utf-8")


def test_who_searches_and_for_how_long_is_said() -> None:
    """Personas that search at tables search here as well."""
    done = run_command("arena", "veteran", "plain", "--ruleset", "duel52", "--deals", "2", "--budget", "2")
    said = [" ".join(line.split()) for line in done.stdout.splitlines()]
    assert "searches for 2 ms; late after 7 ms" in said
    assert "decides at once; late after 50 ms" in said


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        (("naive", "random", "--budget", "0"), "a budget is above 0"),
        (("naive", "random", "--budget", "nan"), "a budget is above 0"),
        (("naive", "random", "--deals", str(10**20)), "a contest has 2 to 100,000 deals"),
        (("naive", "random", "--deals", "1"), "a contest has 2 to 100,000 deals"),
        (("naive", "random", "naive", "--ladder"), "naive stands twice"),
        (("naive", "random", "--ruleset", "duel52,target_score=-1"), "target_score"),
        (("naive", "random", "--ruleset", "duel52,"), "nothing stands behind a comma"),
    ],
    ids=" ".join,
)
def test_what_cannot_be_measured_is_told_before_anything_is_played(typed: tuple[str, ...], told: str) -> None:
    done = run_command("arena", "--ruleset", "duel52", *typed)
    assert done.returncode == 2
    assert told in " ".join(done.stderr.replace("│", " ").split())
    assert not done.stdout


@pytest.mark.parametrize("processes", ["1", "2"])
def test_ctrl_c_tells_what_the_deals_say_that_are_done(processes: str, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    asked = ("arena", "strong", "instant", "--ruleset", "duel52", "--deals", "40", "--report", str(page))
    with running(tmp_path / "printed", *asked, "--processes", processes) as command:
        command.until_printed("strong – instant: 4 of 40 deals")
        assert command.interrupt() == 130
    assert "stopped early, after " in command.printed
    assert "flatters" in command.printed
    assert "Traceback" not in command.printed
    assert "stopped early, after " in page.read_text("utf-8")
