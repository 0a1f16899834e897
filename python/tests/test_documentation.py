"""What the documentation says in Python runs as it stands, page by page, beside the examples of the repository."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
CANDIDATES = [ROOT / "README.md", ROOT / "python" / "README.md", *sorted(ROOT.glob("docs/**/*.md"))]


def blocks(page: Path) -> list[str]:
    return re.findall(r"^```python\n(.*?)^```", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)


PAGES = [page for page in CANDIDATES if blocks(page)]


def test_there_is_python_in_the_documentation() -> None:
    assert len(PAGES) >= 4


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_page(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    monkeypatch.chdir(tmp_path)
    # What one block leaves the next may use.
    names: dict[str, object] = {}
    for block in blocks(page):
        if "engine=\"ray\"" in block and importlib.util.find_spec("ray") is None:
            continue
        exec(compile(block, str(page), "exec"), names)
