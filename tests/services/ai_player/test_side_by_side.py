"""Work in processes side by side: the same answers, and no process left when nobody wants them any more."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from multiprocessing import active_children
from pathlib import Path

from kit.questions import kept_waiting, nothing, squared
from shuangkou.ai_player.side_by_side import side_by_side


def counted(read: list[int]) -> Iterator[int]:
    for number in range(10_000):
        read.append(number)
        yield number


def test_answers_come_in_the_order_of_the_questions() -> None:
    assert list(side_by_side(squared, range(20), 2, nothing)) == [number * number for number in range(20)]


def test_who_stops_reading_ends_the_processes_and_has_read_few_questions() -> None:
    read: list[int] = []
    before = set(active_children())
    with closing(side_by_side(kept_waiting, counted(read), 2, nothing)) as answers:
        worker = next(answers)
        started = set(active_children()) - before
        assert worker in {child.pid for child in started}
    for child in started:
        child.join()
        assert not Path(f"/proc/{child.pid}").exists()
    assert len(read) < 20
