"""What the Python package costs: import, calls, single steps, threads, size. Prints a line per figure.

    target/python-environment/bin/python benches/python.py

Takes the least of many repetitions where a cost is asked for, since what else the machine does only adds.
"""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

import stickslip

SLIDE = (Path(__file__).parents[1] / "examples" / "scenarios" / "slide.toml").read_text()


def least(work: Callable[[], object], repetitions: int) -> float:
    times = []
    for _ in range(repetitions):
        started = time.perf_counter()
        work()
        times.append(time.perf_counter() - started)
    return min(times)


def import_beyond_numpy() -> float:
    """Seconds that `import stickslip` takes in a process that has NumPy."""
    code = (
        "import time, csv, json, dataclasses, importlib, numpy, numpy.typing\n"
        "started = time.perf_counter()\nimport stickslip\nprint(time.perf_counter() - started)"
    )
    return min(float(subprocess.check_output([sys.executable, "-c", code])) for _ in range(15))


def call_beyond_run(stepper: str) -> tuple[float, float]:
    """Seconds of a call of one step, and of one of 1200 steps beyond those in the stepper."""
    one = least(lambda: stickslip.simulate(SLIDE, stepper, set={"duration": 1e-3}), 300)

    def whole() -> float:
        started = time.perf_counter()
        run = stickslip.simulate(SLIDE, stepper)
        elapsed = time.perf_counter() - started
        return elapsed - run.summary["wall_seconds"]

    return one, min(whole() for _ in range(30))


def step(stepper: str) -> tuple[float, float]:
    """Seconds of a single step from Python, and of a step inside a run."""
    one = stickslip.Stepper(SLIDE, stepper)
    state = one.initial_state()
    count = 2000

    def steps() -> None:
        nonlocal state
        for _ in range(count):
            state, _ = one.step(state)

    def fresh() -> None:
        nonlocal state
        one.reset()
        state = one.initial_state()
        steps()

    outside = least(fresh, 20) / count
    inside = min(stickslip.simulate(SLIDE, stepper).summary["wall_seconds"] for _ in range(20)) / 1200
    return outside, inside


def threads(stepper: str) -> float:
    """How many times as fast two threads are through two long runs as one thread."""

    def run() -> None:
        stickslip.simulate(SLIDE, stepper, set={"duration": 60.0})

    def by(count: int) -> float:
        workers = [threading.Thread(target=lambda: [run() for _ in range(2 // count)]) for _ in range(count)]
        started = time.perf_counter()
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
        return time.perf_counter() - started

    return float(np.median([by(1) / by(2) for _ in range(5)]))


def main() -> None:
    library = next(Path(stickslip.__file__).parent.glob("_stickslip*.so"))
    print(f"library: {library.stat().st_size / 1e6:.1f} MB")
    print(f"import beyond numpy: {1e3 * import_beyond_numpy():.1f} ms")
    for stepper in ("hybrid", "lcp", "nlp"):
        one, beyond = call_beyond_run(stepper)
        outside, inside = step(stepper)
        print(
            f"{stepper}: call of one step {1e6 * one:.0f} us, of 1200 steps {1e6 * beyond:.0f} us beyond the steps; "
            f"a step {1e6 * outside:.2f} us from Python, {1e6 * inside:.2f} us inside a run"
        )
    for stepper in ("lcp", "nlp"):
        print(f"{stepper}: two threads {threads(stepper):.2f} times as fast as one")


if __name__ == "__main__":
    main()
