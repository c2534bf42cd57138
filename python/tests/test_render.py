"""Renders: the sound of the command line, states, failures, interruptions."""

import copy
import json
import os
import pickle
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


def test_modal_states_have_the_numbers_and_frequencies_of_their_modes(scenes):
    scene = hamiltone.Scene.load(scenes / "plucked_string.toml").set("run.duration", "5 ms")
    states = scene.render(states=True, check=False).states
    assert states["string_mode"].values[:3].tolist() == [1, 2, 3] and states["string_hz"].attrs["units"] == "Hz"
    # A string is harmonic: f_k = k f_1, in theory and as its modes are stepped.
    first = scene.check()["frequencies"]["string"][0]
    assert states["string_hz"].values[:16] == pytest.approx(first * np.arange(1, 17), rel=1e-9)
    lowest = states["string.q"].where(states["string_hz"] < 100, drop=True)
    assert lowest.sizes["string_dof"] == 1
    grid = scene.set("run.scheme", "ec").set("body.string.method", "finite-difference").render(states=True, check=False).states
    assert "string_x" in grid.coords and "string_hz" not in grid.coords


@pytest.mark.parametrize("copied", [lambda result: pickle.loads(pickle.dumps(result)), copy.deepcopy], ids=["pickle", "deepcopy"])
def test_a_copy_of_a_result_has_all_of_it(scenes, copied):
    result = hamiltone.Scene.load(scenes / "plucked_string.toml").render(duration="20 ms", states=True)
    again = copied(copied(result))
    assert np.array_equal(again.audio, result.audio) and np.array_equal(again.pickups["bridge"], result.pickups["bridge"])
    assert list(again.buses) == list(result.buses) and again.units == result.units and np.array_equal(again.time, result.time)
    assert again.states.identical(result.states) and again.audit == result.audit and again.partials == result.partials
    assert (again.ok, again.verdict, again.reason, again.warnings, repr(again)) == (result.ok, result.verdict, result.reason, result.warnings, repr(result))
    assert again.page() == result.page()


def test_partials_are_those_of_theory_and_of_what_was_asked():
    string = {"kind": "string", "length": "0.65 m", "linear_density": "6.6 g/m", "tension": "73.2 N", "loss": {"t60": [["80 Hz", "1.5 s"]]}}
    scene = {"hamiltone": 2, "run": {"duration": "1.5 s"}, "body": {"string": string}, "pickup": {"bridge": {"at": "string@1", "quantity": "force"}}}
    # Plucked in the middle: even partials are silent.
    scene["drive"] = {"finger": {"kind": "pluck", "at": "string@0.5", "height": "3 mm"}}
    partials = hamiltone.Scene(scene).render().partials
    first = np.sqrt(73.2 / 6.6e-3) / 1.3
    assert partials["theory_hz"] == pytest.approx(first * np.arange(1, 17), rel=1e-9)
    odd = partials["partial"] % 2 == 1
    assert partials["audible"].tolist() == odd.tolist() and np.isnan(partials["measured_hz"][~odd]).all()
    # Theory is without losses, which lower ω to √(ω² − σ²).
    sigma = np.log(1000) / partials["t60_requested_s"][odd]
    lower = 600 * np.log2(1 - (sigma / (2 * np.pi * partials["theory_hz"][odd])) ** 2)
    assert partials["cents"][odd] == pytest.approx(lower, abs=2e-3)
    assert partials["t60_s"][0] == pytest.approx(partials["t60_requested_s"][0], rel=1e-2)
    assert "no peak" in partials["t60_missing"][1]
    assert np.nanmax(partials["level_db"]) <= 0


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
