"""MuJoCo: a sphere that may slide but not turn, or a cube that may move anyhow, on a plane, with either
friction cone.

A sample is one call that takes every step of the run inside MuJoCo, divided by their number: Python
takes no part in it.
"""

import mujoco
import numpy as np

from serve import Samples, reply, serve

RUNS = 10
RADIUS = 0.05
MODEL = """
<mujoco>
  <option timestep="{dt}" gravity="0 0 -{gravity}" cone="{cone}"/>
  <worldbody>
    <geom type="plane" size="0 0 1" friction="{friction} 0 0"/>
    <body pos="0 0 {radius}">
      <joint type="slide" axis="1 0 0"/>
      <joint type="slide" axis="0 0 1"/>
      <geom type="sphere" size="{radius}" mass="{mass}" friction="{friction} 0 0"/>
    </body>
  </worldbody>
</mujoco>
"""


CUBE = """
<mujoco>
  <option timestep="{dt}" gravity="0 0 -{gravity}" cone="{cone}"/>
  <worldbody>
    <geom type="plane" size="0 0 1" friction="{friction} 0 0"/>
    <body pos="0 0 {half_width}">
      <freejoint/>
      <inertial pos="0 0 0" mass="{mass}" diaginertia="{inertia} {inertia} {inertia}"/>
      <geom type="box" size="{half_width} {half_width} {half_width}" friction="{friction} 0 0"/>
    </body>
  </worldbody>
</mujoco>
"""


def measure_cube(problem, cone):
    keys = ("dt", "gravity", "friction", "mass", "inertia", "half_width")
    model = mujoco.MjModel.from_xml_string(CUBE.format(cone=cone, **{key: problem[key] for key in keys}))
    data = mujoco.MjData(model)

    def start():
        mujoco.mj_resetData(model, data)
        data.qvel[0] = problem["speed"]

    start()
    contacts = 0
    for _ in range(problem["steps"]):
        mujoco.mj_step(model, data)
        contacts += data.ncon
    end = data.qpos[:3].tolist()
    samples = Samples()
    for _ in range(RUNS):
        start()
        samples.take(problem["steps"], mujoco.mj_step, model, data, problem["steps"])
    return reply(samples, states=[end], contacts=contacts)


def measure(problem, cone):
    keys = ("dt", "gravity", "friction", "mass")
    text = MODEL.format(cone=cone, radius=RADIUS, **{key: problem[key] for key in keys})
    model = mujoco.MjModel.from_xml_string(text)
    data = mujoco.MjData(model)

    def start():
        mujoco.mj_resetData(model, data)
        data.qpos[:] = problem["position"]
        data.qvel[:] = problem["velocity"]
        data.qfrc_applied[:] = problem["push"]

    start()
    states, contacts = [], 0
    for _ in range(problem["steps"]):
        mujoco.mj_step(model, data)
        contacts += data.ncon
        states.append(np.concatenate([data.qpos, data.qvel]).tolist())
    samples = Samples()
    for _ in range(RUNS):
        start()
        samples.take(problem["steps"], mujoco.mj_step, model, data, problem["steps"])
    return reply(samples, states=states, contacts=contacts)


if __name__ == "__main__":
    rows = {
        ("convex", "mujoco-pyramidal"): lambda problem: measure(problem, "pyramidal"),
        ("convex", "mujoco-elliptic"): lambda problem: measure(problem, "elliptic"),
        ("cube", "mujoco-pyramidal"): lambda problem: measure_cube(problem, "pyramidal"),
        ("cube", "mujoco-elliptic"): lambda problem: measure_cube(problem, "elliptic"),
    }
    serve({"mujoco": mujoco.__version__}, rows)
