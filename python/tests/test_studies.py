"""Sweeps and comparisons."""

import multiprocessing
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time

import numpy as np
import pytest

import hamiltone
from conftest import ROOT


@pytest.fixture
def scene(scenes):
    return hamiltone.Scene.load(scenes / "plucked_string.toml").set("run.duration", "0.3 s")


def test_a_sweep_has_a_row_for_each_combination(scene, tmp_path):
    over = {"body.string.length": "0.6 m:0.7 m:3", "drive.finger.height": np.array([1e-3, 2e-3])}
    table = hamiltone.sweep(scene, over, output=tmp_path / "table.csv")
    assert table["run"].tolist() == list(range(6))
    assert table["body.string.length"].tolist() == [0.6, 0.6, 0.65, 0.65, 0.7, 0.7]
    # A linear string: twice the height is twice the force.
    assert table["bridge.peak"][1] == pytest.approx(2 * table["bridge.peak"][0], rel=1e-9)
    assert (tmp_path / "table.csv").read_text().count("\n") == 7
    assert not (tmp_path / "table.csv.journal").exists()


def test_broken_runs_are_rows_with_their_reason(scene, tmp_path):
    table = hamiltone.sweep(scene, {"body.string.length": [-1, 0.6, "x"]}, output=tmp_path / "table.parquet")
    assert table["verdict"].tolist() == ["invalid", "green", "invalid"]
    assert "≥ 0.001" in table["reason"][0] and np.isnan(table["bridge.peak"][0])
    parquet = pytest.importorskip("pyarrow.parquet")
    rows = parquet.read_table(tmp_path / "table.parquet").to_pylist()
    assert [row["verdict"] for row in rows] == ["invalid", "green", "invalid"] and rows[0]["residual"] is None


def test_what_is_no_sweep_is_refused(scene, tmp_path):
    with pytest.raises(hamiltone.SceneError, match="strng"):
        hamiltone.sweep(scene, {"body.strng.length": "0.6 m:0.7 m:3"})
    with pytest.raises(ValueError, match="different units"):
        hamiltone.sweep(scene, {"body.string.length": "0.6 m:0.7 s:3"})
    with pytest.raises(ValueError, match="needs a parameter"):
        hamiltone.sweep(scene, {})
    bell = tmp_path / "bell.toml"
    bell.write_text('hamiltone = 2\nrun.duration = "10 ms"\npickup.left.at = "bell"\n[body.bell]\nkind = "modes"\nfile = "bell.csv"\n')
    (tmp_path / "bell.csv").write_text((ROOT / "scenes/carillon_bell.csv").read_text())
    before = (tmp_path / "bell.csv").read_text()
    with pytest.raises((ValueError, hamiltone.SceneError)):
        hamiltone.sweep(hamiltone.Scene.load(bell), {"run.duration": ["10 ms", "20 ms"]}, output=tmp_path / "bell.csv")
    assert (tmp_path / "bell.csv").read_text() == before
    notes = tmp_path / "notes.csv.journal"
    notes.write_text("notes without an end of line")
    with pytest.raises(OSError, match="belongs to a sweep with another scene"):
        hamiltone.sweep(scene, {"body.string.length": [0.6]}, output=tmp_path / "notes.csv")
    assert notes.read_text() == "notes without an end of line"
    with pytest.raises(OSError, match=r"written as .csv or .parquet"):
        hamiltone.sweep(scene, {"body.string.length": [0.6]}, output=tmp_path / "table.xlsx")


SWEEP = """
import sys, hamiltone
scene = hamiltone.Scene.load(sys.argv[1]).set("run.duration", "0.3 s")
if __name__ == "__main__":
    table = hamiltone.sweep(scene, {"body.string.length": "0.5 m:0.7 m:120"}, output=sys.argv[2])
    print(len(table.rows))
"""


def test_a_killed_sweep_continues(scenes, tmp_path):
    script, table = tmp_path / "sweep.py", tmp_path / "table.csv"
    script.write_text(textwrap.dedent(SWEEP))
    command = [sys.executable, str(script), str(scenes / "plucked_string.toml"), str(table)]
    journal = tmp_path / "table.csv.journal"
    finished = 0
    for _ in range(2):
        process = subprocess.Popen(command)
        begin = time.monotonic()
        while time.monotonic() - begin < 60 and process.poll() is None:
            rows = journal.read_bytes().count(b"\n") - 1 if journal.exists() else 0
            if rows >= finished + 10:
                break
            time.sleep(0.01)
        process.send_signal(signal.SIGKILL)
        process.wait()
        rows = journal.read_bytes().count(b"\n") - 1
        assert finished < rows < 120, "it was killed on its way"
        finished = rows
    # What is cut off is repeated.
    with journal.open("ab") as file:
        file.write(b'{"run":119,"body')
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    assert done.stdout.strip() == "120"
    runs = [int(line.split(",")[0]) for line in table.read_text().splitlines()[1:]]
    assert runs == list(range(120))


def test_shards_make_the_whole(scene):
    over = {"body.string.length": "0.5 m:0.7 m:5"}
    parts = [row for i in (1, 2) for row in hamiltone.sweep(scene, over, shard=(i, 2)).rows]
    assert sorted(parts, key=lambda row: row["run"]) == hamiltone.sweep(scene, over).rows


