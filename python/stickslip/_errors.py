"""What can go wrong."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from ._kept import Kept
    from ._stickslip import Trajectory as _Trajectory

T = TypeVar("T")


class StickslipError(Exception):
    """The base of every error of the package. Errors can be pickled."""

    index: int | None = None
    """Which of the scenarios of ``simulate_many`` it is of; ``None`` elsewhere."""

    def __reduce__(self) -> tuple[Any, ...]:
        return (_restored, (type(self), self.args, self.__dict__))


def _restored(kind: type[Exception], arguments: tuple[Any, ...], state: dict[str, Any]) -> Exception:
    """An error as it was when it was pickled, whatever its class wants to be made of."""
    error = kind.__new__(kind, *arguments)
    error.args = arguments
    error.__dict__.update(state)
    return error


def entry(entries: Mapping[str, T], name: str, what: str) -> T:
    """The entry of that name; a ``KeyError`` that says which there are where there is none."""
    try:
        return entries[name]
    except KeyError:
        raise KeyError(f"there is no {what} {name!r}; there are {', '.join(entries)}") from None


class InputError(StickslipError, ValueError):
    """Something that was passed is not what it must be; the message says what is."""


class ScenarioError(InputError):
    """A scenario or a sweep file is not valid.

    ``problems`` holds a dictionary per problem: ``message``, ``help``, and where known ``key``, ``path``, ``line``,
    ``column`` or ``override``.
    """

    def __init__(self, message: str, problems: list[dict[str, Any]] | None = None) -> None:
        super().__init__(message)
        self.problems = problems or []


class Refusal(InputError):
    """A stepper does not admit the scenario: ``stepper``, ``reason``, ``remedy``."""

    def __init__(self, message: str, stepper: str, reason: str, remedy: str) -> None:
        super().__init__(message)
        self.stepper = stepper
        self.reason = reason
        self.remedy = remedy


class StepFailure(StickslipError):
    """No step could be vouched for.

    ``step``, ``time`` in s, ``reason`` in words, ``kind`` (``no-solution``, ``not-converged``, ``inaccurate``,
    ``out-of-range`` or ``unstable``), ``iterations`` and the ``residual`` of the best candidate, if any; from a whole run also ``replay``, the text of a file for
    ``stickslip run --replay``, and ``candidate``, the trajectory up to the failure.
    """

    def __init__(
        self,
        message: str,
        step: int,
        time: float,
        reason: str,
        kind: str | None = None,
        iterations: int = 0,
        residual: float | None = None,
        replay: str | None = None,
        trajectory: _Trajectory | Kept | None = None,
    ) -> None:
        super().__init__(message)
        self.step = step
        self.time = time
        self.reason = reason
        self.kind = kind
        self.iterations = iterations
        self.residual = residual
        self.replay = replay
        self._trajectory = trajectory

    def __reduce__(self) -> tuple[Any, ...]:
        from ._trajectory import kept

        trajectory = None if self._trajectory is None else kept(self._trajectory)
        return (_restored, (type(self), self.args, self.__dict__ | {"_trajectory": trajectory}))

    @property
    def candidate(self) -> Any:
        """The steps before the failure as a ``Trajectory``; ``None`` for a single step."""
        from ._trajectory import Trajectory

        return None if self._trajectory is None else Trajectory(self._trajectory)


class LearnError(StickslipError):
    """An experiment or a fit could not be finished."""


class SweepError(StickslipError):
    """The folder of a sweep cannot be worked with."""
