"""A whole run from start to finish by a Python script: `casadi_run.py seed|relaxed PROBLEM.json OUT.csv`.

Written as such scripts are: imports, the program, a loop over the steps with CasADi's ordinary call,
a table at the end. A step that is not solved is taken as the solver left it, as in the blog post.
"""

import json
import sys

import numpy as np

from relaxed_program import RelaxedProgram
from seed_program import SeedProgram


def main(formulation, problem_file, out_file):
    with open(problem_file) as file:
        problem = json.load(file)
    make = {"seed": SeedProgram, "relaxed": RelaxedProgram}[formulation]
    program = make(*(problem[key] for key in ("mass", "friction", "gravity", "dt")))
    states = np.zeros((problem["steps"] + 1, 4))
    states[0] = problem["position"] + problem["velocity"]
    for k, state in enumerate(states[:-1]):
        parameters, start = program.parameters_and_start(state)
        solution = program.solver(
            x0=start, p=parameters, lbx=program.lbx, ubx=program.ubx, lbg=program.lbg, ubg=program.ubg
        )
        states[k + 1] = program.state_after(state, np.array(solution["x"]).ravel())
    times = problem["dt"] * np.arange(len(states))
    np.savetxt(out_file, np.column_stack([times, states]), delimiter=",", header="t,x,z,vx,vz", comments="")


if __name__ == "__main__":
    main(*sys.argv[1:])
