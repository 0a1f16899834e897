"""Which contact models agree on a point that is pushed, slides and stops?

Run it as it is, or paste its cells (`# %%`) into a notebook.
"""

# %%
from pathlib import Path

import numpy as np

import stickslip

SCENARIO = Path(__file__).parents[2] / "examples" / "scenarios" / "slide.toml"
comparison = stickslip.compare(SCENARIO, ["nlp", "lcp", "convex", "hybrid", "exact"])

# %% Where each of them ends, and how far it is from the exact motion at worst.
exact = comparison["exact"]
for name, trajectory in comparison.items():
    error = np.abs(trajectory["x"] - exact["x"]).max()
    print(f"{name:8} ends at {trajectory['x'][-1]:.6f} m, at most {1e3 * error:.3f} mm off")

# %% A notebook shows the picture.
figure = comparison["nlp"].plot()
