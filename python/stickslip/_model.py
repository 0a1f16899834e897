"""Contact models of one's own."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol, Union

import numpy as np
import numpy.typing as npt

from . import _stickslip

Impulses = Union[npt.ArrayLike, tuple[npt.ArrayLike, int]]
"""Impulses in N s, normal before tangential for each contact in turn; with the number of iterations if wanted."""


@dataclass(frozen=True)
class ContactProblem:
    """The contact problem of one step: with ``u = W r + q``, find the impulses ``r``.

    Coulomb's law is ``0 <= u_n, r_n >= 0, u_n r_n = 0``, ``|r_t| <= mu r_n`` and friction against the slip.
    The rows of a contact are normal, tangent(s): ``dimension`` of them; ``n`` is the number of contacts.
    """

    dimension: int
    """2 in the plane, 3 in space."""
    time_step: float
    """Length of the step in s."""
    W: npt.NDArray[np.float64]
    """The Delassus operator, (n dimension, n dimension), in 1/kg: what impulses do to the contacts' velocities."""
    q: npt.NDArray[np.float64]
    """(n dimension,), in m/s: the contacts' velocities without impulses, plus gap over step or restitution."""
    mu: npt.NDArray[np.float64]
    """(n,): friction."""
    gap: npt.NDArray[np.float64]
    """(n,), in m: at the start of the step; negative where bodies overlap."""


class ContactModel(Protocol):
    """What :func:`register` takes: a class, or anything else that gives such an object when it is called."""

    def solve(self, problem: ContactProblem, /) -> Impulses:
        """The impulses of all contacts."""


def register(
    name: str, make: Callable[[], ContactModel], *, summary: str = "A model in Python.", coulomb: bool = False
) -> None:
    """Makes ``name`` a stepper beside the built-in ones, for ``simulate`` and ``compare``.

    ``make`` is called for every run. What its ``solve`` gives is not trusted: velocities and residuals are
    recomputed. With ``coulomb`` the model claims Coulomb's law, and steps that miss it fail; without, it has a law
    of its own, and is told what it misses. An exception in it is a ``StepFailure`` with that as its cause. A name
    that is registered again stands for the new model.
    """
    _stickslip.register(name, make, summary=summary, coulomb=coulomb)
