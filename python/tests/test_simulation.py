"""Blocks of steps on the caller's arrays."""

import numpy as np
import pytest

import hamiltone


def test_blocks_are_the_render(scenes):
    scene = hamiltone.Scene.load(scenes / "plucked_string.toml").set("run.duration", "50 ms")
    simulation, result = scene.prepare(), scene.render()
    out = np.empty((2205, 1))
    simulation.run(out[:1000])
    simulation.run(out[1000:])
    # Sample i of the sound is the state at i/rate; without oversampling it is not filtered.
    assert np.array_equal(out[:-1, 0], result.pickups["bridge"][1:])
    assert simulation.balance()["ok"] and simulation.time == pytest.approx(0.05)


def test_inputs_drive_and_states_continue():
    system = hamiltone.System(duration=0.1, scheme="ec")
    system.body("fork", "oscillator", mass="2 g", frequency="440 Hz")
    system.drive("finger", "constant", "fork", value="0 N")
    system.pickup("left", "fork")
    simulation = system.prepare()
    assert (simulation.inputs, simulation.outputs) == (["finger"], ["left"])
    force, out = np.ones((101, 1)), np.empty((100, 1))
    simulation.run(out, force)
    state = simulation.save()
    simulation.run(out, force)
    again = np.empty((100, 1))
    other = system.prepare()
    other.restore(state)
    other.run(again, force)
    assert np.array_equal(out, again) and out.max() > 0
    simulation.reset()
    assert simulation.steps == 0 and simulation.balance()["stored"] == 0
    with pytest.raises(ValueError, match="100 steps take 101 × 1"):
        simulation.run(out, force[1:])
    with pytest.raises(ValueError, match="out has 2 columns"):
        simulation.run(np.empty((10, 2)))
    with pytest.raises(ValueError, match="contiguous"):
        simulation.run(np.empty((20, 1))[::2])


def test_a_state_with_any_changed_bit_is_refused_and_changes_nothing(fork):
    simulation, out = hamiltone.Scene(fork).prepare(), np.empty((100, 1))
    simulation.run(out)
    state = simulation.save()
    simulation.reset()
    for damaged in (b"", b"x", b"\xff" * 8 + state[8:], state[:-8], state[:100], state + b"\0"):
        with pytest.raises(ValueError, match="damaged"):
            simulation.restore(damaged)
    for at in range(len(state)):
        with pytest.raises(ValueError, match="damaged"):
            simulation.restore(state[:at] + bytes([state[at] ^ 1 << at % 8]) + state[at + 1 :])
    assert simulation.steps == 0 and simulation.v.tolist() == pytest.approx([1.0])
    simulation.restore(state)
    assert simulation.steps == 100


@pytest.mark.parametrize("force", [np.inf, np.nan])
def test_a_state_that_is_not_finite_is_refused(force):
    system = hamiltone.System(duration=0.1, scheme="ec")
    system.body("fork", "oscillator", mass="2 g", frequency="440 Hz")
    system.drive("finger", "constant", "fork", value="0 N")
    system.pickup("left", "fork")
    ended, whole = system.prepare(), system.prepare()
    with pytest.raises(RuntimeError):
        ended.run(np.empty((3, 1)), np.array([[0.0], [0.0], [force], [0.0]]))
    with pytest.raises(ValueError, match="not finite"):
        whole.restore(ended.save())
    whole.run(np.empty((3, 1)))
    assert whole.q.tolist() == [0.0] and whole.balance()["ok"]


def test_positions_and_velocities(fork):
    simulation = hamiltone.Scene(fork).prepare()
    assert simulation.q.tolist() == [0.0] and simulation.v.tolist() == pytest.approx([1.0])


def test_a_part_has_one_place():
    system = hamiltone.System(duration=1.0)
    system.body("fork", "oscillator", mass="2 g", frequency="440 Hz")
    with pytest.raises(ValueError, match="already a body `fork`"):
        system.body("fork", "mass", mass=1)


def test_the_balance_of_a_restored_state_goes_on(fork):
    fork["body"]["fork"]["damping"] = "50 1/s"
    fork["run"]["duration"] = "1 s"
    scene = hamiltone.Scene(fork)
    one, other, out = scene.prepare(), scene.prepare(), np.empty((3000, 1))
    one.run(out)
    other.restore(one.save())
    for simulation in (one, other):
        simulation.run(out[:100])
    assert other.balance() == one.balance() and other.balance()["ok"] and other.balance()["dissipated"] > 0
    # Longer calls are watched from another thread: to the same bits.
    again = scene.prepare()
    long = np.empty((20000, 1))
    again.run(long)
    assert np.array_equal(long[3000:3100], out[:100])
