"""Other libraries in the same process, which bring an IPOPT, a BLAS and contact models of their own."""

from __future__ import annotations

import itertools
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

SLIDE = Path(__file__).parents[2] / "examples" / "scenarios" / "slide.toml"

CODE = textwrap.dedent(
    """
    import sys, threading
    import numpy as np

    def with_stickslip():
        import stickslip
        return stickslip.simulate(sys.argv[1], "nlp", set={"duration": 0.3})["x"]

    def with_casadi():
        import casadi
        x = casadi.SX.sym("x", 2)
        rosenbrock = (1 - x[0]) ** 2 + 100 * (x[1] - x[0] ** 2) ** 2
        options = {"print_time": False, "ipopt.print_level": 0, "ipopt.sb": "yes"}
        solver = casadi.nlpsol("solver", "ipopt", {"x": x, "f": rosenbrock}, options)
        return np.array(solver(x0=[-1.2, 1.0])["x"]).ravel()

    def with_mujoco():
        import mujoco
        ball = "<mujoco><worldbody><geom type='plane' size='1 1 1'/><body pos='0 0 1'><freejoint/>" \\
               "<geom size='.1'/></body></worldbody></mujoco>"
        model = mujoco.MjModel.from_xml_string(ball)
        data = mujoco.MjData(model)
        for _ in range(1000):
            mujoco.mj_step(model, data)
        return np.array(data.qpos)

    work = {"stickslip": with_stickslip, "casadi": with_casadi, "mujoco": with_mujoco}
    order = sys.argv[2].split(",")
    first = {name: work[name]() for name in order}
    found = []

    def by_turns(names):
        for name in names:
            found.append((name, work[name]()))

    threads = [threading.Thread(target=by_turns, args=(order[k % len(order):] + order[:k % len(order)],)) for k in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 4 * len(order)
    for name, values in found:
        assert np.array_equal(values, first[name]), name
    print(repr(first["stickslip"].tobytes().hex()))
    """
)


def test_guests_do_not_disturb_each_other() -> None:
    pytest.importorskip("casadi")
    pytest.importorskip("mujoco")
    orders = [",".join(order) for order in itertools.permutations(["stickslip", "casadi", "mujoco"])]
    answers = set()
    for order in ["stickslip", *orders]:
        run = subprocess.run(
            [sys.executable, "-c", CODE, SLIDE, order], capture_output=True, text=True, timeout=900
        )
        assert run.returncode == 0, f"{order}: {run.stderr}"
        answers.add(run.stdout)
    assert len(answers) == 1
