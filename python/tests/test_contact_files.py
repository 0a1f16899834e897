"""Contact problems in files: stickslip's own JSON, text of Siconos, HDF5 of FCLIB."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import h5py  # type: ignore[import-untyped]
import numpy as np
import numpy.typing as npt
import pytest

import stickslip
from stickslip import contact

SICONOS = Path(__file__).parents[2] / "tests" / "data" / "siconos"
Array = npt.NDArray[np.float64]


def wild(dimension: int, contacts: int, *, rolls: bool = False) -> contact.Problem:
    """A problem of numbers of all sizes, with contacts that have nothing to do with each other."""
    random = np.random.default_rng(48)
    rows = 2 * dimension - 1 if rolls else dimension
    size = rows * contacts
    w = random.normal(size=(size, size)) * 10.0 ** random.normal(scale=20.0, size=(size, size))
    w[np.abs(np.subtract.outer(np.arange(size) // rows, np.arange(size) // rows)) == 1] = 0.0
    np.fill_diagonal(w, 1.0 + random.random(size))
    w[0, 1] = -0.0
    rolling = random.random(contacts) if rolls else None
    return contact.Problem(dimension, w, random.normal(size=size), random.random(contacts), rolling)


def bits(problem: contact.Problem) -> list[bytes]:
    arrays = [problem.W, problem.q, problem.mu, *([] if problem.rolling is None else [problem.rolling])]
    return [array.tobytes() for array in arrays]


@pytest.mark.parametrize("dimension, rolls", [(2, False), (3, False), (2, True), (3, True)])
@pytest.mark.parametrize(
    "name, format",
    [
        ("a.json", None),
        ("a.dat", None),
        ("a.dat", "siconos:dense"),
        ("a.dat", "siconos:triplet"),
        ("a.hdf5", None),
        ("a", "fclib"),
    ],
)
def test_what_is_written_reads_back_to_the_last_bit(
    tmp_path: Path, dimension: int, rolls: bool, name: str, format: str | None
) -> None:
    problem = wild(dimension, 4, rolls=rolls)
    path = tmp_path / name
    if rolls and "fclib" in (format, contact._FORMATS.get(path.suffix)):
        with pytest.raises(stickslip.InputError, match="no word for rolling"):
            contact.write(path, problem, format=format)
        return
    contact.write(path, problem, format=format)
    again = contact.read(path)
    assert (again.dimension, again.rolling is None) == (problem.dimension, problem.rolling is None)
    assert bits(again) == bits(problem)


def test_problems_of_siconos_are_read_and_solved() -> None:
    problem = contact.read(SICONOS / "Rover4516.dat")
    assert (problem.dimension, problem.W.shape, problem.rolling) == (3, (12, 12), None)
    assert problem.W[0, 1] == 1.664309407165798140176838e-03 and problem.mu[0] == 0.7
    answer = problem.solve(solver="cone")
    assert answer.status == "solved"
    assert np.allclose(answer.u, problem.W @ answer.r + problem.q, rtol=0.0, atol=1e-12)
    # A contact that resists rolling has five rows.
    ball = contact.read(SICONOS / "RFC3D_sphere_2.dat")
    assert ball.rolling is not None and ball.rolling.tolist() == [0.5]
    assert ball.solve().status == "solved" and len(ball.solve().r) == 5


def test_a_model_of_ones_own_writes_the_problem_that_it_is_given(tmp_path: Path) -> None:
    class Kept:
        def solve(self, problem: stickslip.ContactProblem) -> Array:
            contact.write(tmp_path / "step.dat", problem)
            return contact.read(tmp_path / "step.dat").solve().r

    stickslip.register("kept", Kept, coulomb=True)
    scenario = {
        "name": "box",
        "duration": 0.01,
        "step": 0.01,
        "body": [{"name": "box", "shape": "box", "size": [1.0, 1.0], "mass": 1.0, "position": [0.0, 0.5]}],
        "ground": {"friction": 0.5},
    }
    run = stickslip.simulate(scenario, "kept")
    assert abs(run["z"][-1] - 0.5) < 1e-9
    written = contact.read(tmp_path / "step.dat")
    assert (written.dimension, written.W.shape) == (2, (4, 4))


def sparse(group: Any, name: str, matrix: Array, kind: str) -> None:
    """A matrix as FCLIB has it, in one of its three storages."""
    part = group.create_group(name)
    row, column = np.nonzero(matrix)
    pointers, other = (column, row)
    nz = len(row)
    if kind != "triplet":
        lines, across = (matrix.T, "column") if kind == "columns" else (matrix, "row")
        along, other = np.nonzero(lines)
        pointers = np.concatenate([[0], np.cumsum((lines != 0.0).sum(axis=1))])
        nz = {"column": -1, "row": -2}[across]
        row, column = (other, along) if kind == "columns" else (along, other)
    for key, value in (("nzmax", len(row)), ("m", len(matrix)), ("n", matrix.shape[1]), ("nz", nz)):
        part.create_dataset(key, data=np.array([value], dtype=np.int32))
    part.create_dataset("p", data=np.asarray(pointers, dtype=np.int32))
    part.create_dataset("i", data=np.asarray(other, dtype=np.int32))
    part.create_dataset("x", data=matrix[row, column])


@pytest.mark.parametrize("kind", ["triplet", "columns", "rows"])
def test_global_problems_of_fclib_become_local_ones(tmp_path: Path, kind: str) -> None:
    # Two points in the plane, 1 and 2 kg, the first on the ground; a rod keeps their heights together.
    m, h = np.diag([1.0, 1.0, 2.0, 2.0]), np.zeros((4, 2))
    h[1, 0] = h[0, 1] = 1.0
    g = np.array([[0.0], [1.0], [0.0], [-1.0]])
    f, w, b = np.array([0.5, -1.0, 0.0, -2.0]), np.array([0.25, 0.0]), np.array([0.0])
    path = tmp_path / "global.hdf5"
    with h5py.File(path, "w") as file:
        problem = file.create_group("fclib_global")
        problem.create_dataset("spacedim", data=np.array([2], dtype=np.int32))
        for name, matrix in (("M", m), ("H", h), ("G", g)):
            sparse(problem, name, matrix, kind)
        vectors = problem.create_group("vectors")
        for name, vector in (("f", f), ("w", w), ("b", b), ("mu", np.array([0.3]))):
            vectors.create_dataset(name, data=vector)
    problem = contact.read(path)
    # Vertically 3 kg fall together, horizontally 1 kg moves alone.
    assert np.allclose(problem.W, np.diag([1.0 / 3.0, 1.0])) and np.allclose(problem.q, [-1.0 + 0.25, 0.5])
    assert problem.mu.tolist() == [0.3]


def test_local_problems_of_fclib_may_have_multipliers(tmp_path: Path) -> None:
    w, v, r = np.diag([2.0, 1.0]), np.array([[1.0], [0.0]]), np.array([[-4.0]])
    path = tmp_path / "local.hdf5"
    with h5py.File(path, "w") as file:
        problem = file.create_group("fclib_local")
        problem.create_dataset("spacedim", data=np.array([2], dtype=np.int32))
        for name, matrix in (("W", w), ("V", v), ("R", r)):
            sparse(problem, name, matrix, "columns")
        vectors = problem.create_group("vectors")
        for name, vector in (("q", [-1.0, 0.0]), ("s", [2.0]), ("mu", [0.3])):
            vectors.create_dataset(name, data=np.array(vector))
    read = contact.read(path)
    # l = (r_n + 2)/4, which is added to the first row.
    assert np.allclose(read.W, np.diag([2.25, 1.0])) and np.allclose(read.q, [-0.5, 0.0])


def test_faults_name_file_place_and_remedy(tmp_path: Path) -> None:
    with pytest.raises(stickslip.InputError, match=r"missing.dat: No such file"):
        contact.read(tmp_path / "missing.dat")
    (tmp_path / "bad.dat").write_text("3\n1\n0\n3\n3\n3 3\n1 0 0\n0 x 0\n" + "0 " * 20)
    with pytest.raises(stickslip.InputError, match=r"bad.dat: line 8: `x`, but number 5 of 9 of the matrix"):
        contact.read(tmp_path / "bad.dat")
    (tmp_path / "bytes.dat").write_bytes(b"3\n\xff")
    with pytest.raises(stickslip.InputError, match=r"bytes.dat: line 2 is not UTF-8"):
        contact.read(tmp_path / "bytes.dat")
    with pytest.raises(stickslip.InputError, match="none of .json"):
        contact.write(tmp_path / "a.csv", wild(2, 1))
    with pytest.raises(stickslip.InputError, match="siconos:triplet"):
        contact.write(tmp_path / "a.dat", wild(2, 1), format="matlab")
    with pytest.raises(stickslip.InputError, match="not square"):
        contact.write(tmp_path / "a.dat", contact.Problem(2, np.ones((2, 3)), np.ones(2), np.ones(1)))


def test_faulty_files_of_fclib_are_refused_before_memory_is_taken(tmp_path: Path) -> None:
    path = tmp_path / "a.hdf5"

    def spoilt(spoil: Any) -> str:
        contact.write(path, wild(2, 3))
        with h5py.File(path, "r+") as file:
            spoil(file["fclib_local"])
        with pytest.raises(stickslip.InputError) as refused:
            contact.read(path)
        return str(refused.value)

    def put(name: str, value: Any) -> Any:
        def spoil(problem: Any) -> None:
            del problem[name]
            problem.create_dataset(name, data=np.asarray(value))

        return spoil

    assert "a.hdf5: /fclib_local/W/m is 2000000000, but must be 1 to 16384" in spoilt(put("W/m", [2_000_000_000]))
    assert "/fclib_local/W/nz is -3" in spoilt(put("W/nz", [-3]))
    assert "/fclib_local/W/nzmax is -1" in spoilt(put("W/nzmax", [-1]))
    assert "/fclib_local/W/i holds 6, but must be from 0 and below 6" in spoilt(put("W/i", [6] * 36))
    assert "/fclib_local/W/x has the shape (2,)" in spoilt(put("W/x", [1.0, 2.0]))
    assert "/fclib_local/vectors/q has the shape (5,), but must have (6,)" in spoilt(put("vectors/q", np.ones(5)))
    assert "/fclib_local/vectors/q holds nan" in spoilt(put("vectors/q", [np.nan] * 6))
    assert "/fclib_local/spacedim is 4" in spoilt(put("spacedim", [4]))
    assert "/fclib_local/vectors/mu is missing; there are q" in spoilt(lambda problem: problem["vectors"].pop("mu"))
    contact.write(path, wild(3, 3))
    path.write_bytes(path.read_bytes()[:1000])
    with pytest.raises(stickslip.InputError, match="a.hdf5: the HDF5 cannot be read: .*complete"):
        contact.read(path)
    with h5py.File(path, "w") as file:
        file.create_group("other")
    with pytest.raises(stickslip.InputError, match="/fclib_local and /fclib_global are missing; there are other"):
        contact.read(path)


def test_hdf5_asks_for_h5py(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.hdf5"
    contact.write(path, wild(2, 1))
    monkeypatch.setitem(sys.modules, "h5py", None)
    with pytest.raises(stickslip.InputError, match="pip install h5py"):
        contact.read(path)
