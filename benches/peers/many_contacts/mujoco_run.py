"""MuJoCo, with its defaults in either cone, and as a careful user sets it."""

import time
from statistics import median

import numpy as np

from .coulomb import Contacts, Motion, miss, rotations
from .run import GivenUp, Run, within

CAREFUL = 'solref="{time_constant!r} 1" solimp="0.99 0.999 0.001"'


def numbers(values):
    return " ".join(repr(float(value)) for value in values)


def model_of(scene, cone, careful):
    """MJCF as one writes it by hand: the pairs that `stickslip export` lists grow with the square of the bodies."""
    soft = CAREFUL.format(time_constant=2 * scene.step) if careful else ""
    rigour = 'impratio="100" noslip_iterations="5"' if careful else ""
    yield f'<mujoco><option timestep="{scene.step!r}" gravity="{numbers(scene.gravity * scene.down)}" cone="{cone}" {rigour}/>'
    yield f'<size memory="4G"/><default><geom friction="{scene.friction!r} 0.005 0.0001" {soft}/></default><worldbody>'
    yield '<geom type="plane" size="0 0 1"/>'
    for wall in scene.walls:
        normal = np.array(wall["normal"])
        yield f'<geom type="plane" size="0 0 1" pos="{numbers(normal * wall["offset"])}" zaxis="{numbers(normal)}"/>'
    for body, inertia in zip(scene.bodies, scene.inertias, strict=True):
        turn = body.get("orientation", [1.0, 0.0, 0.0, 0.0])
        yield f'<body pos="{numbers(body["position"])}" quat="{numbers(turn)}"><freejoint/>'
        yield f'<inertial pos="0 0 0" mass="{body["mass"]!r}" diaginertia="{numbers(inertia)}"/>'
        yield f'<geom type="box" size="{numbers(np.array(body["size"]) / 2)}"/></body>'
    yield "</worldbody></mujoco>"


def mujoco(cone, careful=False):
    import mujoco

    def steps_of(scene, steps, patience, judged):
        model = mujoco.MjModel.from_xml_string("\n".join(model_of(scene, cone, careful)))
        state = mujoco.MjData(model)
        for number, body in enumerate(scene.bodies):
            state.qvel[6 * number : 6 * number + 3] = body.get("velocity", [0.0] * 3)
            state.qvel[6 * number + 3 : 6 * number + 6] = body.get("spin", [0.0] * 3)
        times, found = [], Run(0.0)
        for _ in range(steps):
            places = state.qpos.reshape(-1, 7).copy()
            start = time.thread_time()
            mujoco.mj_step(model, state)
            times.append(time.thread_time() - start)
            if times[-1] > 2 * patience or (len(times) > 2 and median(times) > patience):
                raise GivenUp(f"a step takes {times[-1]:.2g} s")
            full = (mujoco.mjtWarning.mjWARN_CONTACTFULL, mujoco.mjtWarning.mjWARN_CNSTRFULL)
            if any(state.warning[which].number for which in full):
                raise GivenUp("4 GB do not hold its contacts")
            if judged:
                velocities, axes = state.qvel.reshape(-1, 6), rotations(places[:, 3:])
                spins = np.einsum("bij,bj->bi", axes, velocities[:, 3:])
                motion = Motion(places[:, :3], axes, velocities[:, :3].copy(), spins)
                contacts = contacts_of(mujoco, model, state, scene.step)
                found.seen(contacts, miss(contacts, motion, scene))
        found.step_us = median(times) * 1e6
        return found

    return lambda scene, steps, patience, limit, judged: within(limit, steps_of, scene, steps, patience, judged)


def contacts_of(mujoco, model, state, dt):
    # The frame's first axis leads from the first geom to the second; the world is body 0.
    bodies = model.geom_bodyid[state.contact.geom] - 1
    frames = state.contact.frame.reshape(-1, 3, 3)
    wrenches, wrench = np.zeros((state.ncon, 3)), np.zeros(6)
    for index in range(state.ncon):
        mujoco.mj_contactForce(model, state, index, wrench)
        wrenches[index] = wrench[:3]
    return Contacts(
        first=bodies[:, 1],
        second=bodies[:, 0],
        points=state.contact.pos.copy(),
        normals=frames[:, 0].copy(),
        impulses=np.einsum("cij,ci->cj", frames, wrenches) * dt,
        gaps=state.contact.dist.copy(),
    )
