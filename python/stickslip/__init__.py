"""Contact with friction by nonlinear-program time stepping, and every other way to do it side by side.

>>> import stickslip
>>> trajectory = stickslip.simulate("examples/scenarios/slide.toml", set={"ground.friction": 0.3})
>>> trajectory["x"][-1], trajectory.metrics["stop_time"]
"""

from typing import TYPE_CHECKING, Any

from ._errors import InputError, LearnError, Refusal, ScenarioError, StepFailure, StickslipError, SweepError
from ._run import Comparison, compare, convergence, learn, simulate, simulate_many
from ._stickslip import Stepper, __version__, explain, resolve, steppers
from ._trajectory import Body, Figure, Trajectory

if TYPE_CHECKING:
    from . import contact, lcp
    from ._gradient import Differentiable, gradient
    from ._model import ContactModel, ContactProblem, register
    from ._plan import Plan, plan
    from ._recorded import Fit, Predictions, fit, predict
    from ._sweep import sweep
else:
    # What not every program needs takes as long to import as all the rest: it is imported when it is first asked for.
    _LATER = {
        "_gradient": ("Differentiable", "gradient"),
        "_model": ("ContactModel", "ContactProblem", "register"),
        "_plan": ("Plan", "plan"),
        "_recorded": ("Fit", "Predictions", "fit", "predict"),
        "_sweep": ("sweep",),
    }

    def __getattr__(name: str) -> Any:
        from importlib import import_module

        if name in ("contact", "lcp"):
            return import_module(f".{name}", __name__)
        for module, names in _LATER.items():
            if name in names:
                value = getattr(import_module(f".{module}", __name__), name)
                globals()[name] = value
                return value
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

    def __dir__() -> list[str]:
        return sorted({*globals(), *__all__})


__all__ = [
    "Body",
    "Comparison",
    "ContactModel",
    "ContactProblem",
    "Differentiable",
    "Figure",
    "Fit",
    "InputError",
    "LearnError",
    "Plan",
    "Predictions",
    "Refusal",
    "ScenarioError",
    "StepFailure",
    "Stepper",
    "StickslipError",
    "SweepError",
    "Trajectory",
    "__version__",
    "compare",
    "contact",
    "convergence",
    "explain",
    "fit",
    "gradient",
    "lcp",
    "learn",
    "plan",
    "predict",
    "register",
    "resolve",
    "simulate",
    "simulate_many",
    "steppers",
    "sweep",
]
