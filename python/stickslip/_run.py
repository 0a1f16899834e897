"""Simulating, comparing, studying convergence, learning."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Union

from . import _stickslip
from ._errors import InputError
from ._trajectory import Trajectory, from_json

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

Scenario = Union[str, "os.PathLike[str]", Mapping[str, Any]]
"""The path of a scenario file, the text of one, or a mapping of the same keys."""

Settings = Union[Mapping[str, Any], Iterable[str], None]
"""Keys of the scenario to override, as ``{"ground.friction": 0.3}`` or ``["ground.friction=0.3"]``."""


if TYPE_CHECKING:
    Push = Union[Callable[[float, npt.NDArray[np.float64]], Union[npt.ArrayLike, None]], npt.ArrayLike, None]
else:
    Push = Any
"""A push that no scenario file can hold: a function of the time in s and the state, or an array with a row per step.

It gives forces in N, ``(dimension,)`` for a point and ``(bodies, dimension)`` for several, with a torque in N m behind
each where bodies turn and one is wanted; a function may give ``None`` for no push. The state is laid out as in
``Stepper.step``. It is asked at the beginning of a step, adds to the pushes of the scenario, and is held over the step.
"""


def simulate(
    scenario: Scenario,
    stepper: str = "nlp",
    *,
    set: Settings = None,
    on_failure: str = "stop",
    push: Push = None,
) -> Trajectory:
    """Simulates ``scenario`` with one stepper.

    The interpreter's lock is released meanwhile, but while a ``push`` that is a function is asked; Ctrl-C ends the
    run. There is no exact motion under a ``push``, and so no error in the metrics. An exception in it is raised here.

    Raises ``ScenarioError`` for a scenario that is not valid, ``Refusal`` where the stepper does not admit it,
    ``StepFailure`` where a step cannot be vouched for and ``on_failure`` is ``"stop"``; ``"continue"`` goes on from
    the best candidate, and marks the step as failed.
    """
    return Trajectory(_stickslip.simulate(scenario, stepper, set=set, on_failure=on_failure, push=push))


def words(given: Iterable[str] | None) -> list[str] | None:
    """A list of words, of which one may stand alone."""
    if given is None:
        return None
    return [given] if isinstance(given, str) else list(given)


def whole(name: str, value: int, least: int = 0) -> int:
    """The argument of that name, a whole number of 64 bits without sign."""
    if not least <= value < 2**64:
        raise InputError(f"{name} is {value}, but must be from {least} to 2**64 - 1")
    return value


class Comparison(Mapping[str, Trajectory]):
    """What several steppers made of one scenario: trajectories by the names of the steppers."""

    def __init__(self, summary: dict[str, Any], trajectories: list[Trajectory]) -> None:
        self.summary = summary
        """What ``compare/summary.json`` of the command line holds."""
        self._trajectories = {trajectory.stepper: trajectory for trajectory in trajectories}

    def __getitem__(self, stepper: str) -> Trajectory:
        return self._trajectories[stepper]

    def __iter__(self) -> Iterator[str]:
        return iter(self._trajectories)

    def __len__(self) -> int:
        return len(self._trajectories)

    @property
    def refused(self) -> list[dict[str, Any]]:
        """The steppers that do not admit the scenario, and why."""
        refused: list[dict[str, Any]] = self.summary["refused"]
        return refused

    def __repr__(self) -> str:
        return f"<Comparison of {', '.join(self)}>"


def compare(
    scenario: Scenario,
    steppers: Iterable[str] | None = None,
    *,
    set: Settings = None,
    on_failure: str = "stop",
    push: Push = None,
    tolerance: float | None = None,
) -> Comparison:
    """Runs several steppers on one scenario, all that admit it by default, and measures them.

    ``tolerance`` in m is how far two may be from each other before they count as parted: by default what the exact
    motion covers in its fastest step.

    A ``push`` acts on all of them as in ``simulate``; where it is a function, it is asked by several runs by turns. There
    is no exact motion under it: ``exact`` is refused, and errors are those against the mean of the steppers alone.
    """
    summary, trajectories = _stickslip.compare(
        scenario, words(steppers), set=set, on_failure=on_failure, push=push, tolerance=tolerance
    )
    return Comparison(from_json(summary), [Trajectory(raw) for raw in trajectories])


def convergence(
    scenario: Scenario,
    steppers: Iterable[str] | None = None,
    *,
    steps: Iterable[float] | None = None,
    set: Settings = None,
) -> dict[str, Any]:
    """Repeats ``scenario`` at several ``steps`` in s and fits the orders of convergence."""
    lengths = None if steps is None else [float(step) for step in steps]
    summary: dict[str, Any] = from_json(_stickslip.convergence(scenario, words(steppers), steps=lengths, set=set))
    return summary


def learn(
    experiment: str,
    *,
    data: str | os.PathLike[str] | None = None,
    samples: int | None = None,
    seed: int = 1,
    set: Settings = None,
) -> dict[str, Any]:
    """Learns contact parameters from ``data``, a CSV file, or from generated samples."""
    file = None if data is None else os.fspath(data)
    counted = None if samples is None else whole("samples", samples)
    result: dict[str, Any] = from_json(
        _stickslip.learn(experiment, data=file, samples=counted, seed=whole("seed", seed), set=set)
    )
    return result
