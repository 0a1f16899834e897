"""Runs from Python are those of the command line."""

from __future__ import annotations

import csv
import io
import json
import math
import threading
from collections import ChainMap, UserDict
from collections.abc import Callable
from pathlib import Path
from types import MappingProxyType

import numpy as np
import pytest

import stickslip

SCENARIOS = Path(__file__).parents[2] / "examples" / "scenarios"
SLIDE = SCENARIOS / "slide.toml"
THROWN = {
    "name": "thrown",
    "duration": 0.5,
    "step": 1e-3,
    "particle": {"mass": 10, "position": [0.0, 0.1], "velocity": np.array([1.0, 0.0])},
    "ground": {"friction": 0.1},
}


def test_a_point_that_is_thrown_ends_where_the_closed_form_says() -> None:
    trajectory = stickslip.simulate(THROWN, "exact")
    landing = math.sqrt(2 * 0.1 / 9.81)
    speed = 1.0 - 0.1 * 9.81 * landing
    sliding = 0.5 - landing
    end = landing + speed * sliding - 0.5 * 0.981 * sliding**2
    assert trajectory["x"][-1] == pytest.approx(end, abs=1e-12)
    assert trajectory.steps == 500
    assert len(trajectory["t"]) == 501


def test_a_path_and_a_text_are_the_same_scenario() -> None:
    runs = [stickslip.simulate(given, "lcp") for given in (SLIDE, str(SLIDE), SLIDE.read_text())]
    assert all(np.array_equal(run["x"], runs[0]["x"]) for run in runs)


@pytest.mark.parametrize("stepper", ["nlp", "lcp", "convex", "hybrid", "exact"])
def test_results_are_bit_for_bit_those_of_the_command_line(
    stepper: str, program: Callable[..., str], tmp_path: Path
) -> None:
    program("run", str(SLIDE), "--stepper", stepper, "--no-plots", "--set", "duration=0.3", cwd=tmp_path)
    expected = (tmp_path / "output" / "slide" / stepper / "trajectory.csv").read_text()
    assert stickslip.simulate(SLIDE, stepper, set={"duration": 0.3}).to_csv() == expected


def test_columns_agree_with_the_table() -> None:
    pytest.importorskip("pandas")
    trajectory = stickslip.simulate(SLIDE, "lcp")
    frame = trajectory.to_pandas()
    rows = list(csv.DictReader(io.StringIO(trajectory.to_csv())))
    for column in ["t", "x", "z", "vx", "vz", "energy"]:
        assert list(frame[column]) == [float(row[column]) for row in rows], column
    assert list(frame["fz"][:-1]) == [float(row["fz"]) for row in rows[:-1]]
    assert math.isnan(frame["fz"].iloc[-1])
    assert list(frame["status"][:2]) == ["solved", "solved"]


@pytest.mark.parametrize(("scenario", "stepper"), [(SLIDE, "nlp"), (SLIDE, "lcp"), (SCENARIOS / "chain.toml", "nlp")])
def test_columns_are_all_of_the_table_in_its_order(scenario: Path, stepper: str) -> None:
    pytest.importorskip("pandas")
    trajectory = stickslip.simulate(scenario, stepper, set={"duration": 0.02})
    frame = trajectory.to_pandas()
    rows = list(csv.reader(io.StringIO(trajectory.to_csv())))
    assert list(frame.columns) == rows[0]
    numbers = [name for name in rows[0] if name not in ("body", "status")]
    for column in numbers:
        place = rows[0].index(column)
        told = [float(row[place]) if row[place] else math.nan for row in rows[1:]]
        given = np.where(frame[column] == -1, math.nan, frame[column]) if column == "iterations" else frame[column]
        assert np.array_equal(given, told, equal_nan=True), column
    if "body" in frame:
        assert list(frame["body"]) == [row[rows[0].index("body")] for row in rows[1:]]


def test_metrics_have_the_error_against_the_exact_motion() -> None:
    metrics = stickslip.simulate(SLIDE, "nlp").metrics
    assert 0 < metrics["max_error_x"] < 2e-3
    assert metrics["final_x"] == pytest.approx(0.609184, abs=1e-5)


def test_pictures_are_svg() -> None:
    trajectory = stickslip.simulate(SLIDE, "lcp")
    for kind in ["history", "path"]:
        assert "<svg" in trajectory.plot(kind)._repr_svg_()[:200]
    with pytest.raises(stickslip.InputError, match="history"):
        trajectory.plot("histogram")


def test_settings_are_a_mapping_of_any_kind() -> None:
    told = stickslip.resolve(SLIDE, set={"ground.friction": 0.25})
    assert told != stickslip.resolve(SLIDE)
    settings = {"ground.friction": 0.25}
    for mapping in (MappingProxyType(settings), ChainMap(settings), UserDict(settings)):
        assert stickslip.resolve(SLIDE, set=mapping) == told


