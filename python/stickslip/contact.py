"""Contact problems: many contacts with Coulomb friction in one step."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import numpy as np
import numpy.typing as npt

from . import _stickslip
from ._errors import InputError

_Array = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Answer:
    """What a solver found: ``u = W r + q``, rows normal, tangent(s) per contact."""

    status: str
    """``solved``, ``approximate``, ``relaxed`` (a law of the solver's own) or ``unsolved``."""
    solver: str
    r: _Array
    u: _Array
    residual: float | None
    """``|r - P_K(r - v)| / |q|`` with ``v = u + mu |u_t| n``, recomputed; ``None`` if it is not finite."""
    iterations: int
    seconds: float
    doubts: list[str]
    """Why the problem is dubious, where ``W`` is no operator of mechanics."""


@dataclass(frozen=True)
class Problem:
    """A contact problem: with ``u = W r + q``, find the impulses ``r``.

    The rows of a contact are normal, tangent(s). Where contacts resist ``rolling``, those of rolling follow, one in the
    plane and two in space, about the tangents, and ``|r_w| <= rolling r_n``, ``v = u + (mu |u_t| + rolling |u_w|) n``.
    """

    dimension: int
    """2 in the plane, 3 in space."""
    W: _Array
    """The Delassus operator, (n, n)."""
    q: _Array
    """(n,): the contacts' velocities without impulses."""
    mu: _Array
    """Friction of each contact."""
    rolling: _Array | None = None
    """What resists rolling at each contact, in m; ``None`` where nothing does."""

    def solve(self, *, solver: str = "nlp", tolerance: float = 1e-8) -> Answer:
        """The answer of :func:`solve`."""
        return solve(
            self.W,
            self.q,
            self.mu,
            dimension=self.dimension,
            rolling=self.rolling,
            solver=solver,
            tolerance=tolerance,
        )


class Posed(Protocol):
    """What :func:`write` takes: a :class:`Problem`, or the problem that a model of one's own is given."""

    @property
    def dimension(self) -> int: ...
    @property
    def W(self) -> _Array: ...
    @property
    def q(self) -> _Array: ...
    @property
    def mu(self) -> _Array: ...


def solve(
    w: npt.ArrayLike,
    q: npt.ArrayLike,
    mu: npt.ArrayLike,
    *,
    dimension: int,
    rolling: npt.ArrayLike | None = None,
    solver: str = "nlp",
    tolerance: float = 1e-8,
) -> Answer:
    """Solves the contact problem of ``w`` (n by n), ``q`` (n) and ``mu`` (one per contact).

    ``dimension`` is 2 in the plane and 3 in space; contacts that resist ``rolling`` have more rows (see
    :class:`Problem`); ``solver`` is ``nlp`` (structured interior point), ``lcp``, ``cone`` (alternating directions) or
    ``convex`` (the associated law).
    """
    matrix, *vectors = _arrays(w, q, mu)
    text = _stickslip.solve_contact(
        matrix,
        *vectors,
        dimension=dimension,
        rolling=None if rolling is None else _vector("rolling", rolling),
        solver=solver,
        tolerance=tolerance,
    )
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


def _arrays(w: npt.ArrayLike, q: npt.ArrayLike, mu: npt.ArrayLike) -> tuple[_Array, _Array, _Array]:
    matrix, free, friction = (np.ascontiguousarray(array, dtype=np.float64) for array in (w, q, mu))
    arrays = (matrix, free, friction)
    if [array.ndim for array in arrays] != [2, 1, 1]:
        shapes = ", ".join(str(array.shape) for array in arrays)
        raise InputError(f"w, q and mu have the shapes {shapes}, but must have (n, n), (n,) and (n / dimension,)")
    return arrays


def _vector(name: str, values: npt.ArrayLike) -> _Array:
    vector = np.ascontiguousarray(values, dtype=np.float64)
    if vector.ndim != 1:
        raise InputError(f"{name} has the shape {vector.shape}, but must have one entry per contact")
    return vector


_HDF5 = b"\x89HDF\r\n\x1a\n"


def read(path: str | os.PathLike[str]) -> Problem:
    """Reads a problem from a file, which says itself what it is.

    That is stickslip's own JSON (see ``stickslip contact solve --help``), a text file of Siconos (fc2d, fc3d, with
    rolling or without), or a file of FCLIB in HDF5, a local problem or a global one, which is made a local one; this
    takes the package h5py. Numbers are read to the last bit.
    """
    try:
        content = Path(path).read_bytes()
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}; check the path and the permissions") from error
    if content.startswith(_HDF5):
        from ._fclib import read_problem

        return Problem(*read_problem(path))
    try:
        return Problem(*_stickslip.read_contact(content.decode("utf-8-sig")))
    except UnicodeDecodeError as error:
        line = 1 + content.count(b"\n", 0, error.start)
        wanted = "give a contact problem as JSON, text of Siconos or HDF5 of FCLIB"
        raise InputError(f"{path}: line {line} is not UTF-8 text; {wanted}") from error
    except InputError as error:
        raise InputError(f"{path}: {error}") from error


_FORMATS = {".json": "json", ".dat": "siconos", ".txt": "siconos", ".hdf5": "fclib", ".h5": "fclib"}


def write(path: str | os.PathLike[str], problem: Posed, *, format: str | None = None) -> None:
    """Writes a problem to a file, so that others can solve it; :func:`read` gives it back to the last bit.

    ``format`` is ``json``, ``siconos`` (sparse blocks), ``siconos:dense``, ``siconos:triplet`` or ``fclib`` (HDF5, by
    h5py); without it the name says which: ``.json``, ``.dat`` or ``.hdf5``. FCLIB has no word for rolling.
    """
    if format is None:
        format = _FORMATS.get(Path(path).suffix)
        if format is None:
            known = ", ".join(_FORMATS)
            raise InputError(f"{path}: the name ends in none of {known}; name the format, such as format=\"siconos\"")
    matrix, *vectors = _arrays(problem.W, problem.q, problem.mu)
    rolling = getattr(problem, "rolling", None)
    if format == "fclib":
        from ._fclib import write_problem

        if rolling is not None:
            raise InputError(f"{path}: FCLIB has no word for rolling; write the problem as siconos or json")
        # What is no problem is refused here as it is elsewhere.
        _stickslip.write_contact(matrix, *vectors, dimension=problem.dimension, format="json")
        write_problem(path, problem.dimension, matrix, *vectors)
        return
    text = _stickslip.write_contact(
        matrix,
        *vectors,
        dimension=problem.dimension,
        rolling=None if rolling is None else _vector("rolling", rolling),
        format=format,
    )
    Path(path).write_text(text, encoding="utf-8")
