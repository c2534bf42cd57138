"""Instruments: songs as the program plays them, engines block by block, surveys."""

import csv
import json
import os
import signal
import subprocess
import threading

import numpy as np
import pytest

import hamiltone
from conftest import ROOT
from hamiltone import Instrument

TUNE = [{"tempo": 240}, {"notes": "C4 G4", "length": "1/4"}, {"notes": "E5", "length": "1/8", "velocity": 0.9}, {"notes": "C6", "length": "1/4"}]
SHORT = {"output.format": "64-bit float"}
SCALE = "! quarter.scl\nquarter-comma meantone\n 7\n!\n193.157\n386.314\n503.422\n696.578\n889.735\n1082.892\n2/1\n"


@pytest.fixture(scope="module")
def kalimba() -> Instrument:
    return Instrument.load("kalimba", set=SHORT)


def toml(entries) -> str:
    """A score as a file has it."""
    quoted = lambda value: json.dumps(value)
    return "score = [\n" + "".join("{ " + ", ".join(f"{key} = {quoted(value)}" for key, value in entry.items()) + " },\n" for entry in entries) + "]\n"


def test_a_song_has_the_samples_and_the_audit_of_the_program(tmp_path, program):
    song, scale = tmp_path / "tune.toml", tmp_path / "scale.scl"
    song.write_text(toml(TUNE))
    scale.write_text(SCALE)
    file, audit = tmp_path / "cli.wav", tmp_path / "cli.json"
    path = ROOT / "instruments" / "kalimba.toml"
    options = ["--tail", "0.2", "--tuning", str(scale), "--velocity-curve", "0 0, 1 0.8", "--set", "key.body.tine.thickness=1 mm"]
    command = [program, "play", str(path), str(song), "-o", str(file), "--audit", str(audit), "--format", "64-bit float", "-q"]
    subprocess.run([*command, *options], check=True)
    changes = {"key.body.tine.thickness": "1 mm", "output.format": "64-bit float"}
    performance = Instrument.load(path, set=changes, tuning=scale).play(song, tail=0.2, velocity_curve="0 0, 1 0.8")
    assert performance.save(tmp_path / "python.wav") == [tmp_path / "python.wav"]
    assert (tmp_path / "python.wav").read_bytes() == file.read_bytes()
    assert performance.audit == json.loads(audit.read_text())
    data = file.read_bytes()
    begin = data.index(b"data") + 8
    stored = np.frombuffer(data[begin : begin + performance.samples.nbytes], dtype="<f8")
    assert np.array_equal(stored, performance.samples.ravel()) and performance.is_balanced and performance.audit["notes"] == 4


def test_a_preset_has_the_samples_and_the_audit_of_the_program(tmp_path, program):
    song = tmp_path / "tune.toml"
    song.write_text(toml(TUNE))
    path = ROOT / "instruments" / "marimba.toml"
    command = [program, "play", str(path), str(song), "-o", str(tmp_path / "cli.wav"), "--audit", str(tmp_path / "cli.json"), "-q"]
    subprocess.run([*command, "--preset", "dry", "--tail", "0.01"], check=True)
    performance = Instrument.load(path, preset="dry").play(song, tail=0.01)
    performance.save(tmp_path / "python.wav")
    assert (tmp_path / "python.wav").read_bytes() == (tmp_path / "cli.wav").read_bytes()
    assert performance.audit == json.loads((tmp_path / "cli.json").read_text())


def test_entries_of_a_score_are_played_as_its_file(kalimba, tmp_path):
    (tmp_path / "tune.toml").write_text(toml(TUNE))
    written, given = kalimba.play(tmp_path / "tune.toml", tail=0.1), kalimba.play(TUNE, tail=0.1)
    assert np.array_equal(written.samples, given.samples) and given.rate == 48_000
    assert list(given.buses) == ["main"] and given.buses["main"].shape == given.samples.shape == (len(given.time), 2)


def test_blocks_of_an_engine_are_the_song(kalimba):
    song = kalimba.play([{"tempo": 60}, {"notes": "C4", "length": "1/32", "velocity": 0.5}, {"rest": "1/32"}, {"notes": "E4", "length": "1/16", "velocity": 1.0}], tail=0.0)
    engine = kalimba.engine()
    blocks = []
    frames = 6000  # 1/32 of a whole note of 4 s, 0.125 s
    engine.note_on("C4", 0.5)
    blocks.append(engine.render(100))
    out = np.full((frames - 100, 2), np.nan)
    assert engine.render(out=out) is out
    blocks.append(out)
    engine.note_off(60)
    blocks.append(engine.render(frames))
    assert engine.held == 0 and engine.now == 0.25
    engine.note_on("E4", 1.0)
    assert engine.held == 1
    blocks.append(engine.render(2 * frames))
    fade = 960
    ours = np.concatenate(blocks)
    assert engine.delay == 0 and len(song.samples) == len(ours)
    # The song, whose tail is cut off, fades out at its end.
    assert np.array_equal(song.samples[:-fade], ours[:-fade])


