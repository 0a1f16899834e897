import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, final

import numpy as np
import numpy.typing as npt

__all__ = [
    "Differentiable",
    "Fitted",
    "Planned",
    "Predictions",
    "Share",
    "Stepper",
    "Sweep",
    "Trajectory",
    "__version__",
    "compare",
    "convergence",
    "explain",
    "fit",
    "gradient",
    "learn",
    "main",
    "plan",
    "predict",
    "read_contact",
    "register",
    "resolve",
    "simulate",
    "simulate_many",
    "solve_contact",
    "solve_lcp",
    "steppers",
    "write_contact",
]

__version__: str

@final
class Trajectory:
    stepper: str
    bodies: list[str]
    scenario: str
    is_pushed: bool
    first_moving: int
    def __len__(self) -> int: ...
    def columns(self, body: int) -> dict[str, Any]: ...
    def summary(self) -> str: ...
    def csv(self) -> str: ...
    def contacts_csv(self) -> str: ...
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
        state: npt.ArrayLike,
        push: npt.ArrayLike | None = None,
        dt: float | None = None,
        out: npt.NDArray[np.float64] | None = None,
    ) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]: ...
    def reset(self) -> None: ...
    def __reduce__(self) -> tuple[type[Stepper], tuple[str, str], tuple[int, list[float]]]: ...
    def __setstate__(self, kept: tuple[int, list[float]]) -> None: ...

def simulate(
    scenario: str | os.PathLike[str] | Mapping[str, Any],
    stepper: str = "nlp",
    *,
    set: Mapping[str, Any] | Iterable[str] | None = None,
    on_failure: str = "stop",
    push: Any = None,
) -> Trajectory: ...
def simulate_many(
    scenarios: Sequence[tuple[str | os.PathLike[str] | Mapping[str, Any], Mapping[str, Any] | Iterable[str] | None]],
    stepper: str = "nlp",
    *,
    on_failure: str = "stop",
    push: Any = None,
    workers: int | None = None,
) -> list[Trajectory | Exception]: ...
def compare(
    scenario: str | os.PathLike[str] | Mapping[str, Any],
    steppers: list[str] | None = None,
    *,
    set: Mapping[str, Any] | Iterable[str] | None = None,
    on_failure: str = "stop",
    push: Any = None,
    tolerance: float | None = None,
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
@final
class Predictions:
    steppers: list[str]
    refused: list[tuple[str, str, str]]
    def tosses(self) -> npt.NDArray[np.float64]: ...
    def summary(self) -> str: ...
    def errors_csv(self) -> str: ...
    def states(self, stepper: str, toss: float) -> tuple[list[str], npt.NDArray[np.float64]]: ...
    def svg(self, kind: str, toss: float | None = None) -> str: ...

def predict(
    recorded: Any,
    scenario: str | os.PathLike[str] | Mapping[str, Any],
    steppers: list[str] | None = None,
    *,
    set: Mapping[str, Any] | Iterable[str] | None = None,
) -> Predictions: ...
@final
class Fitted:
    def result(self) -> str: ...
    def profile_csv(self) -> str: ...
    def svg(self) -> str: ...

def fit(
    recorded: Any,
    scenario: str | os.PathLike[str] | Mapping[str, Any],
    parameters: list[str],
    stepper: str = "nlp",
    *,
    intervals: bool = True,
    seed: int = 1,
    set: Mapping[str, Any] | Iterable[str] | None = None,
) -> Fitted: ...
@final
class Planned:
    proved: bool
    def summary(self) -> str: ...
    def scenario(self) -> str | None: ...
    def tables(self) -> list[str] | None: ...
    def attempts(self) -> list[str]: ...
    def svg(self, kind: str) -> str: ...

def plan(
    task: str | os.PathLike[str] | Mapping[str, Any],
    *,
    set: Mapping[str, Any] | Iterable[str] | None = None,
) -> Planned: ...
def solve_contact(
    w: npt.NDArray[np.float64],
    q: npt.NDArray[np.float64],
    mu: npt.NDArray[np.float64],
    *,
    dimension: int,
    rolling: npt.NDArray[np.float64] | None = None,
    solver: str = "nlp",
    tolerance: float = 1e-8,
) -> str: ...
def read_contact(
    text: str,
) -> tuple[
    int,
    npt.NDArray[np.float64],
    npt.NDArray[np.float64],
    npt.NDArray[np.float64],
    npt.NDArray[np.float64] | None,
]: ...
def write_contact(
    w: npt.NDArray[np.float64],
    q: npt.NDArray[np.float64],
    mu: npt.NDArray[np.float64],
    *,
    dimension: int,
    rolling: npt.NDArray[np.float64] | None = None,
    format: str = "json",
) -> str: ...
def solve_lcp(m: npt.NDArray[np.float64], q: npt.NDArray[np.float64], *, solver: str = "lemke") -> str: ...
def steppers() -> list[str]: ...
def resolve(
    scenario: str | os.PathLike[str] | Mapping[str, Any],
    set: Mapping[str, Any] | Iterable[str] | None = None,
) -> str: ...
def explain(subject: str = "") -> str: ...
def gradient(
    scenario: str | os.PathLike[str] | Mapping[str, Any],
    steppers: list[str] | None = None,
    *,
    of: list[str] | None = None,
    wrt: list[str] | None = None,
    method: list[str] | None = None,
    kappa: float = 0.1,
    phases: int = 1,
    check: bool = False,
    set: Mapping[str, Any] | Iterable[str] | None = None,
) -> tuple[str, str, str]: ...
def register(name: str, make: Callable[[], Any], *, summary: str, coulomb: bool) -> None: ...
@final
class Differentiable:
    """The end of a run as a function of some numbers of its scenario."""

    def __new__(
        cls,
        scenario: str | os.PathLike[str] | Mapping[str, Any],
        stepper: str,
        *,
        of: list[str],
        wrt: list[str],
        method: str,
        kappa: float,
        set: Mapping[str, Any] | Iterable[str] | None = None,
    ) -> Differentiable: ...
    def start(self) -> npt.NDArray[np.float64]: ...
    def values_and_jacobian(
        self, x: npt.NDArray[np.float64]
    ) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]: ...

@final
class Share:
    """A share of a sweep in the folder of its results, held for this process."""

    damaged: list[tuple[Any, str]]
    def __new__(
        cls, path: str | os.PathLike[str], *, output: str | os.PathLike[str], shard: str = "0/1"
    ) -> Share: ...
    def missing(self) -> npt.NDArray[np.uint64]: ...
    def job(self) -> tuple[str, str, str]: ...
    def compute(self, workers: int | None = None) -> None: ...
    def keep(self, rows: list[list[str]]) -> None: ...
    def collect(self) -> tuple[str | os.PathLike[str], str]: ...

@final
class Sweep:
    """A sweep without its files and its folder: it computes runs and stores nothing."""

    def __new__(cls, text: str, scenario_path: str, scenario: str) -> Sweep: ...
    def compute(self, numbers: list[int]) -> list[list[str]]: ...

def main(arguments: list[str]) -> int: ...
