"""Which friction and restitution explain three recorded throws of a point, and how sure is that?

The recording has velocities with noise of 2 cm/s and heights with noise of 1 mm, and does not say when the point
touched the ground. It was generated with a friction of 0.3 and a restitution of 0.6.
"""

# %%
from pathlib import Path

import stickslip

DATA = Path(__file__).parents[2] / "examples" / "data" / "thrown-point.csv"
found = stickslip.learn("particle", data=DATA, set={"contacts": "height"})

# %% Every parameter with its interval, or why the data do not determine it.
for name, parameter in found["parameters"].items():
    low, high = parameter["interval"]
    verdict = "determined" if parameter["identifiable"] else parameter["reason"]
    print(f"{name:12} {parameter['learned']:.4f}  between {low:.4f} and {high:.4f}: {verdict}")

# %% The fitted point thrown again, a millisecond at a time, by a model that a robot could plan with.
friction, restitution = (found["parameters"][name]["learned"] for name in ("friction", "restitution"))
throw = {
    "name": "thrown-again",
    "duration": 1.0,
    "step": 1e-3,
    "particle": {"mass": 1.0, "position": [0.0, 0.5], "velocity": [2.0, 0.0]},
    "ground": {"friction": friction, "restitution": restitution},
}
again = stickslip.simulate(throw, "lcp")
print(f"thrown from 0.5 m at 2 m/s it is at x = {again['x'][-1]:.3f} m after 1 s")

# %% How much of that hangs on each of them: the derivative of the motion, across its impacts.
run = stickslip.Differentiable(
    throw, "lcp", of=["final_x"], wrt=["ground.friction", "ground.restitution"], method="corrected"
)
_, vjp = run.value_and_vjp(run.start)
by_friction, by_restitution = vjp([1.0])
print(f"d x / d friction = {by_friction:.3f} m, d x / d restitution = {by_restitution:.3f} m")
