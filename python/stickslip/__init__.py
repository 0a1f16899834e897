"""Contact with friction by nonlinear-program time stepping, and every other way to do it side by side.

>>> import stickslip
>>> trajectory = stickslip.simulate("examples/scenarios/slide.toml", set={"ground.friction": 0.3})
>>> trajectory["x"][-1], trajectory.metrics["stop_time"]
"""

from . import contact, lcp
from ._errors import InputError, LearnError, Refusal, ScenarioError, StepFailure, StickslipError, SweepError
from ._gradient import Differentiable, gradient
from ._model import ContactModel, ContactProblem, register
from ._recorded import Fit, Predictions, fit, predict
from ._run import Comparison, compare, convergence, learn, simulate
from ._stickslip import Stepper, __version__, explain, resolve, steppers
from ._sweep import sweep
from ._trajectory import Body, Figure, Trajectory

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
    "predict",
    "register",
    "resolve",
    "simulate",
    "steppers",
    "sweep",
]
