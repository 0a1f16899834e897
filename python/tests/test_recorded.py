"""Recorded throws: what is predicted and fitted is what the command line predicts and fits."""

from __future__ import annotations

import csv
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import stickslip

ROOT = Path(__file__).parents[2]
CUBE = ROOT / "examples" / "scenarios" / "cube-toss.toml"
POINT = {
    "name": "thrown",
    "duration": 0.5,
    "step": 2e-3,
    "particle": {"mass": 0.4, "position": [0.0, 0.3], "velocity": [0.0, 0.0]},
    "ground": {"friction": 0.25, "restitution": 0.4},
}
PARAMETERS = ["ground.friction=0.05..0.6"]


@pytest.fixture(scope="module")
def cubes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The first three throws of the sample."""
    text = (ROOT / "examples" / "data" / "tosses-sample20.csv").read_text()
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    numbers = list(dict.fromkeys(line.split(",")[0] for line in lines[1:]))[:3]
    path = tmp_path_factory.mktemp("throws") / "three.csv"
    kept = [line for line in lines[1:] if line.split(",")[0] in numbers]
    path.write_text("\n".join([lines[0], *kept]) + "\n")
    return path


def throws(count: int = 4) -> dict[str, np.ndarray]:
    """Throws of a point, simulated with the friction and restitution of the scenario, with noise of half a mm."""
    random = np.random.default_rng(5)
    columns: dict[str, list[np.ndarray]] = {name: [] for name in ("toss", "t", "x", "z", "vx", "vz")}
    for toss in range(count):
        start = {"position": [0.0, 0.2 + 0.03 * toss], "velocity": [1.5 + 0.4 * toss, 0.5]}
        motion = stickslip.simulate({**POINT, "particle": {"mass": 0.4, **start}}, "lcp")
        for name in ("t", "x", "z", "vx", "vz"):
            noise = 5e-4 * random.standard_normal(len(motion["t"][::5])) if name in ("x", "z") else 0.0
            columns[name].append(motion[name][::5] + noise)
        columns["toss"].append(np.full(len(motion["t"][::5]), float(toss)))
    return {name: np.concatenate(parts) for name, parts in columns.items()}


def test_predictions_are_those_of_the_command_line(
    cubes: Path, program: Callable[..., str], tmp_path: Path
) -> None:
    found = stickslip.predict(cubes, CUBE, ["lcp", "convex"], set={"ground.friction": 0.18})
    arguments = ["--steppers", "lcp,convex", "--set", "ground.friction=0.18", "--no-plots"]
    program("predict", str(cubes), str(CUBE), *arguments, cwd=tmp_path)
    folder = tmp_path / "output" / "cube-toss" / "predict"
    summary = json.loads((folder / "summary.json").read_text())
    assert list(found) == ["lcp", "convex"]
    assert {key: summary[key] for key in found.summary} == found.summary
    with open(folder / "errors.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 6
    for name in ("toss", "position", "rotation", "final_position", "final_rotation"):
        assert [float(row[name]) for row in rows] == list(found.errors[name])
    assert [row["stepper"] for row in rows] == list(found.errors["stepper"])


def test_predicted_states_are_as_far_from_the_measured_ones_as_they_say(cubes: Path) -> None:
    found = stickslip.predict(cubes, CUBE, ["lcp"])
    toss = found.tosses[1]
    states = found.states("lcp", toss)
    with open(cubes, newline="") as file:
        measured = [row for row in csv.DictReader(file) if float(row["toss"]) == toss]
    apart = np.sqrt(sum((states[axis] - [float(row[axis]) for row in measured]) ** 2 for axis in "xyz"))
    assert np.allclose(apart, states["distance"], atol=1e-15)
    # The mean over the rows in widths of the cube.
    assert np.isclose(found.errors["position"][1], states["distance"].mean() / 0.1048)
    assert np.allclose(sum(states[part] ** 2 for part in ("qw", "qx", "qy", "qz")), 1.0)
    for picture in (found.plot(), found.plot("errors"), found.plot("error-over-time"), found.plot(toss=toss)):
        assert picture.svg.startswith("<svg") or picture.svg.startswith("<?xml")


def test_the_default_steppers_are_the_families_that_admit_the_scenario(cubes: Path) -> None:
    # In an interpreter of its own: models that other tests have registered here would predict too, one by thousands of sweeps
    # in Python.
    code = f"""
