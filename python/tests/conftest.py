from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest


@pytest.fixture
def program() -> Callable[..., str]:
    """The console script of the environment; gives what it prints."""

    def run(*arguments: str, cwd: Path, check: bool = True) -> str:
        script = Path(sys.executable).parent / "stickslip"
        outcome = subprocess.run([script, *arguments], cwd=cwd, capture_output=True, text=True)
        if check:
            assert outcome.returncode == 0, outcome.stderr
        return outcome.stdout + outcome.stderr

    return run
