"""What the tests share: the scenes of the repository, its program, a small scene."""

import os
import signal
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def scenes() -> Path:
    """The folder of the scenes."""
    return ROOT / "scenes"


@pytest.fixture
def program() -> str:
    """The program `hamiltone` as the tests of the repository build it."""
    path = os.environ.get("HAMILTONE_PROGRAM")
    if path is None:
        pytest.skip("HAMILTONE_PROGRAM does not name the program `hamiltone`")
    return path


@pytest.fixture
def fork() -> dict:
    """A scene of one oscillator, as a dict."""
    body = {"kind": "oscillator", "mass": "2 g", "frequency": "440 Hz", "velocity": 1.0}
    return {"hamiltone": 2, "run": {"duration": "10 ms"}, "body": {"fork": body}, "pickup": {"left": {"at": "fork"}}}


@pytest.fixture
def ctrl_c():
    """Ctrl-C raises KeyboardInterrupt, also where whoever started the tests has it ignored, as a shell does in the background."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)
