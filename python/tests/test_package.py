"""The package as a guest in a process."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import numpy as np
import pytest

import stickslip

SLIDE = Path(__file__).parents[2] / "examples" / "scenarios" / "slide.toml"


def test_a_complementarity_problem_is_solved() -> None:
    solution = stickslip.lcp.solve([[2.0, 1.0], [1.0, 2.0]], [-5.0, -6.0])
    assert solution.status == "solved"
    assert np.allclose(solution.z, [4 / 3, 7 / 3])
    assert solution.residual is not None and solution.residual < 1e-12


@pytest.mark.parametrize("solver", ["nlp", "lcp", "cone"])
def test_a_contact_problem_is_solved(solver: str) -> None:
    # One contact, pressed with 1 and dragged with 2: it slides, and friction is mu = 0.5 times the pressure.
    answer = stickslip.contact.solve(np.eye(2), [-1.0, 2.0], [0.5], dimension=2, solver=solver)
    assert answer.status == "solved"
    assert np.allclose(answer.r, [1.0, -0.5], atol=1e-7)
    assert answer.residual is not None and answer.residual < 1e-8


def test_every_stepper_is_listed() -> None:
    assert {"nlp", "lcp", "convex", "hybrid", "smooth", "exact"} <= set(stickslip.steppers())


def test_resolve_gives_the_defaults() -> None:
    text = stickslip.resolve(SLIDE, set={"ground.friction": 0.25})
    assert "friction = 0.25" in text
    assert "gravity" in text


@pytest.mark.skipif(os.name != "posix", reason="signals")
def test_ctrl_c_ends_a_run() -> None:
    code = textwrap.dedent(
        f"""
        import signal, stickslip
        # A shell starts its background jobs deaf to Ctrl-C, and what these start in turn.
        signal.signal(signal.SIGINT, signal.default_int_handler)
        print("start", flush=True)
        try:
            stickslip.simulate({str(SLIDE)!r}, "nlp", set={{"duration": 5000}})
        except KeyboardInterrupt:
            print("interrupted", flush=True)
        """
    )
    child = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    assert child.stdout is not None
    assert child.stdout.readline() == "start\n"
    time.sleep(0.5)
    child.send_signal(signal.SIGINT)
    # A run that the signal does not reach prints nothing.
    assert child.communicate(timeout=300)[0] == "interrupted\n"


@pytest.mark.skipif(os.name != "posix", reason="signals")
def test_signals_are_heard_between_slow_steps() -> None:
    # Some milliseconds a step, for most of a second.
    discs = [
        {"shape": "disc", "size": 0.05, "mass": 1.0, "position": [0.1 * (place % 20), 0.05 + 0.1 * (place // 20)]}
        for place in range(400)
    ]
    scenario = {"name": "slow", "duration": 0.2, "step": 1e-3, "body": discs, "ground": {"friction": 0.3}}
    heard: list[int] = []
    handler = signal.signal(signal.SIGALRM, lambda number, frame: heard.append(number))
    signal.setitimer(signal.ITIMER_REAL, 0.01, 0.01)
    try:
        stickslip.simulate(scenario, "lcp")
        count = len(heard)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0.0)
        signal.signal(signal.SIGALRM, handler)
    assert count >= 5, count


def test_many_calls_leave_nothing_behind() -> None:
    resource = pytest.importorskip("resource")
    scenario = SLIDE.read_text()

    def peak() -> int:
        return int(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)

    def calls(count: int) -> None:
        for _ in range(count):
            stickslip.simulate(scenario, "lcp", set={"duration": 0.002})["x"]

    calls(500)
    before = peak()
    calls(5000)
    assert peak() - before < 4000, "kilobytes"


def test_a_hundred_thousand_calls_leave_nothing_behind() -> None:
    resource = pytest.importorskip("resource")
    scenario = SLIDE.read_text()
    rows = np.zeros((2, 2))

    def peak() -> int:
        return int(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)

    def calls(count: int) -> None:
        for k in range(count):
            push = [None, rows, lambda t, state: [0.0, 0.0]][k % 3]
            run = stickslip.simulate(scenario, ["lcp", "hybrid"][k % 2], set={"duration": 0.002}, push=push)
            run["x"], run.metrics
            with pytest.raises(stickslip.ScenarioError):
                stickslip.simulate(scenario, set={"duration": -1.0})

    calls(3000)
    before = peak()
    calls(100_000)
    assert peak() - before < 4000, "kilobytes"


def test_importing_loads_nothing_beyond_numpy() -> None:
    code = textwrap.dedent(
        """
        import sys, numpy
        before = set(sys.modules)
        import stickslip
        print(*sorted(set(sys.modules) - before))
        stickslip.fit, stickslip.gradient, stickslip.lcp.solve, stickslip.sweep
        """
    )
    loaded = set(subprocess.check_output([sys.executable, "-c", code], text=True).split())
    # The standard library too is imported where it is needed.
    assert {name for name in loaded if name.partition(".")[0] != "stickslip"} <= {"__future__"}, loaded


def test_what_is_imported_later_is_there() -> None:
    for name in stickslip.__all__:
        assert getattr(stickslip, name) is not None
        assert name in dir(stickslip)
    with pytest.raises(AttributeError, match="has no attribute 'simulat'"):
        _ = stickslip.simulat  # type: ignore[attr-defined]

