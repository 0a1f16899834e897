"""Lemke's method of QuantEcon.py, which numba compiles: called from Python, and called from a loop
that is compiled too, with all memory laid out before."""

import numba
import numpy as np
import quantecon
from quantecon.optimize import lcp_lemke
from quantecon.optimize.lcp_lemke import PivOptions

from serve import Samples, reply, serve

SWEEPS = {"from-python": 5, "compiled-loop": 50}


@numba.njit
def sweep(m, problems, options, cover, tableau, basis, solutions):
    """Solves every problem; gives the number of failures."""
    failures = 0
    for i in range(problems.shape[0]):
        result = lcp_lemke(m, problems[i], cover, 10**6, options, tableau, basis, solutions[i])
        failures += not result.success
    return failures


def sweep_from_python(m, problems, options, cover, tableau, basis, solutions):
    """The same as `sweep`, not compiled itself."""
    failures = 0
    for q, z in zip(problems, solutions):
        failures += not lcp_lemke(m, q, cover, 10**6, options, tableau, basis, z).success
    return failures


def measure(problem, row, sweeper):
    m, problems = np.array(problem["m"]), np.array(problem["q"])
    n = len(m)
    tableau, basis, solutions = np.empty((n, 2 * n + 2)), np.empty(n, dtype=np.int_), np.zeros_like(problems)
    arguments = PivOptions(), np.ones(n), tableau, basis, solutions
    samples = Samples()
    for _ in range(SWEEPS[row]):
        failures = samples.take(len(problems), sweeper, m, problems, *arguments)
        if failures:
            raise RuntimeError(f"{failures} problems were not solved")
    return reply(samples, z=solutions.tolist())


if __name__ == "__main__":
    rows = {
        ("lcp", "quantecon-compiled-loop"): lambda problem: measure(problem, "compiled-loop", sweep),
        ("lcp", "quantecon-from-python"): lambda problem: measure(problem, "from-python", sweep_from_python),
    }
    serve({"quantecon": quantecon.__version__, "numba": numba.__version__}, rows)
