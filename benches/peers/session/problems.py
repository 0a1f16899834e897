"""The work itself, handed to every program as the same numbers (SI units)."""

MASS, FRICTION, GRAVITY, DT = 10.0, 0.1, 9.81, 1e-3
POINT = {"mass": MASS, "friction": FRICTION, "gravity": GRAVITY, "dt": DT}


def seed_contact():
    """The contact phase of the blog post's case: on the ground from the start, sliding."""
    start = {"position": [0.0, 0.0], "velocity": [1.0, 0.0]}
    return {"kind": "nlp", "formulation": "seed", "steps": 300, **start, **POINT}


def nominal():
    """The blog post's case: thrown from 1 m, lands, slides, stops."""
    start = {"position": [0.0, 1.0], "velocity": [1.0, 0.0]}
    return {"kind": "nlp", "formulation": "relaxed", "steps": 1200, **start, **POINT}


def contact_problems():
    """Stewart and Trinkle's problem of the point for 1,200 steps on the ground, from 1 m/s to rest."""
    a, fall = 1 / MASS, GRAVITY * DT
    matrix = [[a, 0.0, 0.0, 0.0], [0.0, a, -a, 1.0], [0.0, -a, a, 1.0], [FRICTION, -1.0, -1.0, 0.0]]
    speeds = (max(0.0, 1.0 - FRICTION * fall * k) for k in range(1200))
    return {"kind": "lcp", "m": matrix, "q": [[-fall, speed, -speed, 0.0] for speed in speeds]}


def sticking_contact():
    """A point on compliant ground, pushed with half of what it takes to move it: a contact in every
    step but the first, which begins a nanometre above the ground so that all programs agree on that."""
    start = {"position": [0.0, 1e-9], "velocity": [0.0, 0.0], "push": [0.5 * FRICTION * MASS * GRAVITY, 0.0]}
    ground = {"stiffness": 1e7, "dissipation_time": 0.02}
    return {"kind": "convex", "steps": 1200, **start, **ground, **POINT}


def plan(steps):
    """A point pushed 1 m along the ground in 1 s at the least effort, from rest to rest, as one program of all steps. It
    starts near the motion that is optimal in continuous time, so that all numbers of steps end at one plan."""
    point = {"mass": 1.0, "friction": 0.3, "gravity": GRAVITY}
    states, pushes = [], []
    for k in range(1, steps + 1):
        s = k / steps
        states.append([3 * s**2 - 2 * s**3, 6 * s * (1 - s)])
        pushes.append((6 - 12 * s) * point["mass"] + point["friction"] * point["mass"] * GRAVITY)
    task = {"steps": steps, "duration": 1.0, "distance": 1.0, "largest_push": 20.0}
    return {"kind": "plan", "pushes": pushes, "states": states, "friction_share": -0.9, "slip": 0.01, **task, **point}


def sliding_cube():
    """A cube of 10 cm, flat on the ground: it slides from 1 m/s for half of the run, then rests."""
    cube = {"half_width": 0.0524, "mass": 0.37, "inertia": 8.1e-4}
    return {"kind": "cube", "steps": 1200, "speed": 1.0, "friction": 0.18, "gravity": GRAVITY, "dt": DT, **cube}
