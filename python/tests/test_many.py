"""Many scenarios at once, and results that leave the process."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import stickslip

EXAMPLES = Path(__file__).parents[2] / "examples"
SLIDE = EXAMPLES / "scenarios" / "slide.toml"
TURNTABLE = EXAMPLES / "scenarios" / "turntable.toml"
SETS = [{"ground.friction": friction} for friction in (0.1, 0.2, 0.4, 0.5)]


def through_a_pickle(value: Any) -> Any:
    return pickle.loads(pickle.dumps(value))


@pytest.mark.parametrize("workers", [1, 2, None])
def test_many_runs_are_those_one_after_another(workers: int | None) -> None:
    many = stickslip.simulate_many(SLIDE, "lcp", sets=SETS, set={"duration": 0.4}, workers=workers)
    for run, own in zip(many, SETS, strict=True):
        alone = stickslip.simulate(SLIDE, "lcp", set={"duration": 0.4, **own})
        assert run.to_csv() == alone.to_csv()
        assert run.scenario == alone.scenario


def test_scenarios_of_the_plane_and_of_space_go_together() -> None:
    runs = stickslip.simulate_many([SLIDE, EXAMPLES / "scenarios" / "curve.toml"], "lcp", set={"duration": 0.1})
    assert ["y" in run for run in runs] == [False, True]


def test_what_goes_wrong_with_one_is_raised_with_its_place() -> None:
    with pytest.raises(stickslip.ScenarioError, match="friction") as fault:
        stickslip.simulate_many(SLIDE, "lcp", sets=[*SETS, {"ground.friction": -1}])
    assert fault.value.index == 4


def test_what_goes_wrong_with_one_stands_in_its_place() -> None:
    scenarios = [SLIDE, EXAMPLES / "scenarios" / "turntable.toml", "nowhere.toml"]
    found = stickslip.simulate_many(scenarios, "exact", on_error="return")
    assert isinstance(found[0], stickslip.Trajectory)
    assert isinstance(found[1], stickslip.Refusal) and found[1].index == 1
    assert isinstance(found[2], stickslip.ScenarioError) and found[2].index == 2


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"sets": SETS[:1]}, "1 sets for 2 scenarios"),
        ({"workers": 0}, "workers is 0"),
        ({"on_error": "ignore"}, 'on_error is .ignore., but must be "raise" or "return"'),
        ({"stepper": "nlpp"}, "nlpp"),
    ],
)
def test_faulty_arguments_are_told(arguments: dict[str, Any], said: str) -> None:
    with pytest.raises(stickslip.InputError, match=said):
        stickslip.simulate_many([SLIDE, SLIDE], **arguments)


def test_a_trajectory_survives_a_pickle() -> None:
    run = stickslip.simulate(TURNTABLE, "lcp", set={"duration": 0.2})
    again = through_a_pickle(through_a_pickle(run))
    assert again.to_csv() == run.to_csv()
    assert again.summary == run.summary and again.stepper == "lcp" and again.steps == run.steps
    assert again.bodies == run.bodies and again.scenario == run.scenario
    for body in run.bodies:
        for name, column in run[body].items():
            np.testing.assert_array_equal(again[body][name], column)
    for name, column in run.contacts.items():
        np.testing.assert_array_equal(again.contacts[name], column)
    assert again.plot("path").svg == run.plot("path").svg


def test_comparisons_and_predictions_survive_a_pickle() -> None:
    comparison = stickslip.compare(SLIDE, ["lcp", "exact"], set={"duration": 0.3})
    again = through_a_pickle(comparison)
    assert again.summary == comparison.summary
    assert np.array_equal(again["exact"]["x"], comparison["exact"]["x"])
    cube = EXAMPLES / "scenarios" / "cube-toss.toml"
    found = stickslip.predict(EXAMPLES / "data" / "tosses-sample20.csv", cube, ["convex"])
    later = through_a_pickle(found)
    assert later.summary == found.summary
    toss = float(found.tosses[0])
    assert np.array_equal(later.states("convex", toss)["x"], found.states("convex", toss)["x"])
    assert later.plot().svg == found.plot().svg
    with pytest.raises(stickslip.InputError, match="ask before it is pickled"):
        later.plot("toss", toss)


@pytest.mark.parametrize(
    ("scenario", "stepper"), [(SLIDE, "nlp"), (SLIDE, "convex"), (TURNTABLE, "nlp"), (TURNTABLE, "lcp")]
)
def test_a_stepper_goes_on_from_its_pickle(scenario: Path, stepper: str) -> None:
    own = stickslip.Stepper(scenario, stepper, set={"duration": 1.0})
    state = own.initial_state()
    for _ in range(50):
        state, _ = own.step(state)
    later = through_a_pickle(own)
    states = [state, state]
    for _ in range(50):
        states = [one.step(before)[0] for one, before in zip((own, later), states, strict=True)]
    np.testing.assert_array_equal(states[0], states[1])
    # What has been reset begins anew, in both.
    for one in (own, later):
        one.reset()
    np.testing.assert_array_equal(own.step(own.initial_state())[0], later.step(later.initial_state())[0])


def test_errors_survive_a_pickle() -> None:
    with pytest.raises(stickslip.ScenarioError) as fault:
        stickslip.simulate(SLIDE, set={"ground.friction": -1})
    again = through_a_pickle(fault.value)
    assert str(again) == str(fault.value) and again.problems == fault.value.problems
    with pytest.raises(stickslip.Refusal) as refused:
        stickslip.simulate(EXAMPLES / "scenarios" / "turntable.toml", "exact")
    again = through_a_pickle(refused.value)
    assert (again.stepper, again.remedy) == (refused.value.stepper, refused.value.remedy)


def test_a_body_is_asked_for_by_its_name_and_the_first_that_moves_by_default() -> None:
    scenario = {
        "name": "named",
        "duration": 0.1,
        "step": 1e-3,
        "body": [
            {"name": "plate", "shape": "box", "size": [1.0, 0.1], "mass": 1.0, "position": [0.0, 0.0], "fixed": True},
            {"name": "ball", "shape": "disc", "size": 0.1, "mass": 1.0, "position": [0.0, 1.0]},
        ],
        "ground": {"friction": 0.3},
    }
    run = stickslip.simulate(scenario, "lcp")
    assert run["ball"]["z"][-1] == pytest.approx(1.0 - 0.5 * 9.81 * 0.1**2, abs=1e-3)
    assert np.array_equal(run["z"], run["ball"]["z"])
    assert np.all(run["plate"]["z"] == 0.0)
    with pytest.raises(KeyError, match="bodies plate, ball"):
        run["cube"]


def test_columns_are_drawn_by_matplotlib() -> None:
    pytest.importorskip("matplotlib").use("Agg")
    run = stickslip.simulate(SLIDE, "lcp", set={"duration": 0.3})
    axes = run.body().plot("x", "vx")
    lines = axes.get_lines()
    assert [line.get_label() for line in lines] == [f"{run.bodies[0]}: x", f"{run.bodies[0]}: vx"]
    assert np.array_equal(lines[0].get_ydata(), run["x"])
    assert run.body().plot("z", axes=axes) is axes and len(axes.get_lines()) == 3
    with pytest.raises(KeyError, match="there is no column 'altitude'"):
        run.body().plot("altitude")
    with pytest.raises(stickslip.InputError, match="holds words"):
        run.body().plot("status")


def test_a_comparison_is_drawn_and_listed_by_stepper() -> None:
    pytest.importorskip("matplotlib").use("Agg")
    pytest.importorskip("pandas")
    comparison = stickslip.compare(SLIDE, ["lcp", "exact"], set={"duration": 0.3})
    axes = comparison.plot("vx")
    assert [line.get_label() for line in axes.get_lines()] == ["lcp: vx", "exact: vx"]
    assert comparison.plot("z", axes=axes) is axes and len(axes.get_lines()) == 4
    with pytest.raises(KeyError, match="there is no column 'altitude'"):
        comparison.plot("altitude")
    frame = comparison.to_pandas()
    assert list(frame.columns[:3]) == ["stepper", "step", "t"]
    of_exact = frame[frame["stepper"] == "exact"]
    np.testing.assert_array_equal(of_exact["x"].to_numpy(), comparison["exact"]["x"])


def test_trajectories_become_datasets() -> None:
    pytest.importorskip("xarray")
    run = stickslip.simulate(TURNTABLE, "lcp", set={"duration": 0.2})
    whole = run.to_xarray()
    assert dict(whole.sizes) == {"body": len(run.bodies), "t": run.steps + 1} and whole.attrs["stepper"] == "lcp"
    for name in run.bodies:
        np.testing.assert_array_equal(whole["vx"].sel(body=name), run[name]["vx"])
        alone = run[name].to_xarray()
        np.testing.assert_array_equal(alone["z"], run[name]["z"])
    assert float(whole["z"].sel(t=0.1, method="nearest")[0]) == run[run.bodies[0]]["z"][np.abs(run["t"] - 0.1).argmin()]
