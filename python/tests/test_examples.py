"""Every example runs."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = sorted((Path(__file__).parents[1] / "examples").glob("*.py"))


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.stem)
def test_example(example: Path) -> None:
    outcome = subprocess.run([sys.executable, example], capture_output=True, text=True, timeout=900)
    assert outcome.returncode == 0, outcome.stderr
    assert outcome.stdout
