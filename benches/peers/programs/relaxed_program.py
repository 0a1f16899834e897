"""The well-posed program of this crate (`nlp:relaxed`), written once more in CasADi.

Unknowns (vx, vz, b, pz, s1, s2, lambda), velocities in units of V = g dt and the impulse in units of
m P, P = max(V, predicted impulse/m), r = P/V:

    min  s1 + s2                                 pz, s1, s2, lambda >= 0
    s.t. vx - vfx - r mu pz b = 0
         vz - vfz - r pz = 0
         vx + lambda b = 0
         gap + vz >= 0
         1 - ssqrt(b^2) >= 0
         s1 - pz (gap + vz) >= 0
         s2 - lambda (1 - ssqrt(b^2)) >= 0
"""

import casadi as cs
import numpy as np

TOLERANCE = 1e-8
EPSILON = 1e-6
SIZE = 7
OPTIONS = {
    "print_time": False,
    "ipopt.print_level": 0,
    "ipopt.sb": "yes",
    "ipopt.tol": TOLERANCE,
    "ipopt.min_refinement_steps": 0,  # as the crate's own IPOPT has it; a little faster
}
# The options with which the crate's own IPOPT starts from the solution of the step before.
WARM = {
    "ipopt.warm_start_init_point": "yes",
    "ipopt.mu_init": 1e-8,
    "ipopt.warm_start_bound_push": 1e-8,
    "ipopt.warm_start_bound_frac": 1e-8,
    "ipopt.warm_start_slack_bound_push": 1e-8,
    "ipopt.warm_start_slack_bound_frac": 1e-8,
    "ipopt.warm_start_mult_bound_push": 1e-8,
}
# Programs whose ratios r differ by more than this are not near enough for a warm start.
LARGE_CHANGE = 4.0


class RelaxedProgram:
    """Parameters are (vfx, vfz, gap, r)."""

    def __init__(self, mass, friction, gravity, dt):
        self.unit, self.dt = gravity * dt, dt
        y = cs.SX.sym("y", SIZE)
        p = cs.SX.sym("p", 4)
        vx, vz, b, pz, s1, s2, lam = cs.vertsplit(y)
        vfx, vfz, gap, r = cs.vertsplit(p)
        reserve = 1 - (cs.sqrt(b * b + EPSILON * EPSILON) - EPSILON)
        constraints = cs.vertcat(
            vx - vfx - r * friction * pz * b,
            vz - vfz - r * pz,
            vx + lam * b,
            gap + vz,
            reserve,
            s1 - pz * (gap + vz),
            s2 - lam * reserve,
        )
        program = {"x": y, "p": p, "f": s1 + s2, "g": constraints}
        self.solver = cs.nlpsol("relaxed", "ipopt", program, OPTIONS)
        self.warm_solver = cs.nlpsol("relaxed_warm", "ipopt", program, OPTIONS | WARM)
        self.lbx = np.array([-np.inf] * 3 + [0.0] * 4)
        self.ubx = np.full(SIZE, np.inf)
        self.lbg = np.zeros(SIZE)
        self.ubg = np.array([0.0] * 3 + [np.inf] * 4)

    def parameters_and_start(self, state):
        """The data of the step from `state`, and the start of a point that keeps sliding."""
        _, z, vx, vz = state
        vfx, vfz = vx / self.unit, vz / self.unit - 1.0
        gap = min(z / self.dt / self.unit, 2.0 * abs(vfz) + 1.0)
        predicted = max(0.0, -(gap + vfz))
        r = max(1.0, predicted)
        start = [vfx, vfz + predicted, -0.5 * np.sign(vfx), max(0.1, predicted / r), 0.1, 0.1, abs(vfx)]
        return [vfx, vfz, gap, r], start

    def state_after(self, state, y):
        vx, vz = y[0] * self.unit, y[1] * self.unit
        return np.array([state[0] + self.dt * vx, state[1] + self.dt * vz, vx, vz])
