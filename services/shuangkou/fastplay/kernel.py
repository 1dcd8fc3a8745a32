"""How functions become machine code: compiled on first use, kept on disk, renewed when any of them changes.

numba looks for changes only in the file of the function that it compiles, not in those of the functions it
calls. So the code is kept in a folder that is named after the sources of all of them.
"""

import hashlib
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
from numba import config

F = TypeVar("F", bound=Callable[..., Any])


def _digest() -> str:
    digest = hashlib.sha256(numba.__version__.encode())
    for source in sorted(Path(__file__).parent.rglob("*.py")):
        digest.update(source.read_bytes())
    return digest.hexdigest()[:16]


def _folder() -> Path | None:
    """Only the user's own: code is loaded from there. None where no file can be kept."""
    kept = os.environ.get("NUMBA_CACHE_DIR")
    folder = Path(kept) if kept else Path.home() / ".cache" / "shuangkou"
    folder = folder / _digest()
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError:
        return None
    return folder if os.access(folder, os.W_OK) else None


_FOLDER = _folder()
if _FOLDER is not None:
    setattr(config, "CACHE_DIR", str(_FOLDER))  # noqa: B010  # its types do not know it


def kernel(function: F) -> F:
    """The function as machine code. Arrays are not checked for their bounds, nor integers for overflow."""
    compiled: Any = numba.njit(cache=_FOLDER is not None, error_model="numpy")(function)
    return cast(F, compiled)
