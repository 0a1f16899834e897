"""Contact models written in Python."""

from __future__ import annotations

import itertools
from pathlib import Path

import numpy as np
import pytest

import stickslip

EXAMPLES = Path(__file__).parents[2] / "examples" / "scenarios"
SLIDE = EXAMPLES / "slide.toml"


class GaussSeidel:
    """Coulomb's law by projected Gauss-Seidel."""

    def solve(self, problem: stickslip.ContactProblem) -> tuple[np.ndarray, int]:
        size = problem.dimension
        r = np.zeros(len(problem.q))
        for iteration in itertools.count(1):
            before = r.copy()
            for contact, mu in enumerate(problem.mu):
                rows = slice(size * contact, size * (contact + 1))
                block = problem.W[rows, rows]
                u = problem.W[rows] @ r + problem.q[rows]
                normal = max(0.0, r[rows][0] - u[0] / block[0, 0])
                tangential = r[rows][1:] - (u[1:] + block[1:, 0] * (normal - r[rows][0])) / np.diag(block)[1:]
                length = float(np.linalg.norm(tangential))
                if length > mu * normal:
                    tangential *= mu * normal / length
                r[rows] = np.concatenate([[normal], tangential])
            if np.abs(r - before).max() <= 1e-14 * (1 + np.abs(r).max()) or iteration == 5000:
                return r, iteration
        raise AssertionError


def test_a_model_in_python_is_a_stepper_among_the_others() -> None:
    stickslip.register("python-gauss-seidel", GaussSeidel, summary="Gauss-Seidel.", coulomb=True)
    assert "python-gauss-seidel" in stickslip.steppers()
    assert "Gauss-Seidel." in stickslip.explain("python-gauss-seidel")
    comparison = stickslip.compare(SLIDE, ["lcp", "python-gauss-seidel", "exact"], set={"duration": 0.6})
    assert np.allclose(comparison["python-gauss-seidel"]["x"], comparison["lcp"]["x"], atol=1e-9)
    assert np.allclose(comparison["python-gauss-seidel"]["fz"][-50:-1], 98.1)


@pytest.mark.parametrize("scenario", ["slope-box", "curve"])
def test_a_model_in_python_steps_bodies_and_points_in_space(scenario: str) -> None:
    stickslip.register("python-gauss-seidel", GaussSeidel, coulomb=True)
    settings = {"duration": 0.1}
    path = EXAMPLES / f"{scenario}.toml"
    mine = stickslip.simulate(path, "python-gauss-seidel", set=settings)
    cone = stickslip.simulate(path, "cone", set=settings)
    assert np.allclose(mine["x"], cone["x"], atol=1e-7)


def test_a_model_that_claims_what_it_does_not_do_fails() -> None:
    class Nothing:
        def solve(self, problem: stickslip.ContactProblem) -> np.ndarray:
            return np.zeros(len(problem.q))

    stickslip.register("nothing", Nothing, coulomb=True)
    with pytest.raises(stickslip.StepFailure):
        stickslip.simulate(SLIDE, "nothing")
    stickslip.register("nothing", Nothing)
    fallen = stickslip.simulate(SLIDE, "nothing")
    assert fallen["z"][-1] < -1.0


def test_an_exception_in_a_model_is_the_cause_of_the_failure() -> None:
    class Faulty:
        def solve(self, problem: stickslip.ContactProblem) -> np.ndarray:
            raise ValueError("no idea")

    stickslip.register("faulty", Faulty)
    with pytest.raises(stickslip.StepFailure, match="ValueError: no idea") as caught:
        stickslip.simulate(SLIDE, "faulty")
    assert isinstance(caught.value.__cause__, ValueError)


@pytest.mark.parametrize(
    ("answer", "said"), [([1.0], "must give 2"), ([np.nan, 0.0], "impulse of"), ("much", "ValueError")]
)
def test_answers_that_are_no_impulses_are_told(answer: object, said: str) -> None:
    class Wrong:
        def solve(self, problem: stickslip.ContactProblem) -> object:
            return answer

    stickslip.register("wrong", Wrong)  # type: ignore[arg-type]
    with pytest.raises(stickslip.StepFailure, match=said):
        stickslip.simulate(SLIDE, "wrong")


def test_a_model_that_cannot_be_made_is_a_refusal() -> None:
    def make() -> stickslip.ContactModel:
        raise RuntimeError("not today")

    stickslip.register("unmade", make)
    with pytest.raises(stickslip.Refusal, match="RuntimeError: not today"):
        stickslip.simulate(SLIDE, "unmade")


@pytest.mark.parametrize("name", ["nlp", "lcp-anitescu", "My Model", ""])
def test_names_that_are_taken_or_none_are_refused(name: str) -> None:
    with pytest.raises(stickslip.InputError):
        stickslip.register(name, GaussSeidel)
