"""How far does a point slide, by friction and by model? A sweep, and its table."""

# %%
import csv
import tempfile
from pathlib import Path

import stickslip

SCENARIO = Path(__file__).parents[2] / "examples" / "scenarios" / "slide.toml"
folder = Path(tempfile.mkdtemp())
(folder / "sweep.toml").write_text(
    f'scenario = "{SCENARIO}"\n'
    'steppers = ["lcp", "convex"]\n'
    'metrics = ["final_x", "max_error_x"]\n'
    "[grid]\n"
    '"ground.friction" = { min = 0.05, max = 0.4, count = 8 }\n'
)
results, manifest = stickslip.sweep(folder / "sweep.toml", output=folder)
print(f"{manifest['done']} of {manifest['runs']} runs are in {results / 'table.csv'}")

# %%
with open(results / "table.csv", newline="") as file:
    for row in csv.DictReader(file):
        print(f"{row['stepper']:8} mu = {float(row['ground.friction']):.2f}  x = {float(row['final_x']):.4f} m")
