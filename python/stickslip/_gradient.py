"""Derivatives of whole runs."""

from __future__ import annotations

import csv
import importlib
import io
import json
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _stickslip
from ._run import Scenario, Settings, whole, words

Array = npt.NDArray[np.float64]


def gradient(
    scenario: Scenario,
    steppers: Iterable[str] | None = None,
    *,
    of: Iterable[str] | None = None,
    wrt: Iterable[str] | None = None,
    method: Iterable[str] | None = None,
    kappa: float = 0.1,
    phases: int = 1,
    check: bool = False,
    set: Settings = None,
) -> dict[str, Any]:
    """Derivatives of the end of a run by several steppers, and what each is worth.

    ``of`` names results (``final_x``, ``final_vz``, ``stop_time`` of a point, ``NAME.final_x`` of bodies), ``wrt`` keys
    (``ground.friction``, ``particle.velocity.0``), ``method`` any of ``raw``, ``corrected`` and ``smoothed`` (which
    ``kappa`` belongs to). ``check`` takes differences too.

    Gives what ``gradient/summary.json`` of the command line holds, under ``derivatives`` the rows of ``gradient.csv``
    (``stepper``, ``method``, ``of``, ``wrt``, ``value``, ``gradient``, ``state`` and so on; ``None`` for what a row
    does not have), and under ``kinks`` those of ``kinks.csv``.
    """
    text, derivatives, kinks = _stickslip.gradient(
        scenario,
        words(steppers),
        of=words(of),
        wrt=words(wrt),
        method=words(method),
        kappa=kappa,
        phases=whole("phases", phases, 1),
        check=check,
        set=set,
    )
    summary: dict[str, Any] = json.loads(text)
    summary["derivatives"] = _rows(derivatives)
    summary["kinks"] = _rows(kinks)
    return summary


def _rows(text: str) -> list[dict[str, Any]]:
    """The rows of a table: numbers as such, ``None`` for what is empty."""

    def read(cell: str) -> str | float | None:
        try:
            return float(cell) if cell else None
        except ValueError:
            return cell

    return [{name: read(cell) for name, cell in row.items()} for row in csv.DictReader(io.StringIO(text))]


class Differentiable:
    """The end of a run, of a point or of bodies, as a function of some numbers of its scenario, and its derivative.

    >>> run = stickslip.Differentiable("slide.toml", of=["final_x"], wrt=["ground.friction", "particle.velocity.0"])
    >>> values, vjp = run.value_and_vjp([0.1, 1.0])
    >>> vjp([1.0])  # d final_x / d (friction, velocity)

    ``method`` says whose derivative: ``raw`` that of the stepper's own formulas, ``corrected`` that of the motion
    which they approximate (``lcp`` and ``nlp`` in the plane), ``smoothed`` that of a smoothed ``nlp``.
    """

    def __init__(
        self,
        scenario: Scenario,
        stepper: str = "lcp",
        *,
        of: Sequence[str],
        wrt: Sequence[str],
        method: str = "raw",
        kappa: float = 0.1,
        set: Settings = None,
    ) -> None:
        self.of = tuple(of)
        """Names of the results."""
        self.wrt = tuple(wrt)
        """Keys of the numbers."""
        self._run = _stickslip.Differentiable(
            scenario, stepper, of=list(of), wrt=list(wrt), method=method, kappa=kappa, set=set
        )

    @property
    def start(self) -> Array:
        """The numbers as the scenario has them, ``(len(wrt),)``."""
        return self._run.start()

    def value_and_jacobian(self, x: npt.ArrayLike) -> tuple[Array, Array]:
        """Results ``(len(of),)`` and their derivatives ``(len(of), len(wrt))``."""
        return self._run.values_and_jacobian(np.ascontiguousarray(x, dtype=np.float64))

    def value_and_vjp(self, x: npt.ArrayLike) -> tuple[Array, Callable[[npt.ArrayLike], Array]]:
        """Results, and the function that takes weights of the results to the derivative of their weighted sum."""
        values, jacobian = self.value_and_jacobian(x)

        def vjp(weights: npt.ArrayLike) -> Array:
            return np.asarray(weights, dtype=np.float64) @ jacobian

        return values, vjp

    def __call__(self, x: npt.ArrayLike) -> Array:
        """The results."""
        return self.value_and_jacobian(x)[0]

    def to_jax(self) -> Callable[[Any], Any]:
        """The same as a function of JAX: for ``jax.grad``, ``jax.jacrev``, ``jax.jit``; needs JAX, with 64 bits."""
        # Not typed here, since it need not be there.
        jax: Any = importlib.import_module("jax")
        if not jax.config.jax_enable_x64:
            raise RuntimeError('runs are computed in 64 bits: jax.config.update("jax_enable_x64", True)')
        shape_of_values = jax.ShapeDtypeStruct((len(self.of),), np.float64)
        shape_of_jacobian = jax.ShapeDtypeStruct((len(self.of), len(self.wrt)), np.float64)

        def both(x: Any) -> Any:
            return jax.pure_callback(
                self.value_and_jacobian, (shape_of_values, shape_of_jacobian), x, vmap_method="sequential"
            )

        run: Any = jax.custom_vjp(lambda x: both(x)[0])

        def backward(jacobian: Any, weights: Any) -> Any:
            return (weights @ jacobian,)

        run.defvjp(both, backward)
        function: Callable[[Any], Any] = run
        return function

    def to_torch(self) -> Callable[[Any], Any]:
        """The same as a function of tensors of PyTorch, for ``backward``; needs PyTorch."""
        torch: Any = importlib.import_module("torch")
        outer = self
        base: Any = torch.autograd.Function

        class Run(base):  # type: ignore[misc]
            @staticmethod
            def forward(ctx: Any, x: Any) -> Any:
                values, jacobian = outer.value_and_jacobian(x.detach().cpu().numpy())
                ctx.save_for_backward(torch.from_numpy(jacobian).to(x))
                return torch.from_numpy(values).to(x)

            @staticmethod
            def backward(ctx: Any, weights: Any) -> Any:
                (jacobian,) = ctx.saved_tensors
                return weights @ jacobian

        function: Callable[[Any], Any] = Run.apply
        return function
