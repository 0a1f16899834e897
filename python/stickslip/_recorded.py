"""Recorded throws: how well models predict them, and which parameters predict them best."""

from __future__ import annotations

import json
import os
import warnings
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Union

import numpy as np

from . import _stickslip
from ._errors import InputError, entry
from ._kept import Kept, keep
from ._run import Scenario, Settings, whole, words
from ._trajectory import Column, Figure, table

if TYPE_CHECKING:
    import pandas

Recording = Union[str, "os.PathLike[str]", Mapping[str, Any], "pandas.DataFrame"]
"""Recorded throws of one body: the path of a CSV file, the text of one, or its columns (a mapping, or a DataFrame).

A row per measured state, in SI units: ``toss`` (a number), ``t``, then the columns of ``trajectory.csv`` from the
position to the spin. In the plane ``x, z, vx, vz`` of a point, ``x, z, angle, vx, vz, spin`` of a body; in space
``x, y, z, vx, vy, vz`` of a point, ``x, y, z, qw, qx, qy, qz, vx, vy, vz, wx, wy, wz`` of a body (quaternion from body
to world, spin in the axes of the body). The rows of a toss stand together, in the order of time.
"""


class _Recorded(NamedTuple):
    """What the extension takes of a recording, attribute by attribute."""

    name: str
    text: str
    start: str
    from_time: float
    ground_height: float
    windows: str


def _recorded(
    data: Recording, start: str, from_time: float, ground_height: float, windows: str | float
) -> _Recorded:
    if isinstance(data, str) and "\n" in data:
        name, text = "<data>", data
    elif isinstance(data, (str, os.PathLike)):
        name = os.fspath(data)
        try:
            text = Path(name).read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as fault:
            raise InputError(f"cannot read the recording `{name}`: {fault}") from fault
    elif hasattr(data, "items"):
        name, text = "<columns>", _csv_of(data)
    else:
        raise TypeError(
            f"a recording is the path of a file, the text of one, or its columns, not {type(data).__name__}"
        )
    return _Recorded(name, text, start, float(from_time), float(ground_height), str(windows))


def _warn_of(doubts: list[str]) -> None:
    """Says what speaks against recording and scenario being of the same throws."""
    for doubt in doubts:
        warnings.warn(doubt, stacklevel=3)


def _csv_of(columns: Any) -> str:
    names, values = [], []
    for name, column in columns.items():
        names.append(str(name))
        values.append(np.asarray(column, dtype=float))
        if values[-1].shape != values[0].shape or values[-1].ndim != 1:
            raise InputError(
                f"column `{name}` has the shape {values[-1].shape}, and `{names[0]}` {values[0].shape}; columns have a "
                "number per row"
            )
    lines = [",".join(names)]
    # The shortest text of a number that is read back as the same.
    lines.extend(",".join(map(repr, row)) for row in zip(*(column.tolist() for column in values)))
    return "\n".join(lines) + "\n"


