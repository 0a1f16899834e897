"""Contact problems of the Frictional Contact Library (FCLIB) in HDF5.

A file holds a local problem, ``u = W r + V l + q`` with ``0 = V' r + R l + s``, or a global one, ``M v = H r + G l + f``
with ``0 = G' v + b`` and ``u = H' v + w``. Signs and the order of rows are those of stickslip: normal first, positive where
contacts open, reactions ``r`` in the friction cone. What holds of itself, ``l`` and the bodies, is eliminated.
"""

from __future__ import annotations

import os
from importlib import import_module
from typing import Any

import numpy as np
import numpy.typing as npt

from ._errors import InputError

_Array = npt.NDArray[np.float64]

_MOST_ROWS = 16_384
"""Rows of a matrix that is made dense: it then takes 2 GiB."""

_COLUMNS, _ROWS = -1, -2
"""What ``nz`` says of compressed columns and rows; else it counts the entries of a triplet matrix."""


def _h5py() -> Any:
    try:
        return import_module("h5py")
    except ImportError as error:
        needed = "files of FCLIB are HDF5, for which the package h5py is needed; install it by `pip install h5py`"
        raise InputError(needed) from error


class _Group:
    """A group of a file, with messages that say where something is missing or of another size."""

    def __init__(self, path: str, group: Any) -> None:
        self.path, self.group = path, group

    def fault(self, name: str, what: str) -> InputError:
        place = f"{self.group.name.rstrip('/')}/{name}"
        return InputError(f"{self.path}: {place} {what}; check that the file is one of FCLIB, and complete")

    def has(self, name: str) -> bool:
        return name in self.group

    def part(self, name: str) -> _Group:
        if not self.has(name):
            raise self.fault(name, f"is missing; there are {', '.join(sorted(self.group)) or 'no entries'}")
        return _Group(self.path, self.group[name])

    def vector(self, name: str, size: int, *, has_room: bool = False) -> _Array:
        """So many finite numbers."""
        values = np.asarray(self._numbers(name, size, has_room), dtype=np.float64)
        if not np.isfinite(values).all():
            raise self.fault(name, f"holds {values[~np.isfinite(values)][0]}, but every number must be finite")
        return values

    def indices(self, name: str, size: int, below: int) -> npt.NDArray[np.int64]:
        """So many indices that count from 0; there may be room for more."""
        values = np.asarray(self._numbers(name, size, True), dtype=np.int64)
        outside = values[(values < 0) | (values >= below)]
        if outside.size:
            raise self.fault(name, f"holds {outside[0]}, but must be from 0 and below {below}")
        return values

    def whole(self, name: str) -> int:
        return int(self._numbers(name, 1, False)[0])

    def _numbers(self, name: str, size: int, has_room: bool) -> Any:
        """So many entries of a dataset, whose size is checked before they are read."""
        found = self.part(name).group
        shape = getattr(found, "shape", None)
        length = 1 if shape == () else shape[0] if shape is not None and len(shape) == 1 else -1
        if length < size or (length > size and not has_room):
            raise self.fault(name, f"has the shape {shape}, but must have ({size},)")
        if not np.issubdtype(found.dtype, np.number):
            raise self.fault(name, f"holds {found.dtype}, but must hold numbers")
        return np.ravel(found[()])[:size]

    def matrix(self, name: str, rows: int | None = None, columns: int | None = None) -> _Array:
        """A sparse matrix, made dense; entries that are given twice are added."""
        matrix = self.part(name)
        shape = []
        for key, expected in (("m", rows), ("n", columns)):
            size = matrix.whole(key)
            if not 0 < size <= _MOST_ROWS or (expected is not None and size != expected):
                wanted = f"1 to {_MOST_ROWS}" if expected is None else expected
                raise matrix.fault(key, f"is {size}, but must be {wanted}")
            shape.append(size)
        m, n = shape
        nz, entries = matrix.whole("nz"), matrix.whole("nzmax")
        if nz >= 0:
            entries = nz
        if not 0 <= entries <= 2**31:
            raise matrix.fault("nzmax", f"is {entries}, but must count the entries")
        if nz >= 0:
            # As CSparse has it, by which these files are written.
            row, column = matrix.indices("i", entries, m), matrix.indices("p", entries, n)
        elif nz in (_COLUMNS, _ROWS):
            lines, across = (n, m) if nz == _COLUMNS else (m, n)
            starts = matrix.indices("p", lines + 1, entries + 1)
            if starts[0] != 0 or (np.diff(starts) < 0).any():
                raise matrix.fault("p", "must begin with 0 and not fall")
            entries = int(starts[-1])
            along = np.repeat(np.arange(lines), np.diff(starts))
            other = matrix.indices("i", entries, across)
            row, column = (other, along) if nz == _COLUMNS else (along, other)
        else:
            raise matrix.fault("nz", f"is {nz}, but must count entries, or be -1 (columns) or -2 (rows)")
        # A sum that begins with -0 is that of the entries to the last bit, the sign of a zero included.
        dense = np.full((m, n), -0.0)
        np.add.at(dense, (row, column), matrix.vector("x", entries, has_room=True))
        is_absent = np.ones((m, n), dtype=bool)
        is_absent[row, column] = False
        dense[is_absent] = 0.0
        return dense