def test_a_cluster_gives_the_same_rows(scene, tmp_path):
    distributed = pytest.importorskip("distributed")
    over = {"body.string.length": "0.5 m:0.7 m:9"}
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:
        with distributed.Client(cluster) as client:
            table = hamiltone.sweep(scene, over, client=client, output=tmp_path / "table.csv")
    assert table.rows == hamiltone.sweep(scene, over).rows


def test_orders_are_those_that_are_claimed(fork):
    fork["run"] = {"duration": "20 ms", "sample_rate": 48000}
    fork["body"]["fork"]["damping"] = "20 1/s"
    fork["contact"] = {"spring": {"between": ["fork", "ground"], "law": "power", "stiffness": "1e8 N/m^3", "exponent": 3, "gap": 0}}
    schemes = ["ec", "mr", "tr", "ck"]
    comparison = hamiltone.compare(hamiltone.Scene(fork), schemes, rates=[96e3, 192e3, 384e3], reference="ec")
    for scheme in schemes:
        order = comparison.orders[scheme]
        assert order["measured"] == pytest.approx(order["claimed"], abs=0.15), (scheme, order)
    assert comparison.reference == ("ec", 4 * 384e3)
    assert len(comparison.table.rows) == 12 and "<svg" in comparison.picture
    with pytest.raises(ValueError, match="there is no scheme `foo`"):
        hamiltone.compare(hamiltone.Scene(fork), ["foo"])
    with pytest.raises(ValueError, match="no multiple of the sample rate"):
        hamiltone.compare(hamiltone.Scene(fork), ["ec"], rates=[50e3])


def test_a_rate_may_have_its_unit(scene):
    text = hamiltone.compare(scene, ["modal-ec"], rates=["44.1 kHz", 88200], window="5 ms", sound="0.1 s")
    assert text.table["rate_hz"].tolist() == [44100, 88200]
    alone = hamiltone.compare(scene, "modal-ec", rates="44.1 kHz", window="5 ms", sound="0.1 s")
    assert alone.table["rate_hz"].tolist() == [44100]
    for rates, says in [
        (["1 s"], "measured in Hz, not in s"),
        (["x"], "^`x` does not begin with a number"),
        ([-1], "a rate is above 0 Hz; -1 is not"),
        (["0 kHz"], "a rate is above 0 Hz; '0 kHz' is not"),
    ]:
        with pytest.raises(ValueError, match=says):
            hamiltone.compare(scene, ["modal-ec"], rates=rates)


def test_a_comparison_shows_the_audible_partial_that_is_farthest_from_theory(scene):
    """The Störmer–Verlet step sounds f sharp by about (π f Δt)²/6 of it: the highest of 16 partials is off most, the first by next to nothing."""
    scene.set("body.string.modes", 40)
    table = hamiltone.compare(scene, ["vv"], rates=[44100, 88200], sound="0.3 s").table
    for rate, cents, of in zip(table["rate_hz"], table["cents"], table["cents_of"]):
        body, number = of.split()
        expected = 1200 * np.log2(rate / (np.pi * int(number) * 82.4073) * np.arcsin(np.pi * int(number) * 82.4073 / rate))
        assert body == "string" and int(number) > 8, of
        assert cents == pytest.approx(expected, rel=0.1), (rate, of)


FORKED = """
import os, signal, sys, hamiltone
scene = hamiltone.Scene.load(sys.argv[1]).set("run.duration", "50 ms")
work = {
    "sweep": lambda: hamiltone.sweep(scene, {"body.string.length": "0.5 m:0.7 m:4"}).rows,
    "compare": lambda: hamiltone.compare(scene, ["modal-ec", "ec"], sound="50 ms").table["error"].tolist(),
    "render": lambda: scene.render().audio.tolist(),
}[sys.argv[2]]
before = work()
child = os.fork()
if child == 0:
    # Where it waits for ever, this ends it.
    signal.alarm(60)
    os._exit(0 if work() == before else 1)
sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the system has no fork")
@pytest.mark.parametrize("call", ["sweep", "compare", "render"])
def test_a_forked_child_computes_what_its_parent_did(scenes, call):
    done = subprocess.run([sys.executable, "-c", FORKED, str(scenes / "plucked_string.toml"), call], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the system has no fork")
def test_a_pool_of_forked_processes_sweeps(scene):
    lengths = [{"body.string.length": [length]} for length in (0.5, 0.6)]
    before = [hamiltone.sweep(scene, over).rows for over in lengths]
    with multiprocessing.get_context("fork").Pool(2) as pool:
        tables = pool.starmap_async(hamiltone.sweep, [(scene, over) for over in lengths]).get(timeout=60)
    assert [table.rows for table in tables] == before


def test_ctrl_c_ends_a_comparison(scenes, ctrl_c):
    scene = hamiltone.Scene.load(scenes / "piano_c4.toml")
    timer = threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    begin = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        hamiltone.compare(scene, ["sprk-4", "ec"])
    assert time.monotonic() - begin < 60
