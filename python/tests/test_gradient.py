"""Derivatives of whole runs."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import stickslip

SLIDE = Path(__file__).parents[2] / "examples" / "scenarios" / "slide.toml"
# A point that slides on ice turned ground: x = v t - mu g t^2 / 2 until it stops.
POINT = {
    "name": "slides",
    "duration": 0.5,
    "step": 1e-3,
    "particle": {"mass": 1.0, "position": [0.0, 0.0], "velocity": [2.0, 0.0]},
    "ground": {"friction": 0.2},
}
OF = ["final_x", "final_vx"]
WRT = ["ground.friction", "particle.velocity.0"]
TRUTH = [[-9.81 * 0.5**2 / 2, 0.5], [-9.81 * 0.5, 1.0]]


@pytest.mark.parametrize("stepper", ["lcp", "nlp", "hybrid", "convex"])
def test_the_derivative_of_a_slide_is_that_of_its_closed_form(stepper: str) -> None:
    run = stickslip.Differentiable(POINT, stepper, of=OF, wrt=WRT)
    assert list(run.start) == [0.2, 2.0]
    _, jacobian = run.value_and_jacobian(run.start)
    assert np.allclose(jacobian, TRUTH, rtol=1e-2)


@pytest.mark.parametrize("stepper", ["lcp", "lcp:anitescu", "nlp", "convex", "smooth", "hybrid"])
def test_a_vector_is_pulled_back(stepper: str) -> None:
    run = stickslip.Differentiable(POINT, stepper, of=OF, wrt=WRT)
    x = np.array([0.25, 1.5])
    values, vjp = run.value_and_vjp(x)
    assert np.array_equal(values, run(x))
    _, jacobian = run.value_and_jacobian(x)
    assert np.allclose(vjp([2.0, -1.0]), 2 * jacobian[0] - jacobian[1])
    # The values are those of a run with these settings, to the last digit.
    settings = {"ground.friction": 0.25, "particle.velocity": [1.5, 0.0]}
    end = stickslip.simulate(POINT, stepper, set=settings)
    assert values[0] == end["x"][-1]


def test_gradient_gives_every_figure() -> None:
    found = stickslip.gradient(POINT, "lcp", of=OF, wrt=WRT, method="raw", check=True)
    figures = {(row["of"], row["wrt"]): row for row in found["derivatives"]}
    for i, of in enumerate(OF):
        for j, wrt in enumerate(WRT):
            row = figures[of, wrt]
            assert row["gradient"] == pytest.approx(TRUTH[i][j], rel=1e-2)
            assert row["finite_difference"] == pytest.approx(row["gradient"], rel=1e-4)
            assert (row["stepper"], row["method"], row["state"]) == ("lcp", "raw", "ok")


def test_gradient_says_what_each_figure_is_worth() -> None:
    summary = stickslip.gradient(SLIDE, ["lcp", "hybrid"], of=["final_x"], wrt=["ground.friction"])
    assert {"lcp", "hybrid"} <= {row["stepper"] for row in summary["gradients"]}


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"of": ["final_w"]}, "final_w"),
        ({"wrt": ["ground.colour"]}, "ground.colour"),
        ({"wrt": ["ground.restitution"]}, "edge of its range"),
        ({"method": "guessed"}, "guessed"),
        ({"kappa": -1.0}, "kappa"),
        ({"method": "smoothed"}, "smoothed"),
    ],
)
def test_what_has_no_derivative_is_told(change: dict[str, object], said: str) -> None:
    arguments = {"of": OF, "wrt": WRT, **change}
    with pytest.raises(stickslip.InputError, match=said):
        stickslip.Differentiable(POINT, "lcp", **arguments)  # type: ignore[arg-type]


def test_numbers_that_are_not_admitted_are_told() -> None:
    run = stickslip.Differentiable(POINT, "lcp", of=OF, wrt=WRT)
    with pytest.raises(stickslip.InputError, match="friction"):
        run([-0.1, 1.0])
    with pytest.raises(stickslip.InputError, match="must have 2"):
        run([0.1])
    still = stickslip.Differentiable(POINT, "lcp", of=["stop_time"], wrt=WRT)
    with pytest.raises(stickslip.InputError, match="does not come to rest"):
        still([0.001, 2.0])


def test_a_run_is_a_function_of_jax() -> None:
    jax = pytest.importorskip("jax")
    jax.config.update("jax_enable_x64", True)
    run = stickslip.Differentiable(POINT, "lcp", of=OF, wrt=WRT)
    function = run.to_jax()
    gradient = jax.grad(lambda x: 3.0 * jax.jit(function)(x)[0])(run.start)
    assert np.allclose(gradient, 3.0 * run.value_and_jacobian(run.start)[1][0])


def test_a_run_is_a_function_of_torch() -> None:
    torch = pytest.importorskip("torch")
    run = stickslip.Differentiable(POINT, "lcp", of=OF, wrt=WRT)
    x = torch.tensor(run.start, requires_grad=True)
    (3.0 * run.to_torch()(x)[0]).backward()
    assert np.allclose(x.grad.numpy(), 3.0 * run.value_and_jacobian(run.start)[1][0])
