"""By how much a step misses Coulomb's law, from contact points, impulses and velocities alone.

With u the relative velocity at a contact after the step, u~ = u + mu |u_t| n, and w = tr W_ii/3,

    eta = max_i sqrt(w_i) |r_i - P_K(r_i - u~_i/w_i)| / (g dt max_i 1/sqrt(w_i))

P_K the projection on the friction cone. A step obeys the law where eta is 0; at 1 it misses by what gravity does in a
step to the heaviest contact. A contact that is open by a gap when the step begins may close within it, and bodies that
overlap may be parted: u_n between 0 and -gap/dt counts as 0. Overlaps themselves do not: compliant contact is charged for its
forces and velocities alone. That is kinder to it than the residual which `stickslip` prints.
"""

from dataclasses import dataclass

import numpy as np

WORLD = -1


@dataclass(frozen=True)
class Contacts:
    """The contacts of a step, a row for each; SI units, in the axes of the world."""

    # Bodies by their numbers, `WORLD` for the ground and walls.
    first: np.ndarray
    second: np.ndarray
    points: np.ndarray
    # From the second body into the first.
    normals: np.ndarray
    # On the first body, in N s.
    impulses: np.ndarray
    # When the step begins; negative where bodies overlap.
    gaps: np.ndarray

    def __len__(self):
        return len(self.gaps)


@dataclass(frozen=True)
class Motion:
    """A row for each body: where its centre of mass and its axes are when the step begins, how it moves when it ends."""

    centres: np.ndarray
    # Body to world, three by three.
    axes: np.ndarray
    velocities: np.ndarray
    # In the axes of the world.
    spins: np.ndarray


def rotations(quaternions):
    """Body to world, for rows of w, x, y, z."""
    w, x, y, z = np.asarray(quaternions, dtype=float).T
    entries = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ]
    return np.moveaxis(np.array(entries), 2, 0)


def dot(a, b):
    return np.einsum("ij,ij->i", a, b)


def miss(contacts, motion, scene):
    """eta of one step; see above."""
    if not len(contacts):
        return 0.0
    mu, dt = scene.friction, scene.step
    inverse_inertia = np.einsum("bij,bj,bkj->bik", motion.axes, 1 / scene.inertias, motion.axes)
    u, trace = np.zeros_like(contacts.points), np.zeros(len(contacts))
    for bodies, sign in ((contacts.first, 1.0), (contacts.second, -1.0)):
        loose = bodies != WORLD
        body = bodies[loose]
        arms = contacts.points[loose] - motion.centres[body]
        u[loose] += sign * (motion.velocities[body] + np.cross(motion.spins[body], arms))
        inverse = inverse_inertia[body]
        turning = np.trace(inverse, axis1=1, axis2=2) * dot(arms, arms) - np.einsum("ci,cij,cj->c", arms, inverse, arms)
        trace[loose] += 3 / scene.masses[body] + turning
    w, n = trace / 3, contacts.normals
    normal_velocity = dot(n, u)
    slip = np.linalg.norm(u - normal_velocity[:, None] * n, axis=1)
    allowed = -contacts.gaps / dt
    counted = normal_velocity - np.clip(normal_velocity, np.minimum(allowed, 0.0), np.maximum(allowed, 0.0))
    x = contacts.impulses - (u + (counted - normal_velocity + mu * slip)[:, None] * n) / w[:, None]
    along = dot(n, x)
    across = x - along[:, None] * n
    size = np.linalg.norm(across, axis=1)
    # On the edge of the cone, unless the cone or its polar has the point.
    length = (mu * size + along) / (1 + mu**2)
    direction = across / np.where(size > 0.0, size, 1.0)[:, None]
    nearest = length[:, None] * (n + mu * direction)
    nearest = np.where((size <= mu * along)[:, None], x, nearest)
    nearest = np.where((mu * size + along <= 0.0)[:, None], 0.0, nearest)
    worst = (np.sqrt(w) * np.linalg.norm(contacts.impulses - nearest, axis=1)).max()
    return float(worst / (scene.gravity * dt * (1 / np.sqrt(w)).max()))
