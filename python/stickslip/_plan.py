"""Plans: pushes and starts that bring bodies to a goal, through contact."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any, Union

from . import _stickslip
from ._kept import Kept, keep
from ._run import Settings
from ._trajectory import Column, Figure, from_json, table

PlanFile = Union[str, "os.PathLike[str]", Mapping[str, Any]]
"""The path of a plan file, the text of one, or a mapping of the same keys."""


class Plan:
    """What a search for a plan found.

    ``scenario`` is the text of a scenario that plays the plan by itself, ``None`` where no plan was found; then
    ``summary["nearest_miss"]`` says how far the nearest end is from the goal.
    """

    def __init__(self, raw: _stickslip.Planned) -> None:
        self._raw: _stickslip.Planned | Kept = raw
        self.summary: dict[str, Any] = from_json(raw.summary())
        """What ``plan/summary.json`` of the command line holds of the plan: ``cost``, ``duration``, ``verdict``, ``kkt``,
        ``complementarity``, ``miss``, ``replay``, ``starts`` and others."""
        self.scenario: str | None = raw.scenario()
        tables = raw.tables()
        self._tables = tables if tables is not None else ["", "", ""]

    @property
    def found(self) -> bool:
        """Whether there is a plan."""
        return self.scenario is not None

    @property
    def proved(self) -> bool:
        """Whether ``lcp`` and ``nlp`` at the plan's own step follow it to 1e-5 m, to the goal."""
        return self._raw.proved

    @property
    def cost(self) -> float:
        """The cost in the unit ``summary["cost_unit"]``; nan where there is no plan."""
        return float(self.summary.get("cost", "nan"))

    @property
    def states(self) -> dict[str, Column]:
        """The columns of ``plan.csv``, a row per step and the end: states, pushes, and the gap, the forces and the mode of
        every contact; empty where there is no plan."""
        return self._table(0)

    @property
    def pushes(self) -> dict[str, Column]:
        """The columns of ``pushes.csv``: forces in N and torques in N m, each held ``from`` a time ``to`` another in s."""
        return self._table(1)

    @property
    def replays(self) -> dict[str, Column]:
        """The columns of ``replay.csv``: what contact models make of the plan, and how far they are from it in m."""
        return self._table(2)

    @property
    def starts(self) -> dict[str, Column]:
        """The columns of ``starts.csv``: how each start of the search ended."""
        return _columns(self._raw.attempts()[0])

    @property
    def refinements(self) -> dict[str, Column]:
        """The columns of ``refine.csv``: what halving the steps made of the plan."""
        return _columns(self._raw.attempts()[1])

    def plot(self, kind: str = "path") -> Figure:
        """A picture: the ``path`` as contact models play it, the ``pushes``, the contact ``modes``, or the costs that
        ``starts`` led to."""
        return Figure(self._raw.svg(kind))

    def _table(self, place: int) -> dict[str, Column]:
        text = self._tables[place]
        return _columns(text) if text else {}

    def __getstate__(self) -> dict[str, Any]:
        calls: list[tuple[str, tuple[Any, ...]]] = [("attempts", ())]
        if self.found:
            calls += [("svg", (kind,)) for kind in ("path", "pushes", "modes", "starts")]
        return self.__dict__ | {"_raw": keep(self._raw, ("proved",), calls)}

    def __repr__(self) -> str:
        if not self.found:
            return f"<Plan {self.summary['plan']!r}: none found>"
        return f"<Plan {self.summary['plan']!r}: cost {self.cost:.4g} {self.summary['cost_unit']}>"


def plan(task: PlanFile, *, set: Settings = None) -> Plan:
    """Searches pushes and starts that bring bodies to the goal of a plan file, and plays what it finds.

    ``task`` has the keys of a plan file: a ``scenario`` (a path, or its tables beside the others), ``steps``,
    ``duration`` in s, ``cost``, ``control``, ``goal`` and others. The search is that of the command line, number by number;
    Ctrl-C ends it.

    Raises ``ScenarioError`` for a plan or scenario with faults. Where no start leads to a plan, ``found`` is false.
    """
    return Plan(_stickslip.plan(task, set=set))


def _columns(text: str) -> dict[str, Column]:
    names = text.split("\n", 1)[0].split(",")
    words = {"stepper", "impacts", "reason", "kind", "status", "plan", "rolled_out"}
    return table(text, tuple(name for name in names if name in words or name.endswith(".mode")))
