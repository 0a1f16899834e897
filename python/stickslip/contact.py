"""Contact problems: many contacts with Coulomb friction in one step."""

from __future__ import annotations

import json
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from . import _stickslip
from ._errors import InputError


@dataclass(frozen=True)
class Answer:
    """What a solver found: ``u = W r + q``, rows normal, tangent(s) per contact."""

    status: str
    """``solved``, ``approximate``, ``relaxed`` (a law of the solver's own) or ``unsolved``."""
    solver: str
    r: npt.NDArray[np.float64]
    u: npt.NDArray[np.float64]
    residual: float | None
    """``|r - P_K(r - v)| / |q|`` with ``v = u + mu |u_t| n``, recomputed; ``None`` if it is not finite."""
    iterations: int
    seconds: float
    doubts: list[str]
    """Why the problem is dubious, where ``W`` is no operator of mechanics."""


def solve(
    w: npt.ArrayLike,
    q: npt.ArrayLike,
    mu: npt.ArrayLike,
    *,
    dimension: int,
    solver: str = "nlp",
    tolerance: float = 1e-8,
) -> Answer:
    """Solves the contact problem of ``w`` (n by n), ``q`` (n) and ``mu`` (n / dimension).

    ``dimension`` is 2 in the plane and 3 in space; ``solver`` is ``nlp`` (structured interior point), ``lcp``,
    ``cone`` (alternating directions) or ``convex`` (the associated law).
    """
    arrays = [np.ascontiguousarray(array, dtype=np.float64) for array in (w, q, mu)]
    if [array.ndim for array in arrays] != [2, 1, 1]:
        shapes = ", ".join(str(array.shape) for array in arrays)
        raise InputError(f"w, q and mu have the shapes {shapes}, but must have (n, n), (n,) and (n / dimension,)")
    text = _stickslip.solve_contact(*arrays, dimension=dimension, solver=solver, tolerance=tolerance)
    found = json.loads(text)
    return Answer(
        found["status"],
        found["solver"],
        np.array(found["r"]),
        np.array(found["u"]),
        found["residual"],
        found["iterations"],
        found["seconds"],
        found.get("doubts", []),
    )
