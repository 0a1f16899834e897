"""Simulating, comparing, studying convergence, learning, sweeping."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Union

from . import _stickslip
from ._trajectory import Trajectory

Scenario = Union[str, "os.PathLike[str]", Mapping[str, Any]]
"""The path of a scenario file, the text of one, or a mapping of the same keys."""

Settings = Union[Mapping[str, Any], Iterable[str], None]
"""Keys of the scenario to override, as ``{"ground.friction": 0.3}`` or ``["ground.friction=0.3"]``."""


def simulate(
    scenario: Scenario, stepper: str = "nlp", *, set: Settings = None, on_failure: str = "stop"
) -> Trajectory:
    """Simulates ``scenario`` with one stepper.

    The interpreter's lock is released meanwhile; Ctrl-C ends the run.

    Raises ``ScenarioError`` for a scenario that is not valid, ``Refusal`` where the stepper does not admit it,
    ``StepFailure`` where a step cannot be vouched for and ``on_failure`` is ``"stop"``; ``"continue"`` goes on from
    the best candidate, and marks the step as failed.
    """
    return Trajectory(_stickslip.simulate(scenario, stepper, set=set, on_failure=on_failure))


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
) -> Comparison:
    """Runs several steppers on one scenario, all that admit it by default, and measures them."""
    names = None if steppers is None else list(steppers)
    summary, trajectories = _stickslip.compare(scenario, names, set=set, on_failure=on_failure)
    return Comparison(json.loads(summary), [Trajectory(raw) for raw in trajectories])


def convergence(
    scenario: Scenario,
    steppers: Iterable[str] | None = None,
    *,
    steps: Iterable[float] | None = None,
    set: Settings = None,
) -> dict[str, Any]:
    """Repeats ``scenario`` at several ``steps`` in s and fits the orders of convergence."""
    names = None if steppers is None else list(steppers)
    lengths = None if steps is None else [float(step) for step in steps]
    summary: dict[str, Any] = json.loads(_stickslip.convergence(scenario, names, steps=lengths, set=set))
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
    result: dict[str, Any] = json.loads(
        _stickslip.learn(experiment, data=file, samples=samples, seed=seed, set=set)
    )
    return result


def sweep(
    path: str | os.PathLike[str],
    *,
    output: str | os.PathLike[str] = "output",
    shard: str = "0/1",
    workers: int | None = None,
) -> tuple[Path, dict[str, Any]]:
    """Computes what the folder of a sweep lacks, and gives the folder and its manifest.

    The table is ``folder / "table.csv"``. Ctrl-C keeps what is finished; the same call goes on from there.
    """
    folder, manifest = _stickslip.sweep(os.fspath(path), output=os.fspath(output), shard=shard, workers=workers)
    return Path(folder), json.loads(manifest)