class Predictions(Mapping[str, Mapping[str, Any]]):
    """What steppers made of recorded throws: the mean errors of each, by its name.

    ``position`` and ``final_position`` are fractions of the size of the body (of a point in m), ``rotation`` and
    ``final_rotation`` degrees (of a point ``None``): means over the throws, of which each counts with the mean over its
    rows, or with its last row. ``standard_error`` has those of position and rotation, ``failed_steps`` how many steps
    could not be vouched for; the motion went on from their best candidates. Predictions can be pickled, with all states and
    the pictures of a typical throw.
    """

    def __init__(self, raw: _stickslip.Predictions) -> None:
        self._raw: _stickslip.Predictions | Kept = raw
        self.summary: dict[str, Any] = json.loads(raw.summary())
        """What ``predict/summary.json`` of the command line holds."""

    def __getitem__(self, stepper: str) -> Mapping[str, Any]:
        errors: Mapping[str, Any] = entry(self.summary["steppers"], stepper, "stepper")
        return errors

    def __iter__(self) -> Iterator[str]:
        return iter(self._raw.steppers)

    def __len__(self) -> int:
        return len(self._raw.steppers)

    @property
    def refused(self) -> list[dict[str, str]]:
        """The families that do not admit the scenario, and why."""
        return [dict(zip(("stepper", "reason", "remedy"), refusal)) for refusal in self._raw.refused]

    @property
    def tosses(self) -> Column:
        """The numbers of the throws, ``(throws,)``."""
        return self._raw.tosses()

    @property
    def errors(self) -> dict[str, Column]:
        """The columns of ``errors.csv``, a row per stepper and throw: ``stepper``, ``toss``, ``position``,
        ``rotation``, ``final_position``, ``final_rotation``; of windows a row for each, and ``from``, ``judged``, ``to``
        behind ``toss``."""
        return table(self._raw.errors_csv(), ("stepper",))

    def to_pandas(self) -> pandas.DataFrame:
        """``errors`` as a frame."""
        import pandas

        return pandas.DataFrame(self.errors)

    def states(self, stepper: str, toss: float) -> dict[str, Column]:
        """What a stepper made of one throw, a value per row of the recording: ``t`` in s since its first row, the state
        as in ``trajectory.csv``, and how far it is from the measured one, ``distance`` in m and ``rotation`` in
        degrees."""
        names, values = self._raw.states(stepper, float(toss))
        return dict(zip(names, values.reshape(-1, len(names)).T))

    def plot(self, kind: str = "toss", toss: float | None = None) -> Figure:
        """A picture: ``toss`` (poses measured and predicted, of the throw of that number or else of a typical one),
        ``errors`` (histograms) or ``error-over-time``."""
        return Figure(self._raw.svg(kind, toss))

    def _repr_svg_(self) -> str:
        return self._raw.svg("toss", None)

    def __getstate__(self) -> dict[str, Any]:
        calls: list[tuple[str, tuple[Any, ...]]] = [(name, ()) for name in ("tosses", "errors_csv")]
        calls += [("states", (stepper, float(toss))) for stepper in self for toss in self.tosses]
        calls += [("svg", (kind, None)) for kind in ("toss", "errors", "error-over-time")]
        return self.__dict__ | {"_raw": keep(self._raw, ("steppers", "refused"), calls)}

    def __repr__(self) -> str:
        return f"<Predictions of {len(self.tosses)} throws by {', '.join(self)}>"


def predict(
    data: Recording,
    scenario: Scenario,
    steppers: Iterable[str] | None = None,
    *,
    start: str = "fit",
    from_time: float = 0.0,
    ground_height: float = 0.0,
    windows: str | float = "whole",
    set: Settings = None,
) -> Predictions:
    """Starts steppers where recorded throws start, follows each to its end, and measures how far it is off.

    The scenario gives the one body that moves, the ground and the settings; its own start and duration do not count.
    By default every family that admits it predicts. A throw starts as measured in its first row with
    ``start="raw"``, and with ``"fit"`` where the flight that fits the rows before the first contact best has the body.
    The first ``from_time`` seconds of every throw are left out; ``ground_height`` in m is that of the ground in the
    coordinates of the recording. The errors are those of the command line, bit for bit.

    With ``windows="flights"`` each contact is predicted by itself: from a flight, with the start that fits its rows,
    through one contact, judged on the rows of the next flight. A number cuts into windows of so many seconds, each from
    a smoothed start, for what slides or rests. ``summary["windows"]`` says how many, how long, what is in none and why.

    Raises ``ScenarioError``, ``Refusal`` where a stepper that is named does not admit the scenario, and
    ``InputError`` for a recording with faults, with line, column and value. Warns of what speaks against scenario and
    recording being of the same throws.
    """
    recorded = _recorded(data, start, from_time, ground_height, windows)
    predictions = Predictions(_stickslip.predict(recorded, scenario, words(steppers), set=set))
    _warn_of(predictions.summary["doubts"])
    return predictions


