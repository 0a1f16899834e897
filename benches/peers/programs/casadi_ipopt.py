"""CasADi with the IPOPT of its wheel: the blog post's program, the well-posed one, and all steps of a plan as one.

A sample is one call of the solver through CasADi's buffers, where no Python object is made: the
least that a user of CasADi can pay. Parameters and starts are computed outside of the clock.
"""

import casadi as cs
import numpy as np

from plan_program import PlanProgram
from relaxed_program import LARGE_CHANGE, RelaxedProgram
from seed_program import SeedProgram
from serve import Samples, reply, serve

# Positions in CasADi's list of arguments and results of a solver.
X0, P, LBX, UBX, LBG, UBG, LAM_X0, LAM_G0 = range(8)
X, F, G, LAM_X, LAM_G, LAM_P = range(6)
# The buffer works on the second memory of a solver; the first is that of ordinary calls.
MEMORY = 1


class Buffered:
    """A solver of CasADi whose arguments and results live in fixed arrays."""

    def __init__(self, program, solver):
        self.solver = solver
        self.buffer, self.call = solver.buffer()
        self.arguments = [np.zeros(solver.nnz_in(i)) for i in range(solver.n_in())]
        self.results = [np.zeros(solver.nnz_out(i)) for i in range(solver.n_out())]
        for place, bounds in ((LBX, program.lbx), (UBX, program.ubx), (LBG, program.lbg), (UBG, program.ubg)):
            self.arguments[place][:] = bounds
        for i, array in enumerate(self.arguments):
            self.buffer.set_arg(i, memoryview(array))
        for i, array in enumerate(self.results):
            self.buffer.set_res(i, memoryview(array))

    def solve(self, samples, parameters, start):
        """Solves from `start`, samples the time, and gives the iterations."""
        self.arguments[P][:] = parameters
        self.arguments[X0][:] = start
        samples.take(1, self.call)
        return self.iterations()

    def solve_by_iterations(self, samples, start):
        """Solves from `start`, samples the time of an iteration, and gives their number."""
        self.arguments[X0][:] = start
        samples.take(self.iterations, self.call)
        return self.iterations()

    def iterations(self):
        stats = self.solver.stats(MEMORY)
        if not stats["success"]:
            raise RuntimeError(f"a program was not solved: {stats['return_status']}")
        return stats["iter_count"]


def scene(problem):
    return [problem[key] for key in ("mass", "friction", "gravity", "dt")]


def initial_state(problem):
    return np.array(problem["position"] + problem["velocity"])


def seed(problem):
    program = SeedProgram(*scene(problem))
    solver = Buffered(program, program.solver)
    state, states, samples, iterations = initial_state(problem), [], Samples(), 0
    for _ in range(problem["steps"]):
        iterations += solver.solve(samples, *program.parameters_and_start(state))
        state = program.state_after(state, solver.results[X]).copy()
        states.append(state.tolist())
    return reply(samples, states=states, iterations=iterations)


def relaxed_cold(problem):
    return relaxed(problem, is_warm=False)


def relaxed_warm(problem):
    return relaxed(problem, is_warm=True)


def relaxed(problem, is_warm):
    program = RelaxedProgram(*scene(problem))
    cold, warm = Buffered(program, program.solver), Buffered(program, program.warm_solver)
    last, last_ratio = None, 0.0
    state, states, samples, iterations = initial_state(problem), [], Samples(), 0
    for _ in range(problem["steps"]):
        parameters, start = program.parameters_and_start(state)
        ratio = parameters[3]
        is_near = last is not None and 1 / LARGE_CHANGE <= ratio / last_ratio <= LARGE_CHANGE
        solver = warm if is_warm and is_near else cold
        if solver is warm:
            start = last[X]
            warm.arguments[LAM_X0][:] = last[LAM_X]
            warm.arguments[LAM_G0][:] = last[LAM_G]
        iterations += solver.solve(samples, parameters, start)
        last, last_ratio = solver.results, ratio
        state = program.state_after(state, last[X])
        states.append(state.tolist())
    return reply(samples, states=states, iterations=iterations)


def plan(problem):
    program, samples = PlanProgram(problem), Samples()
    solver = Buffered(program, program.solver)
    iterations = solver.solve_by_iterations(samples, program.start)
    states = program.states(solver.results[X]).tolist()
    return reply(samples, states=states, iterations=iterations)


if __name__ == "__main__":
    rows = {
        ("seed-contact", "casadi"): seed,
        ("relaxed", "casadi-cold"): relaxed_cold,
        ("relaxed", "casadi-warm"): relaxed_warm,
    } | {(f"plan-{steps}", "casadi"): plan for steps in (50, 100, 200, 400)}
    serve({"casadi": cs.__version__}, rows)
