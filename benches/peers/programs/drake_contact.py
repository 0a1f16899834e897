"""Drake: Lemke's method of its `MobyLcpSolver`, and a step of a sphere on the ground with the
contact model of SAP.

Both include what Drake puts around them, because Python reaches neither alone: a mathematical
program and its result around the complementarity problem, the simulator and the geometry engine
around the convex step. A sample of the latter is a whole run, divided by its steps.
"""

import importlib.metadata

import numpy as np
from pydrake.geometry import AddContactMaterial, HalfSpace, ProximityProperties, Sphere
from pydrake.math import RigidTransform
from pydrake.multibody.plant import AddMultibodyPlant, CoulombFriction, MultibodyPlantConfig
from pydrake.multibody.tree import PrismaticJoint, SpatialInertia
from pydrake.solvers import MathematicalProgram, MobyLcpSolver
from pydrake.systems.analysis import Simulator
from pydrake.systems.framework import DiagramBuilder

from serve import Samples, reply, serve

SWEEPS = 2
RUNS = 2
RADIUS = 0.05


def lemke(problem):
    m, solver = np.array(problem["m"]), MobyLcpSolver()
    programs = []
    for q in problem["q"]:
        program = MathematicalProgram()
        z = program.NewContinuousVariables(len(q))
        program.AddLinearComplementarityConstraint(m, np.array(q), z)
        programs.append((program, z))
    samples = Samples()

    def sweep():
        return [solver.Solve(program) for program, _ in programs]

    for _ in range(SWEEPS):
        results = samples.take(len(programs), sweep)
    failures = sum(not result.is_success() for result in results)
    if failures:
        raise RuntimeError(f"{failures} problems were not solved")
    return reply(samples, z=[result.GetSolution(z).tolist() for result, (_, z) in zip(results, programs)])


def material(problem):
    """Of either side of the contact: two equal springs in a row are half as stiff as one, and
    their relaxation times add up."""
    properties = ProximityProperties()
    friction = CoulombFriction(problem["friction"], problem["friction"])
    AddContactMaterial(friction=friction, point_stiffness=2 * problem["stiffness"], properties=properties)
    properties.AddProperty("material", "relaxation_time", problem["dissipation_time"] / 2)
    return properties


def add_sphere(plant, problem):
    """A sphere on three prismatic joints: it moves like a point in space, and does not turn."""
    parent = plant.world_body()
    for axis in np.eye(3):
        sphere = SpatialInertia.SolidSphereWithMass(problem["mass"], RADIUS)
        inertia = sphere if axis[2] == 1.0 else SpatialInertia.Zero()
        body = plant.AddRigidBody(f"carriage {axis}", inertia)
        plant.AddJoint(PrismaticJoint(f"slide {axis}", parent.body_frame(), body.body_frame(), axis))
        parent = body
    plant.RegisterCollisionGeometry(body, RigidTransform(), Sphere(RADIUS), "sphere", material(problem))


def sap(problem):
    builder = DiagramBuilder()
    config = MultibodyPlantConfig(
        time_step=problem["dt"], discrete_contact_approximation="sap", contact_model="point"
    )
    plant, _ = AddMultibodyPlant(config, builder)
    plant.mutable_gravity_field().set_gravity_vector([0.0, 0.0, -problem["gravity"]])
    ground = HalfSpace.MakePose([0.0, 0.0, 1.0], [0.0, 0.0, 0.0])
    plant.RegisterCollisionGeometry(plant.world_body(), ground, HalfSpace(), "ground", material(problem))
    add_sphere(plant, problem)
    plant.Finalize()
    diagram = builder.Build()
    simulator = Simulator(diagram)
    context = plant.GetMyMutableContextFromRoot(simulator.get_mutable_context())
    (ux, uz), (x, z), (vx, vz) = problem["push"], problem["position"], problem["velocity"]
    plant.get_applied_generalized_force_input_port().FixValue(context, [ux, 0.0, uz])
    start = np.array([x, 0.0, z + RADIUS, vx, 0.0, vz])
    dt, steps = problem["dt"], problem["steps"]

    def reset():
        simulator.get_mutable_context().SetTime(0.0)
        plant.SetPositionsAndVelocities(context, start)
        simulator.Initialize()

    reset()
    states, contacts = [], 0
    for k in range(steps):
        simulator.AdvanceTo((k + 1) * dt)
        x, _, z, vx, _, vz = plant.GetPositionsAndVelocities(context)
        states.append([x, z - RADIUS, vx, vz])
        contacts += plant.get_contact_results_output_port().Eval(context).num_point_pair_contacts()
    samples = Samples()
    for _ in range(RUNS):
        reset()
        samples.take(steps, simulator.AdvanceTo, steps * dt)
    return reply(samples, states=states, contacts=contacts)


if __name__ == "__main__":
    version = importlib.metadata.version("drake")
    serve({"drake": version}, {("lcp", "drake-moby"): lemke, ("convex", "drake-sap"): sap})
