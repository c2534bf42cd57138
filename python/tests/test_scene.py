"""Scenes from files, texts and dicts, and what is said of wrong ones."""

import pickle

import numpy as np
import pytest

import hamiltone


def test_a_dict_is_the_scene_of_its_file(scenes):
    scene = hamiltone.Scene.load(scenes / "plucked_string.toml").set("run.duration", "50 ms")
    again = hamiltone.Scene(scene.to_dict())
    assert np.array_equal(again.render().audio, scene.render().audio)


def test_values_of_python_and_numpy_have_a_place_in_scenes(fork):
    fork["body"]["fork"]["mass"] = np.float64(2e-3)
    fork["run"]["duration"] = np.float32(0.5)
    scene = hamiltone.Scene(fork)
    scene.set("body.fork.velocity", np.int64(2))
    assert scene.to_dict()["body"]["fork"]["velocity"] == 2
    assert scene.check()["duration"] == 0.5
    with pytest.raises(TypeError, match="body.fork.mass: a value of type complex"):
        scene.set("body.fork.mass", 1j)
    with pytest.raises(TypeError, match="run.x: a value of type NoneType"):
        hamiltone.Scene({"run": {"x": None}})
    endless = {}
    endless["a"] = endless
    with pytest.raises(ValueError, match="nested more than 64 deep"):
        hamiltone.Scene(endless)
    with pytest.raises(ValueError, match="more than 64 bits"):
        scene.set("body.fork.mass", 2**70)


def test_errors_have_file_line_and_field(scenes, tmp_path):
    path = tmp_path / "wrong.toml"
    path.write_text(
        'pickup.left.at = "fork"\nhamiltone = 2\nrun.duration = "1 s"\n[body.fork]\nkind = "oscillator"\nmass = "2 m"\nfrequency = "x"\n'
    )
    with pytest.raises(hamiltone.SceneError) as caught:
        hamiltone.Scene.load(path).render()
    error = caught.value
    assert (error.file, error.line, error.field) == (str(path), 6, "body.fork.mass")
    assert any(problem["line"] == 7 for problem in error.problems), error.problems
    with pytest.raises(hamiltone.SceneError) as caught:
        hamiltone.Scene.load(scenes / "plucked_string.toml").set("body.string.length", -3).check()
    assert (caught.value.line, caught.value.field) == (None, "body.string.length")
    assert "≥ 0.001" in str(caught.value)
    path.write_bytes(b"\xff")
    with pytest.raises(hamiltone.SceneError, match="not UTF-8") as caught:
        hamiltone.Scene.load(path)
    assert caught.value.file == str(path) and caught.value.line is None
    with pytest.raises(FileNotFoundError):
        hamiltone.Scene.load(tmp_path / "none.toml")


def test_a_check_tells_sizes_frequencies_what_was_solved_and_the_cost(scenes):
    string = hamiltone.Scene.load(scenes / "plucked_string.toml").check()
    tension, unit = string["solved"]["string"]["tension"]
    # 5.4 g/m and 0.65 m or the like are the scene's: f_1 follows from the tension that was found.
    values = hamiltone.Scene.load(scenes / "plucked_string.toml").to_dict()["body"]["string"]
    assert unit == "N" and tension > 0 and "tension" not in values
    assert string["frequencies"]["string"][:2] == pytest.approx([82.4073, 164.8147], abs=1e-3)
    assert string["omega_dt"] < string["omega_dt_limit"] and "within" in string["tuning"] and string["tuning_verdict"] == "green"
    # Two channels are made of one pickup: 3 s at 44.1 kHz of 8 bytes.
    assert string["sound_bytes"] == 8 * 132300 and string["memory_bytes"] >= string["sound_bytes"]
    assert 0 < string["step_seconds"] * string["steps"] <= string["render_seconds"]
    bar = hamiltone.Scene.load(scenes / "marimba_bar.toml").check()
    assert set(bar["solved"]["bar"]) == {"thickness", "thickness in the middle", "exponent of the undercut"}
    assert bar["frequencies"]["bar"][:3] == pytest.approx([220, 880, 2200], rel=1e-4)


def test_scenes_travel_between_processes(scenes):
    scene = hamiltone.Scene.load(scenes / "plucked_string.toml").set("body.string.length", "0.7 m")
    assert pickle.loads(pickle.dumps(scene)).text == scene.text
    copy = scene.copy().set("body.string.length", "0.8 m")
    assert copy.text != scene.text


def test_a_scene_finds_its_files_from_anywhere(scenes, tmp_path, monkeypatch):
    monkeypatch.chdir(scenes)
    scene = hamiltone.Scene.load("carillon_bell.toml").set("run.duration", "10 ms")
    monkeypatch.chdir(tmp_path)
    assert pickle.loads(pickle.dumps(scene)).render().ok
