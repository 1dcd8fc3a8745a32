"""Files that a long run writes at its end: whether they can be written is asked before it begins."""

from __future__ import annotations

from pathlib import Path


def why_not_writable(file: Path) -> str:
    """Why nothing can be written to the file, in a few words; nothing where it can. Leaves it as it is."""
    was_there = file.exists()
    try:
        file.open("ab").close()
    except OSError as error:
        return error.strerror or str(error)
    if not was_there:
        file.unlink()
    return ""
