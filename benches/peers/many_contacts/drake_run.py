"""Drake's discrete plant with SAP and contact at points, its defaults otherwise."""

import logging
import time
from statistics import median

import numpy as np

from .coulomb import WORLD, Contacts, Motion, miss
from .run import GivenUp, Run, within


def simulator_of(scene):
    """By Drake's own interface: on an SDF world of more than 37 models its parser ends in a segmentation fault."""
    from pydrake.all import (
        AddMultibodyPlant,
        Box,
        CoulombFriction,
        DiagramBuilder,
        HalfSpace,
        MultibodyPlantConfig,
        Quaternion,
        RigidTransform,
        Simulator,
        SpatialInertia,
    )
    from pydrake.multibody.math import SpatialVelocity

    logging.getLogger("drake").setLevel(logging.ERROR)
    config = MultibodyPlantConfig(time_step=scene.step, discrete_contact_approximation="sap", contact_model="point")
    builder = DiagramBuilder()
    plant, _ = AddMultibodyPlant(config, builder)
    plant.mutable_gravity_field().set_gravity_vector(scene.gravity * scene.down)
    friction = CoulombFriction(scene.friction, scene.friction)
    world = plant.world_body()
    plant.RegisterCollisionGeometry(world, RigidTransform(), HalfSpace(), "ground", friction)
    for number, wall in enumerate(scene.walls):
        normal = np.array(wall["normal"])
        pose = HalfSpace.MakePose(normal, normal * wall["offset"])
        plant.RegisterCollisionGeometry(world, pose, HalfSpace(), f"wall-{number}", friction)
    links = []
    for name, body in zip(scene.names, scene.bodies, strict=True):
        link = plant.AddRigidBody(name, SpatialInertia.SolidBoxWithMass(body["mass"], *body["size"]))
        plant.RegisterCollisionGeometry(link, RigidTransform(), Box(*body["size"]), name, friction)
        turn = np.array(body.get("orientation", [1.0, 0.0, 0.0, 0.0]))
        plant.SetDefaultFloatingBaseBodyPose(link, RigidTransform(Quaternion(turn / np.linalg.norm(turn)), body["position"]))
        links.append(link)
    plant.Finalize()
    simulator = Simulator(builder.Build())
    context = plant.GetMyMutableContextFromRoot(simulator.get_mutable_context())
    for link, body in zip(links, scene.bodies, strict=True):
        spin = plant.EvalBodyPoseInWorld(context, link).rotation().matrix() @ body.get("spin", [0.0] * 3)
        velocity = SpatialVelocity(spin, np.array(body.get("velocity", [0.0] * 3)))
        plant.SetFreeBodySpatialVelocity(context=context, body=link, V_JpJc=velocity)
    simulator.Initialize()
    return simulator, plant, context, links


def drake():
    import pydrake.all  # noqa: F401 (whoever has not got it is told before anything runs)

    def steps_of(scene, steps, patience, judged):
        try:
            simulator, plant, context, links = simulator_of(scene)
        except RuntimeError as reason:
            raise GivenUp(" ".join(str(reason).split())) from None
        numbers = {link.index(): number for number, link in enumerate(links)}
        port = plant.get_contact_results_output_port()
        times, found = [], Run(0.0)
        for step in range(steps):
            poses = [plant.EvalBodyPoseInWorld(context, link) for link in links] if judged else []
            start = time.thread_time()
            try:
                simulator.AdvanceTo((step + 1) * scene.step)
            except RuntimeError as reason:
                raise GivenUp(" ".join(str(reason).split())) from None
            times.append(time.thread_time() - start)
            if times[-1] > 2 * patience or (len(times) > 2 and median(times) > patience):
                raise GivenUp(f"a step takes {times[-1]:.2g} s")
            if judged:
                moving = [plant.EvalBodySpatialVelocityInWorld(context, link) for link in links]
                motion = Motion(
                    centres=np.array([pose.translation() for pose in poses]),
                    axes=np.array([pose.rotation().matrix() for pose in poses]),
                    velocities=np.array([one.translational() for one in moving]),
                    spins=np.array([one.rotational() for one in moving]),
                )
                contacts = contacts_of(port.Eval(context), numbers, scene.step)
                found.seen(contacts, miss(contacts, motion, scene))
        found.step_us = median(times) * 1e6
        return found

    return lambda scene, steps, patience, limit, judged: within(limit, steps_of, scene, steps, patience, judged)


def contacts_of(results, numbers, dt):
    infos = [results.point_pair_contact_info(index) for index in range(results.num_point_pair_contacts())]
    pairs = [info.point_pair() for info in infos]

    def vectors(rows):
        return np.array(rows, dtype=float).reshape(-1, 3)

    return Contacts(
        first=np.array([numbers.get(info.bodyB_index(), WORLD) for info in infos], dtype=int),
        second=np.array([numbers.get(info.bodyA_index(), WORLD) for info in infos], dtype=int),
        points=vectors([info.contact_point() for info in infos]),
        normals=-vectors([pair.nhat_BA_W for pair in pairs]),
        impulses=vectors([info.contact_force() for info in infos]) * dt,
        gaps=-np.array([pair.depth for pair in pairs]),
    )
