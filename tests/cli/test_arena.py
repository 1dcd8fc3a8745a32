"""`shuangkou arena` as a person types it."""

from __future__ import annotations

from kit.command import run_command


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
