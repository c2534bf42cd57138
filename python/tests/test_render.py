"""Renders: the sound of the command line, states, failures, interruptions."""

import json
import os
import signal
import subprocess
import threading
import time
from pathlib import Path

import numpy as np
import pytest

import hamiltone

SCENES = ["plucked_string", "struck_bar", "damped_oscillator"]


@pytest.mark.parametrize("name", SCENES)
def test_the_sound_is_that_of_the_command_line(scenes, tmp_path, program, name):
    file, audit = tmp_path / "cli.wav", tmp_path / "cli.json"
    options = ["--duration", "0.2 s", "--format", "64-bit float", "--audit", str(audit), "-q"]
    subprocess.run([program, "render", str(scenes / f"{name}.toml"), "-o", str(file), *options], check=True)
    scene = hamiltone.Scene.load(scenes / f"{name}.toml").set("run.duration", "0.2 s").set("output.format", "64-bit float")
    result = scene.render(sound=tmp_path / "python.wav", audit=tmp_path / "python.json")
    assert (tmp_path / "python.wav").read_bytes() == file.read_bytes()
    data = file.read_bytes()
    begin = data.index(b"data") + 8
    stored = np.frombuffer(data[begin : begin + result.audio.nbytes], dtype="<f8").reshape(result.audio.shape)
    assert np.array_equal(stored, result.audio)
    ours, theirs = result.audit, json.loads(audit.read_text())
    assert ours.pop("scene_sha256") and theirs.pop("scene_sha256")
    assert ours == theirs


def test_arrays_own_their_samples_and_are_made_once(scenes):
    result = hamiltone.Scene.load(scenes / "plucked_string.toml").render(duration=0.1)
    assert result.audio.dtype == np.float64 and result.audio.shape == (4410, 2)
    assert result.audio is result.audio and result.pickups["bridge"].base is not None
    assert result.units == {"bridge": "N"} and len(result.time) == 4410
    assert result.ok and result.verdict == "green" and result.audit["residual_max_relative"] < 1e-12


def test_states_have_coordinates_and_units(scenes):
    scene = hamiltone.Scene.load(scenes / "string_barrier.toml").set("run.duration", "5 ms")
    states = scene.render(states=True, check=False).states
    string = next(name for name in states if name.endswith(".q"))
    body = string.removesuffix(".q")
    assert states[string].attrs["units"] == "m" and f"{body}_x" in states.coords
    assert states["ledger.stored"].attrs["units"] == "J"
    assert float(states["time"][-1]) == pytest.approx(5e-3, abs=1 / 44100)
    every = scene.render(states=2, check=False).states
    assert every.sizes["time"] != states.sizes["time"]
    with pytest.raises(AttributeError, match="states=True"):
        scene.render(check=False).states


def test_a_red_verdict_is_no_result(fork):
    fork["run"].update(scheme="vv", sample_rate=8000)
    fork["body"]["fork"]["frequency"] = "2 kHz"
    scene = hamiltone.Scene(fork)
    with pytest.raises(hamiltone.RenderError) as caught:
        scene.render()
    assert caught.value.result.verdict == "red" and "energy" in str(caught.value)
    assert not scene.render(check=False).ok


def test_no_output_takes_the_place_of_an_input(scenes, tmp_path):
    copy = tmp_path / "string.wav"
    copy.write_text((scenes / "plucked_string.toml").read_text())
    with pytest.raises(ValueError, match="are the same file"):
        hamiltone.Scene.load(copy).render(sound=copy)
    with pytest.raises(ValueError, match=r"written as .wav or .flac"):
        hamiltone.Scene.load(copy).render(sound=tmp_path / "a.mp3")
    assert copy.read_text().startswith((scenes / "plucked_string.toml").read_text()[:20])


def test_other_threads_run_and_ctrl_c_ends_a_render(scenes, ctrl_c):
    scene = hamiltone.Scene.load(scenes / "bass_fretless.toml").set("run.duration", "600 s")
    ticks = []

    def tick():
        for _ in range(5):
            time.sleep(0.05)
            ticks.append(time.monotonic())
        os.kill(os.getpid(), signal.SIGINT)

    thread = threading.Thread(target=tick)
    thread.start()
    begin = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        scene.render()
    thread.join()
    assert len(ticks) == 5 and ticks[-1] >= begin


def test_what_progress_raises_ends_a_render(scenes):
    scene = hamiltone.Scene.load(scenes / "bass_fretless.toml").set("run.duration", "600 s")

    def progress(done, all_):
        assert 0 < done < all_
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        scene.render(progress=progress)


def test_a_result_shows_itself(scenes, tmp_path):
    result = hamiltone.Scene.load(scenes / "plucked_string.toml").render(duration=0.2)
    assert "srcdoc" in result._repr_html_() and "<audio" in result.page() and "green" in repr(result)
    page = result.report(tmp_path / "report")
    assert "Energy audit" in page.read_text()