def test_an_engine_follows_controllers_and_knows_its_energies(kalimba):
    engine = kalimba.engine()
    assert engine.is_at_rest and engine.channels == 2 and engine.rate == 48_000
    assert not engine.note_on(61, 0.5) and engine.note_on(60, 0.5)
    assert not engine.is_at_rest and not engine.bend(1.0) and not engine.pressure(0.5, "C4") and not engine.control(21, 1.0)
    loud = engine.render(4800)
    assert engine.control(7, 0.5)
    audit = engine.audit()
    assert engine.is_balanced and audit["ok"] and audit["steps"] > 4000 and audit["supplied"] > 0
    assert audit["residual_max_relative"] <= audit["residual_tolerance"]
    balance = audit["supplied"] - audit["dissipated"] - audit["energy_final"]
    assert abs(balance) < 1e-9 * audit["supplied"] and abs(loud).max() > 0.01
    engine.release_all()
    assert engine.held == 0


def test_parameters_move_the_sound(kalimba):
    level = next(parameter for parameter in kalimba.parameters if parameter.name == "level")
    assert level.unit == "dB" and level.range[0] < -6 < level.range[1] and level.default == 0 and level.about in repr(level)
    engine, other = kalimba.engine(), kalimba.engine()
    engine["level"] = -6.0
    assert engine["level"] == -6 and other["level"] == 0 and [own.name for own in engine.parameters] == [own.name for own in kalimba.parameters]
    # It is approached within some milliseconds, before the note.
    for each in (engine, other):
        each.render(4800)
        each.note_on(60, 0.5)
    quiet, loud = engine.render(4800), other.render(4800)
    assert quiet == pytest.approx(10 ** (-6 / 20) * loud, rel=1e-9, abs=1e-15) and abs(loud).max() > 0.01
    song, softer = kalimba.play(TUNE, tail=0.1), kalimba.play(TUNE, tail=0.1, parameters={"level": -6.0})
    # What is at the beginning is approached as well.
    assert softer.samples[4800:] == pytest.approx(10 ** (-6 / 20) * song.samples[4800:], rel=1e-9, abs=1e-15)
    assert np.array_equal(kalimba.play(TUNE, tail=0.1).samples, song.samples)
    assert {own["name"]: own["value"] for own in softer.audit["parameters"]}["level"] == -6
    with pytest.raises(KeyError, match="there is no parameter `lvel`; there are .*level"):
        engine["lvel"] = 1.0
    with pytest.raises(ValueError, match="level is 100, but must be from"):
        engine["level"] = 100.0
    with pytest.raises(KeyError, match="there is no parameter"):
        kalimba.play(TUNE, parameters={"lvel": 1.0})


@pytest.mark.parametrize(
    "wrong, error, says",
    [
        (lambda engine: engine.note_on("e4", 1.0), ValueError, 'write "E4"'),
        (lambda engine: engine.note_on(128, 1.0), ValueError, "MIDI numbers go from 0 to 127"),
        (lambda engine: engine.note_on(60.5, 1.0), TypeError, "60.5 is no key"),
        (lambda engine: engine.note_on(60, 1.5), ValueError, "velocity is 1.5, but must be from 0 to 1"),
        (lambda engine: engine.note_on(60, float("nan")), ValueError, "velocity is NaN"),
        (lambda engine: engine.control(64, -1), ValueError, "value is -1"),
        (lambda engine: engine.bend(25), ValueError, "semitones is 25, but must be from -24 to 24"),
        (lambda engine: engine.render(), TypeError, "a number of frames"),
        (lambda engine: engine.render(out=np.zeros((8, 3))), ValueError, "3 columns, but there are 2 channels"),
        (lambda engine: engine.render(9, out=np.zeros((8, 2))), ValueError, "8 rows, but frames is 9"),
        (lambda engine: engine.render(out=np.zeros((8, 4))[:, ::2]), ValueError, "contiguous"),
    ],
)
def test_what_an_engine_cannot_do_is_said(kalimba, wrong, error, says):
    with pytest.raises(error, match=says):
        wrong(kalimba.engine())


