"""What is measured: items, their rows, how results must agree, and the targets."""

from dataclasses import dataclass, field
from functools import partial
from typing import Callable

from . import problems


@dataclass(frozen=True)
class Row:
    name: str
    program: str
    label: str


@dataclass(frozen=True)
class Target:
    """`row` is to take at most `ratio` of the time of `peer`."""

    row: str
    peer: str
    ratio: float


@dataclass(frozen=True)
class Group:
    """Rows that solve the same problems from the same starts, and how far they may be apart."""

    tolerance: float
    rows: tuple[str, ...]


@dataclass(frozen=True)
class Item:
    name: str
    title: str
    unit: str
    problem: Callable[[], dict]
    # The first one that takes part is what ratios refer to.
    rows: tuple[Row, ...]
    # Largest difference between the results of two rows, and which rows are to agree how well.
    difference: Callable[[dict, dict], float]
    groups: tuple["Group", ...]
    targets: tuple[Target, ...] = field(default=())


def largest_difference(ours, theirs):
    pairs = zip(ours, theirs, strict=True)
    return max(abs(a - b) for row, other in pairs for a, b in zip(row, other, strict=True))


def states(one, other):
    return largest_difference(one["states"], other["states"])


def impulses(one, other):
    return largest_difference(physical_impulses(one), physical_impulses(other))


def physical_impulses(result):
    """The normal impulse and the friction; lambda+ and lambda- alone are not unique."""
    return [(z[0], z[1] - z[2]) for z in result["z"]]


ITEMS = (
    Item(
        name="seed-contact",
        title="Seed NLP in contact",
        unit="step",
        problem=problems.seed_contact,
        rows=(
            Row("casadi", "casadi", "CasADi + IPOPT"),
            Row("ipopt", "stickslip", "IPOPT"),
            Row("interior-point", "stickslip", "interior point"),
        ),
        difference=states,
        groups=(Group(1e-8, ("casadi", "ipopt", "interior-point")),),
        targets=(Target("ipopt", "casadi", 0.45),),
    ),
    Item(
        name="relaxed",
        title="Improved NLP, nominal case",
        unit="step",
        problem=problems.nominal,
        rows=(
            Row("casadi-cold", "casadi", "CasADi + IPOPT, cold"),
            Row("casadi-warm", "casadi", "CasADi + IPOPT, warm"),
            Row("ipopt-cold", "stickslip", "IPOPT, cold"),
            Row("ipopt-warm", "stickslip", "IPOPT, warm"),
            Row("interior-point-cold", "stickslip", "interior point, cold"),
            Row("interior-point-warm", "stickslip", "interior point, warm"),
        ),
        difference=states,
        # Another solver ends elsewhere within its tolerance. In 450 steps of flight that adds up to
        # 1e-10 m, and the impact, which closes the gap in one step, makes 1e-7 m/s of it.
        groups=(
            Group(1e-8, ("casadi-cold", "ipopt-cold")),
            Group(1e-8, ("casadi-warm", "ipopt-warm")),
            Group(1e-6, ("ipopt-cold", "interior-point-cold")),
            Group(1e-6, ("ipopt-warm", "interior-point-warm")),
        ),
        targets=(
            Target("interior-point-cold", "casadi-cold", 1 / 40),
            Target("interior-point-warm", "casadi-warm", 1 / 40),
        ),
    ),
    Item(
        name="lcp",
        title="4x4 contact LCP",
        unit="problem",
        problem=problems.contact_problems,
        rows=(
            Row("quantecon-compiled-loop", "quantecon", "QuantEcon in a compiled loop"),
            Row("quantecon-from-python", "quantecon", "QuantEcon from Python"),
            Row("drake-moby", "drake", "Drake's Moby from Python"),
            Row("lemke", "stickslip", "Lemke"),
        ),
        difference=impulses,
        groups=(Group(1e-12, ("quantecon-compiled-loop", "quantecon-from-python", "drake-moby", "lemke")),),
        targets=(
            Target("lemke", "quantecon-from-python", 0.1),
            Target("lemke", "quantecon-compiled-loop", 0.1),
        ),
    ),
    Item(
        name="convex",
        title="Single-contact convex step",
        unit="step",
        problem=problems.sticking_contact,
        rows=(
            Row("mujoco-elliptic", "mujoco", "MuJoCo, elliptic cone"),
            Row("mujoco-pyramidal", "mujoco", "MuJoCo, pyramidal cone"),
            Row("drake-sap", "drake", "Drake, SAP"),
            Row("stepper", "stickslip", "convex stepper"),
            Row("newton", "stickslip", "general Newton solver"),
            Row("closed-form", "stickslip", "closed form"),
        ),
        difference=states,
        # MuJoCo's contact is another model, so that its states are its own.
        groups=(Group(1e-9, ("drake-sap", "stepper", "newton", "closed-form")),),
        targets=(Target("stepper", "mujoco-elliptic", 0.1), Target("newton", "mujoco-elliptic", 0.1)),
    ),
    Item(
        name="cube",
        title="Cube on four corners",
        unit="step",
        problem=problems.sliding_cube,
        rows=(
            Row("mujoco-elliptic", "mujoco", "MuJoCo, elliptic cone"),
            Row("mujoco-pyramidal", "mujoco", "MuJoCo, pyramidal cone"),
            Row("convex", "stickslip", "convex"),
            Row("lcp", "stickslip", "lcp, 4 aligned directions"),
            Row("nlp", "stickslip", "nlp, structured"),
            Row("cone", "stickslip", "cone"),
        ),
        difference=states,
        # MuJoCo's contact and the convex one are models of their own.
        groups=(Group(1e-6, ("lcp", "nlp", "cone")),),
        targets=(Target("convex", "mujoco-pyramidal", 0.25), Target("lcp", "mujoco-pyramidal", 1.0)),
    ),
    *(
        Item(
            name=f"plan-{steps}",
            title=f"Plan of {steps} steps",
            unit="iteration",
            problem=partial(problems.plan, steps),
            rows=(
                Row("casadi", "casadi", "CasADi + IPOPT"),
                Row("ipopt", "stickslip", "IPOPT"),
            ),
            difference=states,
            # Relaxed to 1e-8, complementarity leaves a plan room where the speed is small.
            groups=(Group(1e-3, ("casadi", "ipopt")),),
            targets=(Target("ipopt", "casadi", 0.5),),
        )
        for steps in (50, 100, 200, 400)
    ),
)
