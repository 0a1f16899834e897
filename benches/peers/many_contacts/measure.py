"""By turns: every program has one run of a scene in each round."""

from math import ceil
from statistics import median

from .drake_run import drake
from .mujoco_run import mujoco
from .run import GivenUp
from .stickslip_run import processor_clock, stickslip

MODELS = ("nlp", "lcp", "lcp:anitescu", "cone", "convex", "smooth")
PEERS = {
    "MuJoCo": lambda: mujoco("pyramidal"),
    "MuJoCo, elliptic": lambda: mujoco("elliptic"),
    "MuJoCo, careful": lambda: mujoco("elliptic", careful=True),
    "Drake, SAP": drake,
}
PROGRAMS = (*MODELS, *PEERS)
# Steps by which the length of a run is found, some first and then more, because a model may only feel a contact after
# some; and how few and many a run may have.
LOOK, FURTHER, FEWEST, MOST = 3, 30, 6, 300
# Processor time that starting, reading and writing may take beside the steps, in s; and how much longer than the steps it
# was given for a run may take, because some are far longer than the median.
AROUND, LONGER = 10, 3


def present(names, program, folder, say):
    """The programs that are there, by name; `folder` takes what they need."""
    found, clock = {}, processor_clock(folder)
    for name in names:
        try:
            found[name] = PEERS[name]() if name in PEERS else stickslip(name, program, clock)
        except ImportError as reason:
            say(f"{name} is left out: {reason}")
    return found


def measure(scene, programs, rounds, patience, budget, say):
    """A row for each program; `patience` for a step and `budget` for the steps of a run in s."""
    rows, lengths, runs = {}, {}, {}
    limit = AROUND + LONGER * ceil(max(budget, FEWEST * patience))
    for turn in range(-1, rounds):
        for name, run in programs.items():
            if "given_up" in rows.setdefault(name, describe(scene, name)):
                continue
            try:
                if turn < 0:
                    # What it takes to look at a scene does not count.
                    lengths[name] = LOOK
                    for most in (FURTHER, MOST):
                        step_us = run(scene, lengths[name], patience, limit, judged=False).step_us
                        lengths[name] = max(FEWEST, min(most, int(budget / max(step_us * 1e-6, 1e-9))))
                else:
                    runs.setdefault(name, []).append(run(scene, lengths[name], patience, limit, judged=turn == 0))
            except GivenUp as reason:
                rows[name]["given_up"] = str(reason)
                say(f"{scene.title}, {name}: given up, {reason}")
    width = float(scene.sizes.min())
    for name, found in runs.items():
        if "given_up" in rows[name]:
            continue
        first = found[0]
        rows[name] |= {
            "us": median(one.step_us for one in found),
            "rounds_us": [one.step_us for one in found],
            "steps": len(first.contacts),
            "status": first.status,
            "exit": first.exit,
            "residual": first.residual,
            **first.figures(width),
        }
        say(f"{scene.title}, {name}: {rows[name]}")
    return list(rows.values())


def describe(scene, name):
    return {"kind": scene.kind, "count": scene.count, "ratio": scene.ratio, "program": name}
