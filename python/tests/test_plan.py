"""Plans: what the search finds, and that the scenario it gives plays it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import stickslip

PLANS = Path(__file__).parents[2] / "examples" / "plans"

SHORT = {
    "name": "short",
    "steps": 8,
    "duration": 0.8,
    "starts": 2,
    "particle": {"mass": 1.0, "position": [0.0, 0.0], "velocity": [0.0, 0.0]},
    "ground": {"friction": 0.3},
    "control": [{"force": [[-20, 20], [0, 0]]}],
    "goal": {"position": [0.4, float("nan")], "velocity": [0.0, 0.0]},
}


def test_a_block_is_pushed_to_where_it_has_to_be() -> None:
    plan = stickslip.plan(SHORT)
    assert plan.found and plan.proved, plan.summary
    assert plan.summary["at_goal"] and plan.cost > 0.0
    states = plan.states
    assert len(states["t"]) == 9
    x = next(column for name, column in states.items() if name.endswith(".x"))
    assert x[0] == 0.0 and x[-1] == pytest.approx(0.4, abs=1e-5)
    assert len(plan.pushes["from"]) == 8
    assert set(plan.replays["stepper"]) >= {"lcp", "nlp"}
    starts = [kind for kind in plan.starts["kind"] if kind != "stretched"]
    assert len(starts) == plan.summary["starts"]["tried"] == 3
    assert plan.plot("pushes").svg.startswith("<svg") or "<svg" in plan.plot("pushes").svg


def test_the_scenario_of_a_plan_plays_it() -> None:
    plan = stickslip.plan(SHORT)
    assert plan.scenario is not None
    played = stickslip.simulate(plan.scenario, "lcp")
    x = next(column for name, column in plan.states.items() if name.endswith(".x"))
    np.testing.assert_allclose(played["x"], x, atol=1e-5)


def test_a_goal_out_of_reach_has_no_plan_and_says_how_near_it_came() -> None:
    plan = stickslip.plan(SHORT, set={"goal.position": [40.0, float("nan")]})
    assert not plan.found and not plan.proved
    assert plan.states == {} and np.isnan(plan.cost)
    assert plan.summary["nearest_miss"]
    with pytest.raises(stickslip.InputError, match="none was found"):
        plan.plot()


def test_a_plan_file_is_read_from_its_path() -> None:
    plan = stickslip.plan(PLANS / "push-block.toml", set={"steps": 10, "starts": 1})
    assert plan.summary["plan"] == "push-block"


def test_faults_of_a_plan_are_told() -> None:
    with pytest.raises(stickslip.ScenarioError, match="steps"):
        stickslip.plan(SHORT, set={"steps": 0})
    with pytest.raises(TypeError, match="a plan is the path"):
        stickslip.plan(3)  # type: ignore[arg-type]


def test_a_plan_file_that_is_not_there_is_looked_for_among_plans(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(Path(__file__).parents[2])
    with pytest.raises(stickslip.ScenarioError, match="examples/plans/finger.toml"):
        stickslip.plan("nope.toml")
    with pytest.raises(stickslip.ScenarioError, match="did you mean `examples/plans/tip-box.toml`"):
        stickslip.plan("tip-bax.toml")
