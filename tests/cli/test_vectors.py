"""`shuangkou vectors`: what it prints and how it exits."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from kit.command import call_command

GOOD = {
    "id": "a",
    "variant": "qq",
    "kind": "classify",
    "cards": "7 7",
    "expect": {"type": "pair", "n": 2, "rank": "7"},
}
WRONG = GOOD | {"id": "b", "expect": {"type": "single", "n": 1, "rank": "7"}}
FOREIGN = GOOD | {"id": "c", "variant": "unheard-of"}
NEW_KIND = GOOD | {"id": "d", "kind": "prophesy"}


def file_of(folder: Path, *vectors: object) -> str:
    file = folder / "vectors.jsonl"
    file.write_text("".join(f"{json.dumps(vector)}\n" for vector in vectors))
    return str(file)


def test_all_good_is_exit_code_0(tmp_path: Path) -> None:
    ran = call_command("vectors", file_of(tmp_path, GOOD, GOOD))
    assert ran.returncode == 0
    assert ran.stdout.splitlines() == ["2 vectors: 2 ok, 0 mismatched, 0 not supported"]


def test_a_mismatch_is_printed_and_is_exit_code_1(tmp_path: Path) -> None:
    ran = call_command("vectors", file_of(tmp_path, GOOD, WRONG, FOREIGN))
    assert ran.returncode == 1
    first, *_, last = ran.stdout.splitlines()
    assert first.startswith("b: expected {'type': 'single', 'n': 1, 'rank': '7'}, got {'type': 'pair'")
    assert last == "3 vectors: 1 ok, 1 mismatched, 1 not supported"


def test_what_is_not_supported_is_counted_by_variant_and_kind_and_is_exit_code_3(tmp_path: Path) -> None:
    ran = call_command("vectors", file_of(tmp_path, GOOD, FOREIGN, FOREIGN, NEW_KIND))
    assert ran.returncode == 3
    assert [line.split() for line in ran.stdout.splitlines()[1:-1]] == [
        ["qq", "prophesy", "1"],
        ["unheard-of", "classify", "2"],
    ]


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        (b'{"id": "a"\n', "line 1: not JSON"),
        (b"\n\n[]\n", "line 3: expected a JSON object, got list"),
        (b"\xff\xfe", "cannot read"),
        (b"[" * 100_000, "line 1: not JSON"),
    ],
)
def test_a_bad_file_is_one_line_and_exit_code_2(tmp_path: Path, content: bytes, complaint: str) -> None:
    file = tmp_path / "bad.jsonl"
    file.write_bytes(content)
    ran = call_command("vectors", str(file))
    assert ran.returncode == 2
    assert len(ran.stderr.splitlines()) == 1
    assert complaint in ran.stderr


def test_a_file_may_begin_with_a_byte_order_mark(tmp_path: Path) -> None:
    file = tmp_path / "marked.jsonl"
    file.write_bytes(b"\xef\xbb\xbf" + json.dumps(GOOD).encode())
    assert call_command("vectors", str(file)).returncode == 0


@pytest.mark.parametrize(
    ("vector", "complaint"),
    [
        (GOOD | {"cards": 7}, "a field of it is not as a classify vector has it"),
        (GOOD | {"cards": "7 ?"}, "'?'"),
        ({key: GOOD[key] for key in GOOD if key != "cards"}, "a classify vector needs 'cards'"),
        (GOOD | {"expect": None}, "a field of it is not as a classify vector has it"),
        ({"id": "e", "variant": "qq", "kind": "settle", "order": [9]}, "a field of it is not as a settle"),
    ],
)
def test_a_vector_that_cannot_be_read_is_told_in_words(
    tmp_path: Path, vector: dict[str, object], complaint: str
) -> None:
    ran = call_command("vectors", file_of(tmp_path, vector))
    assert ran.returncode == 1
    assert complaint in ran.stdout
    assert "Error" not in ran.stdout


def test_an_id_does_not_command_the_terminal(tmp_path: Path) -> None:
    ran = call_command("vectors", file_of(tmp_path, WRONG | {"id": "\x1b[31mred\x9b"}))
    assert ran.stdout.startswith("�[31mred�: expected")


def test_a_missing_file_is_one_line_and_exit_code_2(tmp_path: Path) -> None:
    ran = call_command("vectors", str(tmp_path / "nowhere.jsonl"))
    assert ran.returncode == 2
    assert ran.stderr == f"shuangkou: cannot read {tmp_path}/nowhere.jsonl: No such file or directory\n"


def test_the_recorded_vectors_hold() -> None:
    recorded = Path(__file__).parents[1] / "vectors" / "climbing_vectors.jsonl"
    ran = call_command("vectors", str(recorded))
    assert ", 0 mismatched, " in ran.stdout.splitlines()[-1]