def read_problem(path: str | os.PathLike[str]) -> tuple[int, _Array, _Array, _Array]:
    """Dimension, ``W``, ``q`` and ``mu`` of a file."""
    h5py = _h5py()
    try:
        with h5py.File(path, "r") as file:
            return _of_root(_Group(str(path), file))
    except OSError as error:
        raise InputError(f"{path}: the HDF5 cannot be read: {error}; check that the file is complete") from error


def _of_root(root: _Group) -> tuple[int, _Array, _Array, _Array]:
    if root.has("fclib_local"):
        problem, reduced = root.part("fclib_local"), _local
    elif root.has("fclib_global"):
        problem, reduced = root.part("fclib_global"), _global
    else:
        there = ", ".join(sorted(root.group)) or "no groups"
        raise root.fault("fclib_local", f"and /fclib_global are missing; there are {there}")
    dimension = problem.whole("spacedim")
    if dimension not in (2, 3):
        raise problem.fault("spacedim", f"is {dimension}, but must be 2 or 3")
    w, q = reduced(problem)
    if len(q) % dimension:
        raise problem.fault("spacedim", f"is {dimension}, which does not divide the {len(q)} rows of the contacts")
    return dimension, w, q, problem.part("vectors").vector("mu", len(q) // dimension)


def _local(problem: _Group) -> tuple[_Array, _Array]:
    w = problem.matrix("W")
    if w.shape[0] != w.shape[1]:
        raise problem.fault("W", f"has {w.shape[0]} rows and {w.shape[1]} columns, but must be square")
    vectors = problem.part("vectors")
    q = vectors.vector("q", len(w))
    if problem.has("R"):
        r = problem.matrix("R")
        v = problem.matrix("V", len(w), len(r))
        eliminated = _solved(problem, "R", r, np.column_stack([v.T, vectors.vector("s", len(r))]))
        w, q = w - v @ eliminated[:, :-1], q - v @ eliminated[:, -1]
    return w, q


def _global(problem: _Group) -> tuple[_Array, _Array]:
    m = problem.matrix("M")
    h = problem.matrix("H", len(m))
    vectors = problem.part("vectors")
    f, free = vectors.vector("f", len(m)), vectors.vector("w", h.shape[1])
    answers = _solved(problem, "M", m, np.column_stack([h, f]))
    if problem.has("G"):
        g = problem.matrix("G", len(m))
        b = vectors.vector("b", g.shape[1])
        answer_of_g = _solved(problem, "M", m, g)
        asked = g.T @ answers
        asked[:, -1] += b
        answers = answers - answer_of_g @ _solved(problem, "G", g.T @ answer_of_g, asked)
    return h.T @ answers[:, :-1], h.T @ answers[:, -1] + free


def _solved(problem: _Group, name: str, matrix: _Array, right: _Array) -> _Array:
    try:
        return np.asarray(np.linalg.solve(matrix, right), dtype=np.float64)
    except np.linalg.LinAlgError as error:
        raise problem.fault(name, "does not determine what is eliminated by it: it is singular") from error


def write_problem(path: str | os.PathLike[str], dimension: int, w: _Array, q: _Array, mu: _Array) -> None:
    """Writes a local problem, its matrix by compressed columns."""
    # A negative zero is an entry too, so that the matrix is the same to the last bit.
    is_entry = (w != 0.0) | np.signbit(w)
    column, row = np.nonzero(is_entry.T)
    starts = np.concatenate([[0], np.cumsum(is_entry.sum(axis=0))])
    with _h5py().File(path, "w") as file:
        problem = file.create_group("fclib_local")

        def whole(group: Any, name: str, values: npt.ArrayLike) -> None:
            group.create_dataset(name, data=np.atleast_1d(np.asarray(values, dtype=np.int32)))

        whole(problem, "spacedim", dimension)
        matrix = problem.create_group("W")
        for name, value in (("nzmax", len(row)), ("m", len(w)), ("n", len(w)), ("nz", _COLUMNS)):
            whole(matrix, name, value)
        whole(matrix, "p", starts)
        whole(matrix, "i", row)
        matrix.create_dataset("x", data=w[row, column])
        vectors = problem.create_group("vectors")
        vectors.create_dataset("q", data=q)
        vectors.create_dataset("mu", data=mu)
        info = problem.create_group("info")
        info.create_dataset("title", data=np.bytes_("Contact problem of stickslip"))
        info.create_dataset("description", data=np.bytes_("u = W r + q, rows normal, tangent(s) per contact"))
