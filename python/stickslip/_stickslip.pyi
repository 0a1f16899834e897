import os
from collections.abc import Iterable, Mapping
from typing import Any, final

import numpy as np
import numpy.typing as npt

__all__ = [
    "Stepper",
    "Trajectory",
    "__version__",
    "compare",
    "convergence",
    "learn",
    "main",
    "resolve",
    "simulate",
    "solve_contact",
    "solve_lcp",
    "steppers",
    "sweep",
]

__version__: str

@final
class Trajectory:
    stepper: str
    bodies: list[str]
    scenario: str
    def __len__(self) -> int: ...
    def columns(self, body: int) -> dict[str, Any]: ...
    def summary(self) -> str: ...
    def csv(self) -> str: ...
    def svg(self, kind: str) -> str: ...

@final
class Stepper:
    """A contact model of one scenario, of which every step is asked for."""

    def __new__(
        cls,
        scenario: str | os.PathLike[str] | Mapping[str, Any],
        stepper: str = "nlp",
        *,
        set: Mapping[str, Any] | Iterable[str] | None = None,
    ) -> Stepper: ...
    def initial_state(self) -> npt.NDArray[np.float64]: ...
    def step(
        self,
        state: npt.NDArray[np.float64],
        push: npt.NDArray[np.float64] | None = None,
        dt: float | None = None,
    ) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]: ...
    def reset(self) -> None: ...

def simulate(
    scenario: str | os.PathLike[str] | Mapping[str, Any],
    stepper: str = "nlp",
    *,
    set: Mapping[str, Any] | Iterable[str] | None = None,
    on_failure: str = "stop",
) -> Trajectory: ...
def compare(
    scenario: str | os.PathLike[str] | Mapping[str, Any],
    steppers: list[str] | None = None,
    *,
    set: Mapping[str, Any] | Iterable[str] | None = None,
    on_failure: str = "stop",
) -> tuple[str, list[Trajectory]]: ...
def convergence(
    scenario: str | os.PathLike[str] | Mapping[str, Any],
    steppers: list[str] | None = None,
    *,
    steps: list[float] | None = None,
    set: Mapping[str, Any] | Iterable[str] | None = None,
) -> str: ...
def learn(
    experiment: str,
    *,
    data: str | None = None,
    samples: int | None = None,
    seed: int = 1,
    set: Mapping[str, Any] | Iterable[str] | None = None,
) -> str: ...
def solve_contact(
    w: npt.NDArray[np.float64],
    q: npt.NDArray[np.float64],
    mu: npt.NDArray[np.float64],
    *,
    dimension: int,
    solver: str = "nlp",
    tolerance: float = 1e-8,
) -> str: ...
def solve_lcp(m: npt.NDArray[np.float64], q: npt.NDArray[np.float64], *, solver: str = "lemke") -> str: ...
def steppers() -> list[str]: ...
def resolve(
    scenario: str | os.PathLike[str] | Mapping[str, Any],
    set: Mapping[str, Any] | Iterable[str] | None = None,
) -> str: ...
def sweep(
    path: str | os.PathLike[str], *, output: str | os.PathLike[str], shard: str = "0/1", workers: int | None = None
) -> tuple[str | os.PathLike[str], str]: ...
def main(arguments: list[str]) -> int: ...
