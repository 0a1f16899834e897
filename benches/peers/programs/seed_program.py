"""The nonlinear program of the blog post on friction, as published, in CasADi."""

import casadi as cs
import numpy as np

TOLERANCE = 1e-4
VARIABLES = 9
OPTIONS = {
    "print_time": False,
    "ipopt.print_level": 0,
    "ipopt.sb": "yes",
    "ipopt.tol": TOLERANCE,
    "ipopt.max_iter": 2000,
    "ipopt.min_refinement_steps": 0,  # as the crate's own IPOPT has it; a little faster
}


def smooth_sqrt(y):
    return cs.sqrt(y + TOLERANCE * TOLERANCE) - TOLERANCE


class SeedProgram:
    """Unknowns (x+, z+, vx+, vz+, Fx, Fz, s1, s2, lambda); parameters are the old state."""

    def __init__(self, mass, friction, gravity, dt):
        unknowns = cs.SX.sym("unknowns", VARIABLES)
        old = cs.SX.sym("old", 4)
        x, z, vx, vz, fx, fz, s1, s2, lam = cs.vertsplit(unknowns)
        magnitude = smooth_sqrt(fx * fx)
        cone = friction * fz - magnitude
        constraints = cs.vertcat(
            old[0] + dt * vx - x,
            old[1] + dt * vz - z,
            old[2] + dt * fx / mass - vx,
            old[3] + dt * (fz / mass - gravity) - vz,
            old[2] + lam * fx / (magnitude + TOLERANCE),
            cone,
            s1 - fz * z,
            s2 - lam * cone,
        )
        program = {"x": unknowns, "p": old, "f": s1**2 + s2**2, "g": constraints}
        self.solver = cs.nlpsol("seed", "ipopt", program, OPTIONS)
        free = -1e10
        self.lbx = np.array([free, 0, free, free, free, 0, 0, 0, 0])
        self.ubx = np.full(VARIABLES, 1e10)
        self.lbg = np.zeros(8)
        self.ubg = np.array([0.0] * 5 + [1e10] * 3)

    def parameters_and_start(self, state):
        """The old state, and the published start: the old state, all else zero."""
        return state, np.concatenate([state, np.zeros(VARIABLES - 4)])

    def state_after(self, _, unknowns):
        return unknowns[:4]
