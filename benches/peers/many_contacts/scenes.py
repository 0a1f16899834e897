"""The scenes, as scenarios that all programs start from."""

import hashlib
import subprocess
import tempfile
import tomllib
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from .trajectory import read_states

# What a kind of `examples/large_scene` is called.
TITLES = {
    "tower": "tower",
    "gable": "wall",
    "cubes": "heap",
    "chain": "chain",
    "table": "plate on cubes",
}
# When every layer of a heap has landed and all of it still moves, in s.
LANDED = 0.4


def title(kind, count):
    return f"plate on {count - 1} cubes" if kind == "table" else f"{TITLES[kind]} of {count:,}"


@dataclass(frozen=True)
class Scene:
    """A scenario of boxes in space, with the numbers that measures need; SI units."""

    kind: str
    count: int
    # How many times as heavy as the others the last body is.
    ratio: float
    path: Path

    def __post_init__(self):
        data = tomllib.loads(self.path.read_text())
        slope = np.radians(data["ground"].get("slope", 0.0))
        values = {
            "step": data["step"],
            "friction": data["ground"]["friction"],
            "gravity": data.get("gravity", 9.81),
            "bodies": data["body"],
            "walls": data.get("wall", []),
            "down": np.array([np.sin(slope), 0.0, -np.cos(slope)]),
            "masses": np.array([body["mass"] for body in data["body"]]),
            "sizes": np.array([body["size"] for body in data["body"]]),
        }
        squares = values["sizes"] ** 2
        values["inertias"] = values["masses"][:, None] * (squares.sum(axis=1)[:, None] - squares) / 12
        for name, value in values.items():
            object.__setattr__(self, name, value)

    @property
    def title(self):
        return title(self.kind, self.count)

    @property
    def names(self):
        return [body.get("name", f"body-{index}") for index, body in enumerate(self.bodies)]


def scene(kind, count, ratio, generator, program, folder):
    """Writes the scenario into `folder`; heaps are let fall first, by `nlp`, which is kept for the next time."""
    text = subprocess.run([generator, kind, str(count)], capture_output=True, text=True, check=True).stdout
    if ratio != 1.0:
        # The last body is the last table of the file.
        before, _, after = text.rpartition("mass = 1.0")
        text = f"{before}mass = {ratio!r}{after}"
    path = folder / (f"{kind}-{count}.toml" if ratio == 1.0 else f"{kind}-{count}-{ratio:g}.toml")
    if kind == "cubes" and count > 1:
        source = hashlib.sha256(text.encode()).hexdigest()[:12]
        path = folder / f"{kind}-{count}-landed-{source}.toml"
        if not path.exists():
            path.write_text(landed(text, program))
    else:
        path.write_text(text)
    return Scene(kind, count, ratio, path)


def landed(text, program):
    """The scenario with bodies where they are, and as fast, after the time `LANDED`."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "falling.toml"
        path.write_text(text)
        command = [program, "run", path, "--no-plots", "--quiet", "--every", "1000000", "--output", folder]
        # A step of it that is not certified moves bodies all the same.
        subprocess.run([*command, "--set", f"duration={LANDED}"], capture_output=True)
        (place,) = Path(folder).glob("*/*/trajectory.csv")
        states = read_states(place)
    last = states[max(states)]
    tables = text.split("\n[[body]]\n")
    lines = [tables[0]]
    for table, state in zip(tables[1:], last.values(), strict=True):
        kept = [line for line in table.splitlines() if not line.startswith(("position", "orientation", "velocity"))]
        for key, columns in KEYS.items():
            kept.append(f"{key} = [{', '.join(repr(float(state[column])) for column in columns)}]")
        lines.append("\n".join(kept) + "\n")
    return "\n[[body]]\n".join(lines)


KEYS = {
    "position": ("x", "y", "z"),
    "orientation": ("qw", "qx", "qy", "qz"),
    "velocity": ("vx", "vy", "vz"),
    "spin": ("wx", "wy", "wz"),
}
