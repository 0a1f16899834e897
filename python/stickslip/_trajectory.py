"""Trajectories: what a stepper made of a scenario."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _stickslip

if TYPE_CHECKING:
    import numpy.typing as npt
    import pandas

    Column = npt.NDArray[Any]
else:
    Column = np.ndarray


def from_json(text: str) -> Any:
    """What a JSON text says."""
    import json

    return json.loads(text)


class Figure:
    """A picture as SVG; a notebook shows it."""

    def __init__(self, svg: str) -> None:
        self.svg = svg

    def _repr_svg_(self) -> str:
        return self.svg

    def save(self, path: str) -> None:
        """Writes the SVG file ``path``."""
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
        return self._columns[column]

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        return len(self._columns)

    def __repr__(self) -> str:
        return f"<Body {self.name!r}: {', '.join(self._columns)}>"


class Trajectory(Mapping[str, Column]):
    """The motion of a scenario under one stepper.

    Indexed by the name of a column it gives that of the first body; ``body(name)`` gives the others.
    """

    def __init__(self, raw: _stickslip.Trajectory) -> None:
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

    def body(self, body: int | str = 0) -> Body:
        """The motion of one body, by its number or name."""
        names = self._raw.bodies
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

    def __getitem__(self, column: str) -> Column:
        return self.body(0)[column]

    def __iter__(self) -> Iterator[str]:
        return iter(self.body(0))

    def __len__(self) -> int:
        return len(self.body(0))

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
        gap, forces, ``mode`` (open, slip or stick). Empty for a single point."""
        import csv
        import io

        rows = csv.reader(io.StringIO(self._raw.contacts_csv()))
        header = next(rows, [])
        columns = list(zip(*rows)) or [()] * len(header)
        words = ("first", "second", "mode")
        return {
            name: np.array(column) if name in words else np.array(column, dtype=int if name == "step" else float)
            for name, column in zip(header, columns)
        }

    def to_pandas(self) -> pandas.DataFrame:
        """All bodies in one frame, a row per body and state, as ``trajectory.csv`` has them."""
        import pandas

        frames = []
        for number, name in enumerate(self.bodies):
            frame = pandas.DataFrame(dict(self.body(number)))
            frame.insert(0, "step", range(len(frame)))
            if "angle" in frame or "qw" in frame:
                frame.insert(0, "body", name)
            frames.append(frame)
        return pandas.concat(frames).sort_values("step", kind="stable", ignore_index=True)

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
