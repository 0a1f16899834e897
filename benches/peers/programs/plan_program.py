"""The program of a plan, all steps of it, written once more in CasADi: a point that is pushed along the ground.

Per step k, in units L (the distance), V = sqrt(g L) and F = m g: the push u, the velocity and the place at its end, the normal
force fn, the gap, the share b of friction, and the slips w+, w-:

    min  sum h u^2 + 1e-7 sum (b^2 + fn^2)            -1 <= b <= 1, fn, gap, w+, w- >= 0
    s.t. (v+ - v - h/m (weight + u F + (mu b, 1) fn F))/V = 0
         (q+ - q - h v+)/L = 0
         gap - (z + h vz+)/L = 0
         vx+/V - w+ + w- = 0
         fn gap <= 1e-8,   w+ (1 + b) <= 1e-8,   w- (1 - b) <= 1e-8

from rest at the origin to rest at x = L.
"""

import casadi as cs
import numpy as np

RELAXATION = 1e-8
SHARING = 1e-7
SIZE = 10
# Those of the crate's plans.
OPTIONS = {
    "print_time": False,
    "ipopt.print_level": 0,
    "ipopt.sb": "yes",
    "ipopt.tol": 1e-8,
    "ipopt.mu_init": 0.1,
    "ipopt.max_iter": 400,
    "ipopt.min_refinement_steps": 0,  # as the crate's own IPOPT has it; a little faster
}


class PlanProgram:
    """Unknowns of a step: (u, vx, vz, x, z, fn, gap, b, w+, w-)."""

    def __init__(self, problem):
        mass, friction, gravity = (problem[key] for key in ("mass", "friction", "gravity"))
        self.steps, self.length = problem["steps"], problem["distance"]
        self.speed, force = np.sqrt(gravity * self.length), mass * gravity
        length, speed, h = self.length, self.speed, problem["duration"] / self.steps
        unknowns = cs.SX.sym("unknowns", SIZE, self.steps)
        vx, vz, x, z = (cs.SX(0) for _ in range(4))
        rows, cost = [], 0
        for k in range(self.steps):
            u, vx_end, vz_end, x_end, z_end, fn, gap, b, plus, minus = cs.vertsplit(unknowns[:, k])
            rows += [
                vx_end - vx - h / mass * (u + friction * fn * b) * force / speed,
                vz_end - vz - h / mass * (fn * force - mass * gravity) / speed,
                x_end - x - h * speed * vx_end / length,
                z_end - z - h * speed * vz_end / length,
                gap - (z * length + h * speed * vz_end) / length,
                vx_end - plus + minus,
                fn * gap,
                plus * (1 + b),
                minus * (1 - b),
            ]
            cost += h * u * u + SHARING * (b * b + fn * fn)
            vx, vz, x, z = vx_end, vz_end, x_end, z_end
        rows += [x, vx, vz]
        program = {"x": cs.vec(unknowns), "f": cost, "g": cs.vertcat(*rows)}
        self.solver = cs.nlpsol("plan", "ipopt", program, OPTIONS)
        push = problem["largest_push"] / force
        self.lbx = np.tile([-push] + [-np.inf] * 4 + [0, 0, -1, 0, 0], self.steps)
        self.ubx = np.tile([push] + [np.inf] * 4 + [np.inf, np.inf, 1, np.inf, np.inf], self.steps)
        goal = [1.0, 0.0, 0.0]
        self.lbg = np.concatenate([np.tile([0.0] * 6 + [-np.inf] * 3, self.steps), goal])
        self.ubg = np.concatenate([np.tile([0.0] * 6 + [RELAXATION] * 3, self.steps), goal])
        share, slip = problem["friction_share"], problem["slip"]
        self.start = np.concatenate(
            [
                [u / force, v / speed, 0, x / length, 0, 1, 0, share, v / speed + slip, slip]
                for u, (x, v) in zip(problem["pushes"], problem["states"], strict=True)
            ]
        )

    def states(self, unknowns):
        """Places and velocities along the ground in SI units, step by step."""
        steps = np.reshape(unknowns, (self.steps, SIZE))
        return steps[:, [3, 1]] * [self.length, self.speed]
