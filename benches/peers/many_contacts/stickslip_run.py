"""The models of this crate, by the program."""

import json
import os
import signal
import subprocess
import tempfile
from functools import partial
from pathlib import Path

import numpy as np

from .coulomb import WORLD, Contacts, Motion, miss, rotations
from .run import GivenUp, Run, hold_to
from .trajectory import read_contacts, read_states

ONE_THREAD = os.environ | {"RAYON_NUM_THREADS": "1"}


def processor_clock(folder):
    """Compiles the library by which the program's clock becomes that of the processor; the environment that loads it."""
    source, library = Path(__file__).with_name("processor_clock.c"), folder.resolve() / "processor_clock.so"
    subprocess.run(["cc", "-O2", "-shared", "-fPIC", source, "-o", library], check=True)
    return {"LD_PRELOAD": str(library)}


def stickslip(stepper, program, clock):
    def run(scene, steps, patience, limit, judged):
        with tempfile.TemporaryDirectory() as folder:
            command = [program, "run", scene.path, "--stepper", stepper, "--no-plots", "--quiet", "--output", folder]
            # Impacts that are followed over their impulse end with velocities that no one impulse of the step has made.
            command += ["--set", f"duration={steps * scene.step!r}", "--set", "stepper.impacts='one-stage'"]
            if not judged:
                command += ["--every", "1000000"]
            outcome = subprocess.run(
                command, capture_output=True, text=True, env=ONE_THREAD | clock, preexec_fn=partial(hold_to, limit)
            )
            if outcome.returncode in (-signal.SIGXCPU, -signal.SIGKILL):
                raise GivenUp(f"{steps} steps take more than {limit} s of a processor")
            places = list(Path(folder).glob("*/*"))
            if not places or not (places[0] / "timings.json").exists():
                # What follows is advice.
                raise GivenUp(" ".join(outcome.stderr.split()).split(";")[0].removeprefix("× "))
            timings = json.loads((places[0] / "timings.json").read_text())
            summary = json.loads((places[0] / "summary.json").read_text())
            found = Run(timings["step_microseconds"]["median"], exit=outcome.returncode)
            # The solution of a step may be right and its motion not that of what touches.
            found.status = summary["status"] | {"uncertified": summary["certificates"]["uncertified"]}
            found.residual = summary["metrics"].get("max_natural_map")
            if found.step_us > patience * 1e6:
                raise GivenUp(f"a step takes {found.step_us * 1e-6:.2g} s")
            if judged:
                judge(found, scene, places[0])
            return found

    return run


def judge(found, scene, place):
    states, touches = read_states(place / "trajectory.csv"), read_contacts(place / "contacts.csv")
    numbers = {name: number for number, name in enumerate(scene.names)}

    def vectors(rows, *columns):
        return np.array([[float(row[column]) for column in columns] for row in rows]).reshape(-1, len(columns))

    for step in sorted(states):
        if step + 1 not in states:
            break
        before, after = ([states[at][name] for name in scene.names] for at in (step, step + 1))
        axes = rotations(vectors(before, "qw", "qx", "qy", "qz"))
        motion = Motion(
            centres=vectors(before, "x", "y", "z"),
            axes=axes,
            velocities=vectors(after, "vx", "vy", "vz"),
            spins=np.einsum("bij,bj->bi", axes, vectors(after, "wx", "wy", "wz")),
        )
        rows = touches.get(step, [])
        normals = vectors(rows, "nx", "ny", "nz")
        contacts = Contacts(
            first=np.array([numbers.get(row["first"], WORLD) for row in rows], dtype=int),
            second=np.array([numbers.get(row["second"], WORLD) for row in rows], dtype=int),
            points=vectors(rows, "x", "y", "z"),
            normals=normals,
            impulses=(vectors(rows, "fn") * normals + vectors(rows, "ftx", "fty", "ftz")) * scene.step,
            gaps=vectors(rows, "gap")[:, 0],
        )
        found.seen(contacts, miss(contacts, motion, scene))
