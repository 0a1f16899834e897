"""Bad input is told in the words of the command line; nothing runs."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import stickslip

GOOD: dict[str, Any] = {
    "name": "slide",
    "duration": 0.1,
    "step": 1e-3,
    "particle": {"mass": 1.0, "position": [0.0, 0.0], "velocity": [1.0, 0.0]},
    "ground": {"friction": 0.1},
}


def with_value(key: str, value: Any) -> dict[str, Any]:
    table, _, name = key.rpartition(".")
    scenario = {k: dict(v) if isinstance(v, dict) else v for k, v in GOOD.items()}
    (scenario[table] if table else scenario)[name] = value
    return scenario


FAULTS: list[tuple[str, Any, str]] = [
    ("duration", -1.0, "`duration`"),
    ("duration", float("nan"), "`duration`"),
    ("duration", float("inf"), "`duration`"),
    ("duration", "long", "must be a number"),
    ("duration", True, "must be a number"),
    ("step", 0.0, "`step`"),
    ("step", [1e-3], "must be a number"),
    ("name", "Slide!", "`name`"),
    ("name", 3, "must be a string"),
    ("gravity", -9.81, "`gravity`"),
    ("particle.mass", 0.0, "`particle.mass`"),
    ("particle.mass", 1e300, "`particle.mass`"),
    ("particle.position", [0.0, -1.0], "`particle.position"),
    ("particle.position", [0.0], "`particle.position`"),
    ("particle.position", 0.0, "must be a list"),
    ("particle.velocity", [0.0, 0.0, 0.0], "`particle.velocity`"),
    ("particle.velocity", [1e7, 0.0], "`particle.velocity"),
    ("particle.velocity", np.array([np.nan, 0.0]), "`particle.velocity"),
    ("particle.colour", "red", "unknown key `particle.colour`"),
    ("ground.friction", -0.1, "`ground.friction`"),
    ("ground.friction", "0.1", "remove the quotes"),
    ("ground.restitution", 1.1, "`ground.restitution`"),
    ("ground.mu", 0.1, "did you mean `friction`"),
    ("ground", 3, "`ground` must be a table"),
    ("push", {"force": [1.0, 0.0]}, "`push` must be a list of tables"),
    ("push", [{"force": [1.0]}], "`push[0].force`"),
    ("push", [{"force": [1.0, 0.0], "from": 1.0, "to": 0.5}], "`push[0]"),
    ("stepper", {"nlp": {"tolerance": -1.0}}, "`stepper.nlp.tolerance`"),
    ("stepper", {"nlp": {"solver": "ipop"}}, 'did you mean "ipopt"'),
    ("steper", {}, "did you mean `stepper`"),
]


@pytest.mark.parametrize(("key", "value", "said"), FAULTS)
def test_a_fault_in_a_mapping_is_named(key: str, value: Any, said: str) -> None:
    with pytest.raises(stickslip.ScenarioError) as caught:
        stickslip.simulate(with_value(key, value))
    assert said in str(caught.value), caught.value
    assert caught.value.problems[0]["message"]


def as_toml(value: Any) -> str:
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key} = {as_toml(inner)}" for key, inner in value.items()) + " }"
    if isinstance(value, (list, np.ndarray)):
        return "[" + ", ".join(as_toml(inner) for inner in value) + "]"
    return str(value).replace("e+", "e") if isinstance(value, float) else json.dumps(value)


def in_one_line(text: str) -> str:
    return "".join(text.replace("│", "").split())


@pytest.mark.parametrize(("key", "value", "said"), FAULTS)
def test_a_fault_is_told_in_the_words_of_the_command_line(
    key: str, value: Any, said: str, program: Callable[..., str], tmp_path: Path
) -> None:
    scenario = with_value(key, value)
    with pytest.raises(stickslip.ScenarioError) as caught:
        stickslip.simulate(scenario)
    file = tmp_path / "faulty.toml"
    file.write_text("".join(f"{name} = {as_toml(inner)}\n" for name, inner in scenario.items()))
    printed = program("run", "faulty.toml", cwd=tmp_path, check=False)
    assert said in str(caught.value) and not (tmp_path / "output").exists()
    for problem in caught.value.problems:
        assert in_one_line(problem["message"]) in in_one_line(printed), printed


def holding_itself() -> list[Any]:
    values: list[Any] = []
    values.append(values)
    return values


def nested(levels: int) -> dict[str, Any]:
    table: dict[str, Any] = {}
    for _ in range(levels):
        table = {"a": table}
    return table


@pytest.mark.parametrize("value", [holding_itself(), nested(20_000)])
def test_endless_nesting_is_a_type_error(value: Any) -> None:
    with pytest.raises(TypeError, match="nested that deeply"):
        stickslip.simulate(with_value("particle.position", value))
    with pytest.raises(TypeError, match="nested that deeply"):
        stickslip.simulate(GOOD, set={"particle.position": value})


def test_some_nesting_is_a_fault_of_the_scenario() -> None:
    with pytest.raises(stickslip.ScenarioError, match="colour"):
        stickslip.simulate({**GOOD, "colour": nested(20)})


@pytest.mark.parametrize("missing", ["duration", "step", "particle", "ground"])
def test_a_missing_key_is_named(missing: str) -> None:
    scenario = {key: value for key, value in GOOD.items() if key != missing}
    with pytest.raises(stickslip.ScenarioError, match=missing):
        stickslip.simulate(scenario)


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(stickslip.ScenarioError, match="there is no such"):
        stickslip.simulate(tmp_path / "slide.toml")


def test_a_fault_in_a_text_has_its_line() -> None:
    with pytest.raises(stickslip.ScenarioError) as caught:
        stickslip.simulate('name = "slide"\nduration = 1.0\nstep = "short"\n')
    assert 3 in {problem.get("line") for problem in caught.value.problems}


@pytest.mark.parametrize("override", [{"ground.fricton": 0.1}, {"ground.friction": -1}, ["ground.friction"], ["=3"]])
def test_faulty_overrides_are_named(override: Any) -> None:
    with pytest.raises(stickslip.ScenarioError):
        stickslip.simulate(GOOD, set=override)


def test_a_wrong_stepper_is_named() -> None:
    with pytest.raises(stickslip.InputError, match="nlq"):
        stickslip.simulate(GOOD, "nlq")


def test_a_refusal_says_why_and_what_to_do() -> None:
    with pytest.raises(stickslip.Refusal) as caught:
        stickslip.simulate(GOOD, "lcp:falling-block")
    assert caught.value.stepper == "lcp:falling-block"
    assert caught.value.reason and caught.value.remedy


@pytest.mark.parametrize("scenario", [3, None, object()])
def test_what_is_no_scenario_is_a_type_error(scenario: Any) -> None:
    with pytest.raises(TypeError):
        stickslip.simulate(scenario)


def test_on_failure_is_checked() -> None:
    with pytest.raises(stickslip.InputError, match="stop"):
        stickslip.simulate(GOOD, on_failure="ignore")


def test_ill_formed_problems_are_refused() -> None:
    with pytest.raises(stickslip.InputError):
        stickslip.lcp.solve([[1.0, 0.0]], [1.0])
    with pytest.raises(stickslip.InputError, match="shapes"):
        stickslip.lcp.solve([], [])
    with pytest.raises(stickslip.InputError, match="shapes"):
        stickslip.contact.solve([], [], [], dimension=2)
    with pytest.raises(stickslip.InputError, match="finite"):
        stickslip.lcp.solve([[np.inf]], [1.0])
    with pytest.raises(stickslip.InputError, match="lemke"):
        stickslip.lcp.solve([[1.0]], [1.0], solver="lemk")
    with pytest.raises(stickslip.InputError, match="cone"):
        stickslip.contact.solve(np.eye(2), [-1.0, 2.0], [0.5], dimension=2, solver="con")
    with pytest.raises(stickslip.InputError, match="dimension"):
        stickslip.contact.solve(np.eye(2), [-1.0, 2.0], [0.5], dimension=4)
    with pytest.raises(stickslip.InputError):
        stickslip.contact.solve(np.eye(2), [-1.0, 2.0], [-0.5], dimension=2)


def test_bodies_and_seeds_are_counted_from_0() -> None:
    trajectory = stickslip.simulate(GOOD, "lcp")
    with pytest.raises(IndexError, match="from 0 to 0"):
        trajectory.body(-1)
    with pytest.raises(stickslip.InputError, match="seed is -1"):
        stickslip.learn("bilevel", seed=-1)
    with pytest.raises(stickslip.InputError, match="samples is -1"):
        stickslip.learn("slack", samples=-1)
    with pytest.raises(stickslip.InputError, match="phases is -1, but must be from 1"):
        stickslip.gradient(GOOD, phases=-1)


def test_keys_are_strings() -> None:
    with pytest.raises(TypeError, match="strings, not 3"):
        stickslip.simulate({"name": "x", 3: 1})
    with pytest.raises(TypeError, match="strings, not 3"):
        stickslip.simulate(GOOD, set={3: 1})  # type: ignore[dict-item]