import json, stickslip
found = stickslip.predict({str(cubes)!r}, {str(CUBE)!r}, start="raw")
print(json.dumps([list(found), [refused["stepper"] for refused in found.refused], found.summary["start"]]))
"""
    said = subprocess.check_output([sys.executable, "-c", code], text=True)
    found, refused, start = json.loads(said)
    assert {"nlp", "lcp", "cone", "convex", "smooth"} <= set(found)
    assert "exact" in refused
    assert not set(refused) & set(found)
    assert start == "raw"


def test_a_fit_is_the_one_of_the_command_line(program: Callable[..., str], tmp_path: Path) -> None:
    columns = throws()
    rows = zip(*(column.tolist() for column in columns.values()))
    text = "\n".join([",".join(columns), *(",".join(map(repr, row)) for row in rows)]) + "\n"
    (tmp_path / "throws.csv").write_text(text)
    (tmp_path / "thrown.toml").write_text(stickslip.resolve(POINT))
    arguments = ["throws.csv", "thrown.toml", "--parameters", ",".join(PARAMETERS), "--stepper", "lcp"]
    program("fit", *arguments, "--no-plots", cwd=tmp_path)
    folder = tmp_path / "output" / "thrown" / "fit"
    result = json.loads((folder / "result.json").read_text())
    found = stickslip.fit(tmp_path / "throws.csv", POINT, PARAMETERS, "lcp")
    assert found["ground.friction"] == result["parameters"]["ground.friction"]
    assert found.error == result["error"]
    profiles = (folder / "profile.csv").read_text().splitlines()[1:]
    assert [float(line.split(",")[2]) for line in profiles] == list(found.profiles["error"])
    # The same from columns, from a frame, and with the range as numbers.
    pandas = pytest.importorskip("pandas")
    ranges = {"ground.friction": (0.05, 0.6)}
    for data in (columns, pandas.DataFrame(columns), text):
        again = stickslip.fit(data, POINT, ranges, "lcp", intervals=data is text)
        assert again["ground.friction"]["value"] == found["ground.friction"]["value"]
    low, high = found["ground.friction"]["interval"]
    assert low < 0.25 < high
    assert "</svg>" in found.plot().svg


def test_faults_of_recordings_and_parameters_are_named(cubes: Path, tmp_path: Path) -> None:
    columns = throws(1)
    bad = columns["z"].copy()
    bad[3] = np.nan
    with pytest.raises(stickslip.InputError, match="line 5, column `z`"):
        stickslip.predict({**columns, "z": bad}, POINT, ["lcp"])
    with pytest.raises(stickslip.InputError, match="`vx` has the shape"):
        stickslip.predict({**columns, "vx": bad[:4]}, POINT, ["lcp"])
    with pytest.raises(stickslip.InputError, match="angle"):
        stickslip.predict(columns, {**POINT, "particle": None, "body": [{"shape": "box", "size": [0.1, 0.1],
                          "mass": 1.0, "position": [0.0, 0.3], "velocity": [0.0, 0.0]}]}, ["lcp"])
    with pytest.raises(stickslip.InputError, match="cannot read"):
        stickslip.predict(tmp_path / "none.csv", POINT)
    with pytest.raises(TypeError, match="a recording is"):
        stickslip.predict(3, POINT)  # type: ignore[arg-type]
    with pytest.raises(stickslip.InputError, match="start is"):
        stickslip.predict(columns, POINT, start="measured")
    for argument in ({"from_time": -1.0}, {"ground_height": float("nan")}):
        with pytest.raises(stickslip.InputError, match="has to be in"):
            stickslip.predict(columns, POINT, **argument)  # type: ignore[arg-type]
    with pytest.raises(stickslip.Refusal):
        stickslip.predict(cubes, CUBE, ["hybrid"])
    with pytest.raises(stickslip.InputError, match="there is no toss 7"):
        stickslip.predict(columns, POINT, ["lcp"]).states("lcp", 7)
    for parameters, said in [
        ([], "no parameter"),
        (["ground.slope"], "range"),
        (["ground.friction", "ground.friction"], "twice"),
        (["ground.friction=0.5..0.1"], "range"),
        ({"ground.friction": (0.1,)}, "has 1 ends"),
        (["ground.restitution=0.5..2"], "restitution"),
    ]:
        with pytest.raises(stickslip.InputError, match=said):
            stickslip.fit(columns, POINT, parameters, "lcp")  # type: ignore[arg-type]


def test_a_ground_that_is_elsewhere_is_warned_of() -> None:
    data = throws()
    data["z"] = data["z"] + 0.1
    with pytest.warns(UserWarning, match="turns off its flight.*is the ground at the height"):
        found = stickslip.predict(data, POINT, ["lcp"])
    assert len(found.summary["doubts"]) == 1
    with pytest.warns(UserWarning, match="turns off its flight"):
        stickslip.fit(data, POINT, PARAMETERS, "lcp", intervals=False)
    assert stickslip.predict(data, POINT, ["lcp"], ground_height=0.1).summary["doubts"] == []


def test_windows_of_flights_are_predicted_and_fitted_one_by_one() -> None:
    data = throws()
    predictions = stickslip.predict(data, POINT, ["lcp"], windows="flights")
    windows = predictions.summary["windows"]
    assert windows["by"] == "flights" and windows["throws"] <= 4
    assert len(predictions.errors["from"]) == len(predictions.tosses) == windows["windows"]
    assert np.all(predictions.errors["judged"] > predictions.errors["from"])
    fitted = stickslip.fit(data, POINT, PARAMETERS, "lcp", windows="flights", intervals=False)
    assert fitted.result["finished"] and fitted.result["windows"] == windows
    seconds = stickslip.predict(data, POINT, ["lcp"], windows=0.1)
    assert seconds.summary["windows"]["by"] == "0.1"
    with pytest.raises(stickslip.InputError, match="a number of seconds"):
        stickslip.predict(data, POINT, ["lcp"], windows="bounces")