def test_a_path_may_have_an_equals_sign(tmp_path: Path) -> None:
    folder = tmp_path / "friction=0.1"
    folder.mkdir()
    file = folder / "slide.toml"
    file.write_text(SLIDE.read_text())
    assert stickslip.resolve(str(file)) == stickslip.resolve(file) == stickslip.resolve(SLIDE)


def test_a_stepper_takes_the_steps_of_a_run_one_by_one() -> None:
    run = stickslip.simulate(SLIDE, "lcp", set={"duration": 0.1})
    stepper = stickslip.Stepper(SLIDE, "lcp")
    state = stepper.initial_state()
    for k in range(run.steps):
        state, impulse = stepper.step(state, np.array([run["ux"][k], run["uz"][k]]))
        assert state[0] == run["x"][k + 1]
        assert impulse[1] == pytest.approx(run["fz"][k] * 1e-3, abs=1e-12)


def test_without_a_push_steps_are_under_those_of_the_scenario() -> None:
    pushed = SCENARIOS / "push-and-hold.toml"
    run = stickslip.simulate(pushed, "lcp")
    assert np.any(run["ux"][:-1] != 0.0)
    stepper = stickslip.Stepper(pushed, "lcp")
    state = stepper.initial_state()
    for k in range(run.steps):
        state, _ = stepper.step(list(state))
        assert state[0] == run["x"][k + 1]
    # Its first step again.
    stepper.reset()
    assert stepper.step(stepper.initial_state())[0][0] == run["x"][1]
    # What is given stands in their place, also where it is nothing.
    stepper.reset()
    state = stepper.initial_state()
    for _ in range(run.steps):
        state, _ = stepper.step(state, [0, 0])
    assert state[0] != run["x"][-1]


def test_the_length_of_a_step_is_that_of_the_scenario_unless_it_is_given() -> None:
    # Pushed by the scenario, and as fast as 1 m/s: 1 mm in its own step of 1 ms.
    stepper = stickslip.Stepper(SCENARIOS / "push-and-hold.toml", "lcp", set={"particle.velocity": [1.0, 0.0]})
    start = stepper.initial_state()
    assert stepper.step(start)[0][0] == pytest.approx(1e-3, rel=0.01)
    assert stepper.step(start, dt=0.1)[0][0] == pytest.approx(0.1, rel=0.1)
    assert stepper.step(start)[0][0] == pytest.approx(1e-3, rel=0.01)


def test_a_step_is_written_where_it_is_wanted() -> None:
    stepper = stickslip.Stepper(SLIDE, "lcp")
    start = stepper.initial_state()
    expected, _ = stepper.step(start)
    stepper.reset()
    place = np.empty_like(start)
    state, _ = stepper.step(start, out=place)
    assert state is place
    assert np.array_equal(place, expected)
    stepper.reset()
    place[:] = start
    stepper.step(place, out=place)
    assert np.array_equal(place, expected)
    frozen = np.zeros_like(start)
    frozen.flags.writeable = False
    for wrong in (np.zeros(3), start.astype(np.float32), list(start), frozen):
        with pytest.raises(stickslip.InputError, match="out must be an array of float64"):
            stepper.step(start, out=wrong)


def test_steps_from_wrong_arrays_are_refused() -> None:
    stepper = stickslip.Stepper(SLIDE, "lcp")
    with pytest.raises(stickslip.InputError, match="state must be numbers"):
        stepper.step(["a"])
    with pytest.raises(stickslip.InputError, match="shape"):
        stepper.step(np.zeros(3))
    with pytest.raises(stickslip.InputError, match="finite"):
        stepper.step(np.array([0.0, np.nan, 0.0, 0.0]))
    with pytest.raises(stickslip.InputError, match="dt is"):
        stepper.step(stepper.initial_state(), dt=-1.0)


@pytest.mark.parametrize("quaternion", [[0.0, 0.0, 0.0, 0.0], [1e-6, 0.0, 0.0, 0.0], [1e200, 0.0, 0.0, 0.0]])
def test_a_step_from_a_quaternion_that_is_no_rotation_is_refused(quaternion: list[float]) -> None:
    stepper = stickslip.Stepper(SCENARIOS / "dzhanibekov.toml", "nlp")
    state = stepper.initial_state()
    state[0, 3:7] = quaternion
    with pytest.raises(stickslip.InputError, match="no rotation"):
        stepper.step(state)
    # Its length does not matter otherwise.
    state[0, 3:7] = [2.0, 0.0, 0.0, 0.0]
    assert np.allclose(stepper.step(state)[0], stepper.step(stepper.initial_state())[0], rtol=1e-12, atol=1e-12)


def test_a_single_step_that_blows_up_fails_as_a_run_does() -> None:
    stepper = stickslip.Stepper(SLIDE, "smooth")
    with pytest.raises(stickslip.StepFailure, match="blew up") as caught:
        stepper.step(stepper.initial_state(), dt=1e308)
    assert caught.value.kind == "unstable"
    # The next one is none the worse.
    state, _ = stepper.step(stepper.initial_state())
    assert np.all(np.isfinite(state))


