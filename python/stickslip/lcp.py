"""Linear complementarity problems."""

from __future__ import annotations

import json
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from . import _stickslip
from ._errors import InputError


@dataclass(frozen=True)
class Solution:
    """What a solver found for ``w = M z + q, 0 <= w, z >= 0, w'z = 0``."""

    status: str
    """``solved``, or what else happened."""
    z: npt.NDArray[np.float64]
    w: npt.NDArray[np.float64]
    residual: float | None
    """Recomputed from ``M`` and ``q``; ``None`` if it is not finite."""
    pivots: int


def solve(m: npt.ArrayLike, q: npt.ArrayLike, *, solver: str = "lemke") -> Solution:
    """Solves the problem of ``m`` (n by n) and ``q`` (n).

    ``solver`` is ``lemke``, ``enumeration``, ``interior-point`` or ``gauss-seidel``.
    """
    matrix, vector = np.ascontiguousarray(m, dtype=np.float64), np.ascontiguousarray(q, dtype=np.float64)
    if matrix.ndim != 2 or vector.ndim != 1:
        raise InputError(f"m and q have the shapes {matrix.shape} and {vector.shape}, but must have (n, n) and (n,)")
    text = _stickslip.solve_lcp(matrix, vector, solver=solver)
    found = json.loads(text)
    return Solution(found["status"], np.array(found["z"]), np.array(found["w"]), found["residual"], found["pivots"])
