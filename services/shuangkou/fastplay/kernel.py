"""How functions become machine code: compiled on first use, kept on disk, renewed when any of them changes.

numba looks for changes only in the file of the function that it compiles, not in those of the functions it
calls. So the code is kept in a folder that is named after the sources of all of them. numba must be able to
write there; what an image brings, which nobody may write, is copied there before anything is loaded.
"""

import hashlib
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from tempfile import mkdtemp
from typing import Any, TypeVar, cast

import numba
from numba import config

F = TypeVar("F", bound=Callable[..., Any])
BROUGHT = "SHUANGKOU_BROUGHT_KERNELS"
"""The variable that names a folder which was filled as ``NUMBA_CACHE_DIR`` when an image was built."""


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
        folder.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        brought = os.environ.get(BROUGHT)
        if brought and not folder.exists():
            _copy(Path(brought) / folder.name, folder)
        folder.mkdir(mode=0o700, exist_ok=True)
    except OSError:
        return None
    return folder if os.access(folder, os.W_OK) else None


def _copy(brought: Path, folder: Path) -> None:
    """Whole or not at all. Nothing where other sources were compiled, or another process was faster."""
    if not brought.is_dir():
        return
    draft = Path(mkdtemp(dir=folder.parent))
    try:
        shutil.copytree(brought, draft, dirs_exist_ok=True)
        draft.chmod(0o700)
        draft.rename(folder)
    except OSError:
        # Without it the same code is compiled once more.
        shutil.rmtree(draft, ignore_errors=True)


_FOLDER = _folder()
if _FOLDER is not None:
    setattr(config, "CACHE_DIR", str(_FOLDER))  # noqa: B010  # its types do not know it


def kernel(function: F) -> F:
    """The function as machine code. Arrays are not checked for their bounds, nor integers for overflow."""
    compiled: Any = numba.njit(cache=_FOLDER is not None, error_model="numpy")(function)
    return cast(F, compiled)
