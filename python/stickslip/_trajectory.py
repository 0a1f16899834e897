"""Trajectories: what a stepper made of a scenario."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _stickslip
from ._errors import InputError, entry
from ._kept import Kept, keep

if TYPE_CHECKING:
    import matplotlib.axes
    import numpy.typing as npt
    import pandas
    import xarray

    Column = npt.NDArray[Any]
else:
    Column = np.ndarray


def from_json(text: str) -> Any:
    """What a JSON text says."""
    import json

    return json.loads(text)


def table(text: str, words: tuple[str, ...] = ()) -> dict[str, Column]:
    """The columns of a CSV text; those in ``words`` are strings, an empty number is nan."""
    import csv
    import io

    rows = csv.reader(io.StringIO(text))
    header = next(rows)
    columns = list(zip(*rows)) or [()] * len(header)
    return {
        name: np.array(column) if name in words else np.array([float(cell or "nan") for cell in column])
        for name, column in zip(header, columns)
    }


class Figure:
    """A picture as SVG; a notebook shows it."""

    def __init__(self, svg: str) -> None:
        self.svg = svg

    def _repr_svg_(self) -> str:
        return self.svg

    def save(self, path: str) -> None:
        """Writes the SVG file ``path``, whose name ends in ``.svg``; for others draw with ``plot`` of a body.

        Raises ``ValueError`` for another ending, before anything is written.
        """
        if not str(path).lower().endswith(".svg"):
            raise ValueError(f"`{path}` does not end in .svg, which is what a figure is; `stickslip run` writes PNG and PDF")
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.svg)


class Body(Mapping[str, Column]):
    """The motion of one body: a column per quantity, with a value per state, so one more than steps.

    The columns are those of ``trajectory.csv``, in SI units: ``t``, position, orientation of a body that turns,
    velocity, spin, mean contact force and torque of the step that follows, push, ``energy``, ``status``,
    ``iterations``, ``residual``, of a point by ``nlp`` ``s1``, ``s2``, ``lambda``. After the last state there is no step: what belongs to one is nan, -1 or "" there.
    """

    def __init__(self, name: str, columns: dict[str, Column]) -> None:
        self.name = name
        self._columns = columns

    def __getitem__(self, column: str) -> Column:
        return entry(self._columns, column, "column")

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        return len(self._columns)

    def to_pandas(self) -> pandas.DataFrame:
        """The columns as a frame, a row per state."""
        import pandas

        return pandas.DataFrame(dict(self))

    def to_xarray(self) -> xarray.Dataset:
        """The columns as a dataset over the time ``t`` in s."""
        import xarray

        columns = {name: ("t", column) for name, column in self.items() if name != "t"}
        return xarray.Dataset(columns, coords={"t": self["t"]}, attrs={"body": self.name})

    def plot(self, *columns: str, axes: matplotlib.axes.Axes | None = None) -> matplotlib.axes.Axes:
        """Draws ``columns`` over time with matplotlib: on ``axes``, or else on new ones, which are returned. What is drawn by
        default is the position."""
        return draw({self.name: self}, columns, axes)

    def __repr__(self) -> str:
        return f"<Body {self.name!r}: {', '.join(self._columns)}>"


def draw(
    bodies: Mapping[str, Body], columns: tuple[str, ...], axes: matplotlib.axes.Axes | None
) -> matplotlib.axes.Axes:
    """Draws ``columns`` of bodies, each with what it is called in the legend; those of the position by default."""
    try:
        from matplotlib import pyplot
    except ImportError as fault:
        raise InputError("curves of columns are drawn by matplotlib: pip install matplotlib") from fault

    for body in bodies.values():
        for name in columns:
            if name not in body:
                raise KeyError(f"there is no column {name!r}; there are {', '.join(body)}")
            if body[name].dtype.kind not in "fi":
                raise InputError(f"the column {name!r} holds words, which make no curve")
    if axes is None:
        axes = pyplot.figure().add_subplot()
    for label, body in bodies.items():
        for name in columns or tuple(name for name in ("x", "y", "z") if name in body):
            axes.plot(body["t"], body[name], label=f"{label}: {name}")
    axes.set_xlabel("t in s")
    axes.legend()
    return axes


def kept(raw: _stickslip.Trajectory | Kept) -> Kept:
    """All that a trajectory of the extension is asked for."""
    calls: list[tuple[str, tuple[Any, ...]]] = [("columns", (body,)) for body in range(len(raw.bodies))]
    calls += [(name, ()) for name in ("__len__", "summary", "csv", "contacts_csv")]
    calls += [("svg", (kind,)) for kind in ("history", "path")]
    return keep(raw, ("stepper", "bodies", "scenario", "is_pushed", "first_moving"), calls)


class Trajectory(Mapping[str, Any]):
    """The motion of a scenario under one stepper.

    ``trajectory["cube"]`` is the motion of the body ``cube``, and ``trajectory["cube"]["z"]`` a column of it. The name of a
    column alone gives that of the first body that moves by itself, neither fixed nor driven; it goes before a body of the same
    name, which ``body(name)`` gives. Trajectories can be pickled, pictures and all.
    """

    def __init__(self, raw: _stickslip.Trajectory | Kept) -> None:
        self._raw = raw
        self._bodies: dict[int, Body] = {}
        self._summary: dict[str, Any] | None = None

    @property
    def stepper(self) -> str:
        """Name of the stepper."""
        return self._raw.stepper

    @property
    def bodies(self) -> list[str]:
        """Names of the bodies."""
        return self._raw.bodies

    @property
    def scenario(self) -> str:
        """The whole scenario with defaults and overrides, as the text of a scenario file."""
        return self._raw.scenario

    @property
    def steps(self) -> int:
        """Number of steps taken."""
        return len(self._raw)

    def body(self, body: int | str | None = None) -> Body:
        """The motion of one body, by its number or name; by default of the first that moves by itself."""
        names = self._raw.bodies
        if body is None:
            body = self._raw.first_moving
        if isinstance(body, str):
            if body not in names:
                raise KeyError(f"there is no body {body!r}; there are {', '.join(names)}")
            body = names.index(body)
        elif not 0 <= body < len(names):
            raise IndexError(f"there is no body {body}; there are those from 0 to {len(names) - 1}")
        if body not in self._bodies:
            columns = {name: np.asarray(values) for name, values in self._raw.columns(body).items()}
            self._bodies[body] = Body(names[body], columns)
        return self._bodies[body]

    def __getitem__(self, name: str) -> Any:
        main = self.body()
        if name in main:
            return main[name]
        if name in self._raw.bodies:
            return self.body(name)
        raise KeyError(
            f"there is no column or body {name!r}; there are the columns {', '.join(main)} and the bodies "
            f"{', '.join(self._raw.bodies)}"
        )

    def __iter__(self) -> Iterator[str]:
        return iter(self.body())

    def __len__(self) -> int:
        return len(self.body())

    def __getstate__(self) -> dict[str, Any]:
        return {"_raw": kept(self._raw), "_bodies": {}, "_summary": self._summary}

    @property
    def summary(self) -> dict[str, Any]:
        """What ``summary.json`` of the command line holds."""
        if self._summary is None:
            self._summary = from_json(self._raw.summary())
        return self._summary

    @property
    def metrics(self) -> dict[str, Any]:
        """Figures of merit, with the errors against the exact motion where there is one."""
        metrics: dict[str, Any] = self.summary["metrics"]
        return metrics

    @property
    def contacts(self) -> dict[str, Column]:
        """The columns of ``contacts.csv``, a row per contact and step: ``step``, ``t``, the two bodies, where, normal,
        gap, forces, ``mode`` (open, slip or stick), ``gap_end`` (nan where it is open). Empty for a single point."""
        import csv
        import io

        rows = csv.reader(io.StringIO(self._raw.contacts_csv()))
        header = next(rows, [])
        columns = list(zip(*rows)) or [()] * len(header)
        words = ("first", "second", "mode")
        return {
            name: np.array(column)
            if name in words
            else np.array([value or "nan" for value in column], dtype=int if name == "step" else float)
            for name, column in zip(header, columns)
        }

    def to_pandas(self) -> pandas.DataFrame:
        """All bodies in one frame, a row per body and state, as ``trajectory.csv`` has them."""
        import pandas

        frames = []
        for number, name in enumerate(self.bodies):
            frame = self.body(number).to_pandas()
            frame.insert(0, "step", range(len(frame)))
            if "angle" in frame or "qw" in frame:
                frame.insert(0, "body", name)
            frames.append(frame)
        return pandas.concat(frames).sort_values("step", kind="stable", ignore_index=True)

    def to_xarray(self) -> xarray.Dataset:
        """All bodies in one dataset over ``body`` and the time ``t`` in s, with the name of the stepper as an attribute."""
        import xarray

        bodies = [self.body(number).to_xarray() for number in range(len(self.bodies))]
        whole = xarray.concat(bodies, dim="body", data_vars="all", join="exact", combine_attrs="drop")
        return whole.assign_coords(body=self.bodies).assign_attrs(stepper=self.stepper)

    def to_csv(self, path: str | None = None) -> str:
        """The text of ``trajectory.csv``, byte for byte that of the command line; also written to ``path``."""
        text = self._raw.csv()
        if path is not None:
            with open(path, "w", encoding="utf-8", newline="") as file:
                file.write(text)
        return text

    def plot(self, kind: str = "history") -> Figure:
        """A picture: ``history`` (over time) or ``path`` (the motion itself)."""
        return Figure(self._raw.svg(kind))

    def _repr_svg_(self) -> str:
        return self._raw.svg("history")

    def __repr__(self) -> str:
        return f"<Trajectory of {self.steps} steps by {self.stepper!r}>"