class Fit(Mapping[str, Mapping[str, Any]]):
    """The parameters that predict recorded throws best: by each key its ``value``, ``interval`` (``None`` for an end
    that is open), ``level`` of the interval, whether it is ``determined``, and the ``reason`` if not."""

    def __init__(self, raw: _stickslip.Fitted) -> None:
        self._raw: _stickslip.Fitted | Kept = raw
        self.result: dict[str, Any] = json.loads(raw.result())
        """What ``fit/result.json`` of the command line holds."""

    def __getitem__(self, parameter: str) -> Mapping[str, Any]:
        found: Mapping[str, Any] = entry(self.result["parameters"], parameter, "parameter")
        return found

    def __iter__(self) -> Iterator[str]:
        return iter(self.result["parameters"])

    def __len__(self) -> int:
        return len(self.result["parameters"])

    @property
    def error(self) -> float:
        """The mean error that was made least: position in % of the size plus rotation in degrees; of a point m."""
        error: float = self.result["error"]
        return error

    @property
    def profiles(self) -> dict[str, Column]:
        """The columns of ``profile.csv``: ``parameter``, ``value``, and the least mean ``error`` at each value."""
        return table(self._raw.profile_csv(), ("parameter",))

    def plot(self) -> Figure:
        """The profiles, with the intervals."""
        return Figure(self._raw.svg())

    def _repr_svg_(self) -> str:
        return self._raw.svg()

    def __getstate__(self) -> dict[str, Any]:
        return self.__dict__ | {"_raw": keep(self._raw, (), [("profile_csv", ()), ("svg", ())])}

    def __repr__(self) -> str:
        found = ", ".join(f"{name}={found['value']:.4g}" for name, found in self.items())
        return f"<Fit of {found}>"


def fit(
    data: Recording,
    scenario: Scenario,
    parameters: Iterable[str] | Mapping[str, Iterable[float] | None],
    stepper: str = "nlp",
    *,
    intervals: bool = True,
    start: str = "fit",
    from_time: float = 0.0,
    ground_height: float = 0.0,
    windows: str | float = "whole",
    seed: int = 1,
    set: Settings = None,
) -> Fit:
    """Searches the parameters of a scenario with which a stepper predicts recorded throws best.

    ``parameters`` are keys, each with the range to search if it is not obvious:
    ``["ground.friction", "stepper.convex.stiffness=1e3..1e5"]``, or
    ``{"ground.friction": None, "stepper.convex.stiffness": (1e3, 1e5)}``. A list of numbers is scaled as a whole;
    ``ground-height`` is that of the ground in the recording. Without ``intervals`` the best values alone are searched,
    which takes a fraction of the time. ``windows="flights"`` fits each contact by itself, where whole throws are chaotic
    (``result["rough"]``); intervals are from how whole throws differ all the same. For ``data`` and the rest see ``predict``. The result is that of the command
    line, bit for bit.

    Raises what ``predict`` does, and ``LearnError`` where the stepper gets through the throws with none of the
    parameters that were tried.
    """
    if isinstance(parameters, Mapping):
        keys = [key if ends is None else key + "=" + _range(key, ends) for key, ends in parameters.items()]
    else:
        keys = words(parameters) or []
    recorded = _recorded(data, start, from_time, ground_height, windows)
    found = Fit(
        _stickslip.fit(recorded, scenario, keys, stepper, intervals=intervals, seed=whole("seed", seed), set=set),
    )
    _warn_of(found.result["doubts"])
    return found


def _range(key: str, ends: Iterable[float]) -> str:
    values = [float(end) for end in ends]
    if len(values) != 2:
        raise InputError(f"the range of `{key}` has {len(values)} ends; give the least and the largest value")
    return f"{values[0]!r}..{values[1]!r}"
