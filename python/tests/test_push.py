"""Pushes that no scenario file can hold."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import stickslip

SLIDE = Path(__file__).parents[2] / "examples" / "scenarios" / "slide.toml"
STEPPERS = ["nlp", "lcp", "convex", "hybrid"]
POINT = {
    "name": "pushed",
    "duration": 0.4,
    "step": 1e-3,
    "particle": {"mass": 2.0, "position": [0.0, 0.0], "velocity": [0.0, 0.0]},
    "ground": {"friction": 0.3},
}
BOX = {
    "name": "box",
    "duration": 0.2,
    "step": 1e-3,
    "gravity": 0.0,
    "body": [{"shape": "box", "size": [0.4, 0.2], "mass": 3.0, "position": [0.0, 5.0]}],
    "ground": {"friction": 0.3},
}


@pytest.mark.parametrize("stepper", STEPPERS)
def test_a_function_and_an_array_push_as_the_scenario_does(stepper: str) -> None:
    in_scenario = stickslip.simulate({**POINT, "push": [{"force": [20.0, 1.0], "from": 0.1, "to": 0.3}]}, stepper)

    def push(t: float, state: np.ndarray) -> list[float]:
        assert state.shape == (4,)
        return [20.0, 1.0] if round(t * 1000) in range(100, 300) else [0.0, 0.0]

    by_function = stickslip.simulate(POINT, stepper, push=push)
    rows = np.array([[20.0, 1.0] if 100 <= k < 300 else [0.0, 0.0] for k in range(400)])
    by_array = stickslip.simulate(POINT, stepper, push=rows)
    for run in (by_function, by_array):
        for column in ("x", "z", "vx", "vz", "ux", "fx"):
            assert np.array_equal(run[column], in_scenario[column], equal_nan=True), column


def test_a_push_that_stays_the_same_is_given_as_its_numbers() -> None:
    in_scenario = stickslip.simulate({**POINT, "push": [{"force": [20.0, 1.0]}]}, "lcp")
    for push in ((20.0, 1.0), [20, 1], np.array([20.0, 1.0])):
        assert np.array_equal(stickslip.simulate(POINT, "lcp", push=push)["x"], in_scenario["x"])
    turned = stickslip.simulate(BOX, "nlp", push=[(0.0, 0.0, 0.5)])
    assert turned["spin"][-1] == pytest.approx(0.5 * 0.2 / (3.0 * (0.4**2 + 0.2**2) / 12), rel=1e-9)
    together = stickslip.compare(POINT, ["lcp", "nlp"], push=(20.0, 1.0))
    assert np.array_equal(together["lcp"]["x"], in_scenario["x"])


def test_a_push_acts_on_each_of_many_runs() -> None:
    def push(t: float, state: np.ndarray) -> list[float]:
        return [-40.0 * state[0], 0.0]

    masses = [{"particle.mass": mass, "particle.position": [0.2, 0.0]} for mass in (1.0, 2.0, 4.0)]
    for given in (push, (20.0, 1.0)):
        many = stickslip.simulate_many(POINT, "lcp", sets=masses, push=given, workers=2)
        for run, own in zip(many, masses, strict=True):
            alone = stickslip.simulate(POINT, "lcp", set=own, push=given)
            assert run.to_csv() == alone.to_csv() and run.summary["metrics"] == alone.summary["metrics"]


def test_what_a_push_of_many_runs_raises_has_the_place_of_the_run() -> None:
    def push(t: float, state: np.ndarray) -> list[float]:
        if state[0] > 0.1:
            raise ZeroDivisionError("far")
        return [0.0, 0.0]

    scenarios = [POINT, {**POINT, "particle": {**POINT["particle"], "position": [0.2, 0.0]}}]  # type: ignore[dict-item]
    with pytest.raises(ZeroDivisionError, match="far") as raised:
        stickslip.simulate_many(scenarios, "lcp", push=push)
    assert raised.value.index == 1  # type: ignore[attr-defined]
    found = stickslip.simulate_many(scenarios, "exact", push=(1.0, 0.0), on_error="return")
    assert all(isinstance(refusal, stickslip.Refusal) for refusal in found)


def test_a_push_follows_the_state() -> None:
    # A spring of 40 N/m to x = 0 on a point that starts at 0.2 m on ice: x = 0.2 cos(sqrt(20) t).
    scenario = {**POINT, "ground": {"friction": 0.0}, "particle": {**POINT["particle"], "position": [0.2, 0.0]}}  # type: ignore[dict-item]
    run = stickslip.simulate(scenario, "lcp", push=lambda t, state: [-40.0 * state[0], 0.0])
    assert np.allclose(run["x"], 0.2 * np.cos(np.sqrt(20) * run["t"]), atol=2e-3)


def test_there_is_no_exact_motion_under_a_push() -> None:
    run = stickslip.simulate(POINT, "lcp", push=lambda t, state: [20.0, 0.0])
    assert run.metrics["max_error_x"] is None
    assert run.metrics["max_energy_gain"] < 1e-9


def test_torques_turn_bodies() -> None:
    run = stickslip.simulate(BOX, "nlp", push=lambda t, state: [[0.0, 0.0, 0.5]])
    inertia = 3.0 * (0.4**2 + 0.2**2) / 12
    assert run["spin"][-1] == pytest.approx(0.5 * 0.2 / inertia, rel=1e-9)
    forces = stickslip.simulate(BOX, "nlp", push=lambda t, state: [[3.0, 0.0]])
    assert forces["vx"][-1] == pytest.approx(0.2, rel=1e-9)
    assert forces["spin"][-1] == 0.0


@pytest.mark.parametrize(
    ("push", "said"),
    [
        (lambda t, state: [1.0], "shape"),
        (lambda t, state: [np.nan, 0.0], "finite"),
        (lambda t, state: "hard", "numbers"),
        (np.zeros((3, 2)), "shape"),
        (np.full((400, 2), np.inf), "finite"),
        ("hard", "numbers"),
    ],
)
def test_what_is_no_push_is_refused(push: object, said: str) -> None:
    with pytest.raises(stickslip.InputError, match=said):
        stickslip.simulate(POINT, "lcp", push=push)  # type: ignore[arg-type]


def test_a_push_that_forgets_to_return_is_told() -> None:
    def push(t: float, state: np.ndarray) -> None:
        np.array([1.0, 0.0])

    with pytest.raises(stickslip.InputError, match="at t = 0 s, the push gives None; give zeros"):
        stickslip.simulate(POINT, push=push)  # type: ignore[arg-type]


def test_an_exception_in_a_push_is_raised_here() -> None:
    def push(t: float, state: np.ndarray) -> list[float]:
        raise ZeroDivisionError("at " + str(t))

    with pytest.raises(ZeroDivisionError, match="at 0"):
        stickslip.simulate(POINT, "lcp", push=push)


def test_the_exact_motion_takes_no_push() -> None:
    with pytest.raises(stickslip.Refusal, match="own pushes"):
        stickslip.simulate(POINT, "exact", push=lambda t, state: [1.0, 0.0])


def test_a_single_step_takes_a_torque() -> None:
    stepper = stickslip.Stepper(BOX)
    state, _ = stepper.step(stepper.initial_state(), np.array([[0.0, 0.0, 0.5]]))
    assert state.shape == (1, 6)
    assert state[0, 5] > 0.0


def test_a_push_acts_on_every_stepper_of_a_comparison() -> None:
    def push(t: float, state: np.ndarray) -> list[float]:
        return [-3.0 * state[0], 0.0]

    together = stickslip.compare(POINT, ["nlp", "lcp", "exact"], push=push)
    assert list(together) == ["nlp", "lcp"]
    assert [refused["stepper"] for refused in together.refused] == ["exact"]
    for name, run in together.items():
        alone = stickslip.simulate(POINT, name, push=push)
        assert np.array_equal(run["x"], alone["x"])
        assert run.metrics["max_error_x"] is None
    rows = np.zeros((400, 2))
    assert np.array_equal(stickslip.compare(POINT, ["lcp"], push=rows)["lcp"]["x"], stickslip.simulate(POINT, "lcp")["x"])


def test_an_exception_in_the_push_of_a_comparison_is_raised_here() -> None:
    def push(t: float, state: np.ndarray) -> list[float]:
        raise ZeroDivisionError("at " + str(t))

    with pytest.raises(ZeroDivisionError, match="at 0"):
        stickslip.compare(POINT, ["nlp", "lcp"], push=push)
