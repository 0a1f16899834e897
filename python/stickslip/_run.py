"""Simulating, comparing, studying convergence, learning."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Literal, Union, overload

from . import _stickslip
from ._errors import InputError, StickslipError, entry
from ._trajectory import Trajectory, draw, from_json

if TYPE_CHECKING:
    import matplotlib.axes
    import numpy as np
    import numpy.typing as npt
    import pandas

Scenario = Union[str, "os.PathLike[str]", Mapping[str, Any]]
"""The path of a scenario file, the text of one, or a mapping of the same keys."""

Settings = Union[Mapping[str, Any], Iterable[str], None]
"""Keys of the scenario to override, as ``{"ground.friction": 0.3}`` or ``["ground.friction=0.3"]``."""


if TYPE_CHECKING:
    Push = Union[Callable[[float, npt.NDArray[np.float64]], npt.ArrayLike], npt.ArrayLike, None]
else:
    Push = Any
"""A push beside those of the scenario: a function of the time in s and the state, numbers that push in every step alike, or an
array with a row per step.

It gives forces in N, ``(dimension,)`` for a point and ``(bodies, dimension)`` for several, with a torque in N m behind
each where bodies turn and one is wanted; a function gives zeros for no push. The state is laid out as in
``Stepper.step``: a row per body with position, angle or quaternion of one that turns, velocity, spin; of a point alone
``(x, z, vx, vz)`` without rows. The push is asked at the beginning of a step, adds to the pushes of the scenario, and is held over the step.
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

    ``scenario`` is the path of a scenario file, its text, or a mapping of the same keys; ``set`` overrides some of them.

    ``push`` gives forces in N and torques in N m beyond those of the scenario: ``push(t, state)``, a function of the time
    in s at the start of a step and the state then; or a push that stays the same, as ``(20.0, 0.0)``; or an array with a row
    per step. What it gives, or is, in a step has the shape ``(2,)``
    for a point in the plane, ``(3,)`` in space; with bodies a row for each in the order of the file, ``(bodies, 2)`` or
    ``(bodies, 3)`` in the plane, the third being the torque, ``(bodies, 3)`` or ``(bodies, 6)`` in space. The ``state`` is
    ``x, z, vx, vz`` of a point in the plane and ``x, y, z, vx, vy, vz`` of one in space; with bodies it has a row for each:
    ``x, z, angle, vx, vz, spin`` in the plane, ``x, y, z, qw, qx, qy, qz, vx, vy, vz, wx, wy, wz`` in space.

    The interpreter's lock is released meanwhile, but while a ``push`` that is a function is asked; Ctrl-C ends the
    run. There is no exact motion under a ``push``, and so no error in the metrics. An exception in it is raised here.

    Raises ``ScenarioError`` for a scenario that is not valid, ``Refusal`` where the stepper does not admit it,
    ``StepFailure`` where a step cannot be vouched for and ``on_failure`` is ``"stop"``; ``"continue"`` goes on from
    the best candidate, and marks the step as failed.
    """
    return Trajectory(_stickslip.simulate(scenario, stepper, set=set, on_failure=on_failure, push=push))


@overload
def simulate_many(
    scenarios: Scenario | Iterable[Scenario],
    stepper: str = "nlp",
    *,
    sets: Iterable[Settings] | None = None,
    set: Settings = None,
    on_failure: str = "stop",
    push: Push = None,
    on_error: Literal["raise"] = "raise",
    workers: int | None = None,
) -> list[Trajectory]: ...
@overload
def simulate_many(
    scenarios: Scenario | Iterable[Scenario],
    stepper: str = "nlp",
    *,
    sets: Iterable[Settings] | None = None,
    set: Settings = None,
    on_failure: str = "stop",
    push: Push = None,
    on_error: Literal["return"],
    workers: int | None = None,
) -> list[Trajectory | StickslipError]: ...
def simulate_many(
    scenarios: Scenario | Iterable[Scenario],
    stepper: str = "nlp",
    *,
    sets: Iterable[Settings] | None = None,
    set: Settings = None,
    on_failure: str = "stop",
    push: Push = None,
    on_error: Literal["raise", "return"] = "raise",
    workers: int | None = None,
) -> list[Trajectory] | list[Trajectory | StickslipError]:
    """Simulates many scenarios at once with one stepper, on all processors or on so many ``workers``.

    ``scenarios`` are as in ``simulate``, each with its own of ``sets`` on top of the ``set`` of all; one scenario alone is
    run with each of the ``sets``:

    >>> runs = stickslip.simulate_many("slide.toml", sets=[{"ground.friction": mu} for mu in (0.1, 0.2, 0.3)])

    A ``push`` acts on all of them as in ``simulate``; where it is a function, it is asked by several runs by turns.

    All are read before any is run. The trajectories are in the order of the scenarios, and bit for bit those of ``simulate``.
    What goes wrong with one is raised, as by ``simulate`` and with its place as ``index``, or with ``on_error="return"``
    stands in its place in the list. Ctrl-C ends all. There is no limit on memory: for thousands of runs of which numbers
    are wanted, not trajectories, see ``sweep``.
    """
    if on_error not in ("raise", "return"):
        raise InputError(f'on_error is {on_error!r}, but must be "raise" or "return"')
    own: list[Settings]
    if isinstance(scenarios, (str, os.PathLike, Mapping)):
        own = [None] if sets is None else list(sets)
        given: list[Scenario] = [scenarios] * len(own)
    else:
        given = list(scenarios)
        own = [None] * len(given) if sets is None else list(sets)
    if len(own) != len(given):
        raise InputError(f"there are {len(own)} sets for {len(given)} scenarios; give one for each")
    jobs = [(scenario, _merged(set, one)) for scenario, one in zip(given, own)]
    count = None if workers is None else whole("workers", workers, 1)
    runs = _stickslip.simulate_many(jobs, stepper, on_failure=on_failure, push=push, workers=count)
    found: list[Trajectory | StickslipError] = []
    for run in runs:
        # What is no error of the package, such as one that a model of the caller's raised, is never a result.
        if isinstance(run, Exception) and (on_error == "raise" or not isinstance(run, StickslipError)):
            raise run
        found.append(run if isinstance(run, StickslipError) else Trajectory(run))
    return found


def _merged(first: Settings, second: Settings) -> list[str] | Mapping[str, Any] | None:
    """Both settings, the second on top."""
    if first is None or second is None:
        return _settings(first if second is None else second)
    both = (_settings(first), _settings(second))
    if all(isinstance(one, Mapping) for one in both):
        return {**both[0], **both[1]}  # type: ignore[dict-item]
    raise InputError("set and sets are to be mappings where both are given")


def _settings(given: Settings) -> list[str] | Mapping[str, Any] | None:
    return given if given is None or isinstance(given, Mapping) else list(given)


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
        return entry(self._trajectories, stepper, "stepper")

    def __iter__(self) -> Iterator[str]:
        return iter(self._trajectories)

    def __len__(self) -> int:
        return len(self._trajectories)

    def to_pandas(self) -> pandas.DataFrame:
        """All trajectories in one frame, a row per stepper, body and state: as ``Trajectory.to_pandas``, after a column
        ``stepper``."""
        import pandas

        frames = []
        for stepper, trajectory in self.items():
            frame = trajectory.to_pandas()
            frame.insert(0, "stepper", stepper)
            frames.append(frame)
        return pandas.concat(frames, ignore_index=True)

    def plot(
        self, *columns: str, body: int | str | None = None, axes: matplotlib.axes.Axes | None = None
    ) -> matplotlib.axes.Axes:
        """Draws ``columns`` of a body over time by every stepper with matplotlib: on ``axes``, or else on new ones, which are
        returned. What is drawn by default is the position of the first body that moves by itself."""
        bodies = {stepper: trajectory.body(body) for stepper, trajectory in self.items()}
        return draw(bodies, columns, axes)

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
