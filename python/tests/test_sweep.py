"""Sweeps in this process and on Ray."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import Callable
from pathlib import Path

import pytest

import stickslip

SLIDE = Path(__file__).parents[2] / "examples" / "scenarios" / "slide.toml"


def write_sweep(folder: Path, count: int = 40) -> Path:
    path = folder / "sweep.toml"
    path.write_text(
        f'name = "few"\nscenario = "{SLIDE}"\nsteppers = ["lcp", "nlp"]\nmetrics = ["final_x", "stop_time"]\n'
        f"[sample]\ncount = {count}\n[sample.keys]\nground.friction = {{ min = 0.05, max = 0.4 }}\n"
        '"particle.mass" = { min = 1, max = 100, scale = "log" }\n'
    )
    return path


def test_a_sweep_is_the_one_of_the_command_line(program: Callable[..., str], tmp_path: Path) -> None:
    path = write_sweep(tmp_path)
    folder, manifest = stickslip.sweep(path, output=tmp_path / "python")
    assert manifest["runs"] == manifest["done"] == 80
    program("sweep", "sweep.toml", "--output", "program", "--no-plots", cwd=tmp_path)
    assert (folder / "table.csv").read_bytes() == (tmp_path / "program" / "few" / "table.csv").read_bytes()


def test_wrong_engines_are_refused(tmp_path: Path) -> None:
    path = write_sweep(tmp_path)
    for arguments in ({"engine": "dask"}, {"address": "auto"}, {"engine": "ray", "workers": 2}, {"workers": 0}):
        with pytest.raises(stickslip.InputError):
            stickslip.sweep(path, output=tmp_path, **arguments)  # type: ignore[arg-type]


def test_a_folder_of_another_sweep_is_refused(tmp_path: Path) -> None:
    stickslip.sweep(write_sweep(tmp_path, 2), output=tmp_path)
    with pytest.raises(stickslip.SweepError, match="another sweep"):
        stickslip.sweep(write_sweep(tmp_path, 3), output=tmp_path)


RAY = textwrap.dedent(
    """
    import sys
    import stickslip

    folder, manifest = stickslip.sweep(sys.argv[1], output=sys.argv[2], engine="ray", address=sys.argv[3])
    assert manifest["done"] == manifest["runs"], manifest
    print("done")
    """
)

CLUSTER = textwrap.dedent(
    """
    import os, signal, subprocess, sys, time
    from pathlib import Path

    import ray
    from ray.cluster_utils import Cluster

    code, sweep, output, count = sys.argv[1], sys.argv[2], Path(sys.argv[3]), int(sys.argv[4])
    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1})
    cluster.add_node(num_cpus=1)
    run = [sys.executable, "-c", code, sweep, str(output), cluster.address]

    def stored():
        return sum(len(part.read_text().splitlines()) - 3 for part in (output / "few" / "parts").glob("*.csv"))

    def wait_for(rows):
        end = time.monotonic() + 300
        while stored() < rows:
            assert time.monotonic() < end, f"{stored()} rows"
            time.sleep(0.05)

    def busy():
        for process in Path("/proc").glob("[0-9]*"):
            try:
                if (process / "cmdline").read_bytes().startswith(b"ray::_compute"):
                    yield int(process.name)
            except OSError:
                continue

    driver = subprocess.Popen(run)
    wait_for(count // 5)
    # A worker bears the name of its task only as long as it is at it.
    killed = set()
    end = time.monotonic() + 300
    while len(killed) < 2:
        assert time.monotonic() < end, "no worker is at work"
        for worker in set(busy()) - killed:
            if len(killed) < 2:
                os.kill(worker, signal.SIGKILL)
                killed.add(worker)
        time.sleep(0.01)
    print("workers killed:", len(killed), flush=True)
    wait_for(2 * count // 5)
    driver.kill()
    driver.wait()
    at_kill = stored()
    print("stored when the driver was killed:", at_kill, flush=True)
    assert at_kill < count
    assert subprocess.run(run, check=True, stdout=subprocess.PIPE).stdout == b"done\\n"
    assert stored() == count, "no run that was stored is computed again"
    cluster.shutdown()
    print("whole")
    """
)


@pytest.mark.skipif(sys.platform != "linux", reason="network of its own")
def test_ray_gives_the_same_table_whoever_is_killed(tmp_path: Path) -> None:
    pytest.importorskip("ray")
    path = write_sweep(tmp_path, 120)
    alone, _ = stickslip.sweep(path, output=tmp_path / "alone")
    # Ray takes the address of the machine where it can: a network of its own keeps it from doing so.
    own_network = ["unshare", "--user", "--map-root-user", "--net", "sh", "-c", 'ip link set lo up && exec "$0" "$@"']
    if subprocess.run([*own_network, "true"], capture_output=True).returncode != 0:
        own_network = []
    outcome = subprocess.run(
        [*own_network, sys.executable, "-c", CLUSTER, RAY, str(path), str(tmp_path / "ray"), "240"],
        capture_output=True,
        text=True,
        timeout=900,
        env={**os.environ, "RAY_DEDUP_LOGS": "0", "RAY_USAGE_STATS_ENABLED": "0"},
    )
    assert outcome.returncode == 0, outcome.stdout + outcome.stderr
    assert "workers killed: 2" in outcome.stdout, outcome.stdout
    assert outcome.stdout.endswith("whole\n")
    assert (tmp_path / "ray" / "few" / "table.csv").read_bytes() == (alone / "table.csv").read_bytes()


@pytest.mark.skipif(os.name != "posix", reason="signals")
def test_ctrl_c_keeps_what_is_finished(tmp_path: Path) -> None:
    path = write_sweep(tmp_path, 2000)
    # A shell starts its background jobs deaf to Ctrl-C, and what these start in turn.
    hear = "import signal, sys, stickslip\nsignal.signal(signal.SIGINT, signal.default_int_handler)\n"
    code = hear + "stickslip.sweep(sys.argv[1], output=sys.argv[2])"
    child = subprocess.Popen([sys.executable, "-c", code, path, tmp_path], stderr=subprocess.PIPE)
    parts = tmp_path / "few" / "parts"
    end = time.monotonic() + 300
    while not list(parts.glob("*.csv")):
        assert time.monotonic() < end
        time.sleep(0.05)
    child.send_signal(signal.SIGINT)
    assert b"KeyboardInterrupt" in child.communicate(timeout=300)[1]
    assert list(parts.glob("*.csv"))
