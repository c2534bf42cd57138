"""The examples of the documentation run as they are written."""

import re

import pytest

from conftest import ROOT

PAGES = ["README.md", "python/README.md"]
BLOCKS = [(page, i, code) for page in PAGES for i, code in enumerate(re.findall(r"```python\n(.*?)```", (ROOT / page).read_text(encoding="utf-8"), re.S))]


@pytest.mark.parametrize("page, number, code", BLOCKS, ids=[f"{page}-{i}" for page, i, _ in BLOCKS])
def test_examples_run(page, number, code, monkeypatch, tmp_path):
    for name in ("scenes", "songs"):
        (tmp_path / name).symlink_to(ROOT / name)
    monkeypatch.chdir(tmp_path)
    exec(compile(code, page, "exec"), {})


def test_there_are_examples():
    assert len(BLOCKS) >= 4