@pytest.mark.parametrize(
    "wrong, error, says",
    [
        (lambda: Instrument.load("kalimbo"), ValueError, "no instrument `kalimbo`; there are .*kalimba, marimba"),
        (lambda: Instrument.load("none.toml"), hamiltone.SceneError, "none.toml"),
        (lambda: Instrument.load("kalimba", 100), ValueError, "rate is 100, but must be from 8000 to 384000 Hz"),
        (lambda: Instrument.load("kalimba", keyboard="x.kbm"), ValueError, "belongs to a scale"),
        (lambda: Instrument.load("kalimba", tuning="none.scl"), ValueError, "`none.scl` cannot be read"),
        (lambda: Instrument.load("kalimba", set={"key.body.tine.thicknes": 1}), hamiltone.SceneError, "did you mean `thickness`"),
        (lambda: Instrument.load("kalimba", preset="none"), ValueError, "there is no preset `none`"),
        (lambda: Instrument.load(ROOT / "ensembles" / "string_quartet.toml"), ValueError, "is an ensemble"),
    ],
)
def test_an_instrument_that_cannot_be_loaded_says_why(wrong, error, says):
    with pytest.raises(error, match=says):
        wrong()


@pytest.mark.parametrize(
    "song, options, error, says",
    [
        ("none.mid", {}, ValueError, "`none.mid` cannot be read"),
        ([{"notes": "e4", "length": "1/4"}], {}, hamiltone.SceneError, 'score entry 1: `notes`: .* write "E4"'),
        (TUNE, {"parts": [2]}, ValueError, "the song has no part 2; it has 1"),
        ([{"notes": "C1", "length": "1/4"}], {}, ValueError, "none of the 1 notes of the song"),
        (TUNE, {"tail": -1}, ValueError, "tail is -1"),
        (TUNE, {"velocity_curve": "0 2"}, ValueError, "outside 0 to 1"),
    ],
)
def test_a_song_that_cannot_be_played_says_why(kalimba, song, options, error, says):
    with pytest.raises(error, match=says):
        kalimba.play(song, **options)


def test_notes_that_are_not_there_are_warned_of(kalimba):
    performance = kalimba.play([*TUNE, {"notes": "C1 D1", "length": "1/8"}], tail=0.1)
    assert any("2 of the notes were not played: the instrument has no C1 (key 24), D1 (key 26)" in said for said in performance.warnings)
    assert [missing["key"] for missing in performance.audit["missing_keys"]] == [24, 26]
    assert "4 notes" in repr(performance) and "balanced" in repr(performance)


def test_a_sound_takes_the_place_of_no_input(kalimba, tmp_path):
    song = tmp_path / "tune.toml"
    song.write_text(toml(TUNE))
    performance = kalimba.play(song, tail=0.0)
    song.rename(tmp_path / "tune.wav")
    (tmp_path / "tune.toml").symlink_to(tmp_path / "tune.wav")
    with pytest.raises(ValueError, match="same file"):
        performance.save(tmp_path / "tune.wav")
    with pytest.raises(ValueError, match=r"\.wav or \.flac"):
        performance.save(tmp_path / "tune.mp3")
    # Samples of 64-bit floats have no place in FLAC.
    with pytest.raises(OSError, match="FLAC stores integers"):
        performance.save(tmp_path / "tune.flac")


def test_a_survey_is_the_table_of_the_program(tmp_path, program):
    command = [program, "survey", str(ROOT / "instruments" / "kalimba.toml"), "--keys", "C4:E4,72", "--velocities", "100,30", "--seconds", "0.7"]
    subprocess.run([*command, "-o", str(tmp_path), "-q"], check=True)
    table = Instrument.load("kalimba").survey(["C4:E4", 72], [100, 30], seconds=0.7)
    with (tmp_path / "survey.csv").open(newline="") as file:
        theirs = list(csv.DictReader(file))
    assert len(theirs) == len(table.rows) == 8 and list(theirs[0]) == list(table)
    for ours, row in zip(table.rows, theirs):
        for name, cell in row.items():
            value = ours[name]
            assert cell == "" if value is None else (float(cell) == value if isinstance(value, float) else cell.lower() == str(value).lower()), name
    with pytest.raises(ValueError, match="no such key; its keys go from C4 to E6"):
        Instrument.load("kalimba").survey(["B2"])
    with pytest.raises(ValueError, match="seconds is 0.01, but must be from 0.1 to 600 s"):
        Instrument.load("kalimba").survey(["C4"], seconds=0.01)


def test_others_run_while_an_engine_renders_and_ctrl_c_ends_it(kalimba, ctrl_c):
    engine, played = kalimba.engine(), []
    engine.note_on(60, 0.5)

    def play():
        # It waits for the engine, and the interpreter is free.
        played.append(engine.note_on(62, 0.5))
        os.kill(os.getpid(), signal.SIGINT)

    thread = threading.Timer(0.2, play)
    thread.start()
    with pytest.raises(KeyboardInterrupt):
        while True:
            engine.render(4_800_000)
    thread.join()
    assert played == [True]
    with pytest.raises(KeyboardInterrupt):
        threading.Timer(0.2, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
        kalimba.play([{"tempo": 1}, {"rest": "60"}, {"notes": "C4", "length": "1/4"}])