def test_threads_share_nothing() -> None:
    alone = stickslip.simulate(SLIDE, "nlp")["x"]
    found: list[np.ndarray] = []
    threads = [
        threading.Thread(target=lambda: found.append(stickslip.simulate(SLIDE, "nlp")["x"])) for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 4
    assert all(np.array_equal(x, alone) for x in found)


def test_compare_measures_every_stepper() -> None:
    comparison = stickslip.compare(SLIDE, ["nlp", "lcp", "exact"], set={"duration": 0.2})
    assert list(comparison) == ["nlp", "lcp", "exact"]
    assert np.allclose(comparison["nlp"]["x"], comparison["lcp"]["x"], atol=1e-5)
    assert [entry["stepper"] for entry in comparison.summary["steppers"]] == ["nlp", "lcp", "exact"]


def test_steppers_part_where_the_command_line_says(program: Callable[..., str], tmp_path: Path) -> None:
    names = ["nlp", "hybrid", "exact"]
    arguments = ["--steppers", ",".join(names), "--no-plots", "--quiet", "--json"]
    told = json.loads(program("compare", str(SLIDE), *arguments, cwd=tmp_path))
    summary = stickslip.compare(SLIDE, names).summary
    assert summary["tolerance"] == told["tolerance"]
    assert summary["partings"] == told["partings"]
    # Closer than a step of the motion they all part.
    close = stickslip.compare(SLIDE, names, tolerance=1e-5).summary
    parted = [[pair["at"] is not None for pair in summary["partings"]] for summary in (told, close)]
    assert not any(parted[0]) and all(parted[1]) and close["tolerance"] == 1e-5


def test_a_single_stepper_may_stand_without_a_list() -> None:
    assert list(stickslip.compare(SLIDE, "lcp", set={"duration": 0.1})) == ["lcp"]
    with pytest.raises(stickslip.InputError, match="no stepper is named"):
        stickslip.compare(SLIDE, [])
    with pytest.raises(stickslip.InputError, match="steps is empty"):
        stickslip.convergence(SLIDE, ["lcp"], steps=[])


def test_convergence_fits_orders() -> None:
    study = stickslip.convergence(SLIDE, ["lcp"], steps=[1e-2, 5e-3, 2e-3])
    assert study["steppers"][0]["order"] == pytest.approx(1.0, abs=0.2)


def test_a_failed_step_hands_out_what_it_takes_to_repeat_it(program: Callable[..., str], tmp_path: Path) -> None:
    with pytest.raises(stickslip.StepFailure) as caught:
        stickslip.simulate(SLIDE, "nlp:seed")
    failure = caught.value
    assert failure.step == 0
    assert failure.candidate.steps == 0
    assert failure.replay is not None
    (tmp_path / "replay.json").write_text(failure.replay)
    assert "step 0" in program("run", "--replay", "replay.json", cwd=tmp_path, check=False)


def test_an_experiment_learns() -> None:
    result = stickslip.learn("bilevel", seed=3)
    assert result["experiment"] == "bilevel"
    assert result["parameters"]


def test_contacts_of_bodies_are_columns() -> None:
    run = stickslip.simulate(SLIDE.parent / "slope-box.toml", "nlp", set={"ground.friction": 0.3, "duration": 0.05})
    contacts = run.contacts
    assert set(contacts["second"]) == {"ground"}
    assert set(contacts["mode"]) <= {"open", "slip", "stick"}
    assert np.all(contacts["fn"] >= 0.0)
    # Both feet together carry the box.
    carried = contacts["fn"][contacts["step"] == contacts["step"][-1]].sum()
    assert carried == pytest.approx(9.81 * math.cos(math.radians(30)), rel=1e-6)
    assert stickslip.simulate(THROWN, "lcp", set={"duration": 0.01}).contacts == {}


def test_what_is_not_there_is_answered_with_what_is() -> None:
    comparison = stickslip.compare(SLIDE, ["lcp"], set={"duration": 0.01})
    with pytest.raises(KeyError, match="there is no stepper 'nlp'; there are lcp"):
        comparison["nlp"]
    with pytest.raises(KeyError, match="there is no column 'height'; there are t, x, z"):
        comparison["lcp"].body()["height"]


def test_a_figure_is_saved_as_what_it_is(tmp_path: Path) -> None:
    figure = stickslip.simulate(SLIDE, "lcp", set={"duration": 0.01}).plot()
    with pytest.raises(ValueError, match="does not end in .svg"):
        figure.save(str(tmp_path / "figure.png"))
    assert not list(tmp_path.iterdir())
    figure.save(str(tmp_path / "figure.svg"))
    assert "<svg" in (tmp_path / "figure.svg").read_text(encoding="utf-8")
