"""Whole runs from start to finish: a process starts, simulates the nominal case, writes, and ends."""

import json
import os
import subprocess
import tempfile
import time
from pathlib import Path

from .environment import PROGRAMS, PYTHON, ROOT
from .items import Row
from .measure import describe
from .problems import nominal
from .program import ONE_THREAD, pinned

SCENARIO = ROOT / "examples" / "scenarios" / "slide.toml"


def measure_runs(stickslip, core, rounds, with_blog_script, has_casadi, log, say):
    """The blog post's own program takes minutes, so that it runs on request and only once."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        problem = folder / "problem.json"
        problem.write_text(json.dumps(nominal()))
        script = [PYTHON, PROGRAMS / "casadi_run.py"]
        ours = [stickslip, "run", SCENARIO, "--solver", "interior-point", "--no-plots", "--output", folder]
        short = [(Row("ours", "stickslip", "`stickslip run`"), ours)]
        long = []
        if has_casadi:
            relaxed = [*script, "relaxed", problem, folder / "relaxed.csv"]
            short.insert(0, (Row("python", "casadi", "Python script, improved NLP"), relaxed))
            seed = [*script, "seed", problem, folder / "seed.csv"]
            long.append((Row("python-seed", "casadi", "Python script, seed NLP"), seed))
        seed = [*ours, "--stepper", "nlp:seed", "--on-failure", "continue"]
        long.append((Row("ours-seed", "stickslip", "`stickslip run --stepper nlp:seed`"), seed))
        rows = rounds_of(short, core, rounds, log)
        if with_blog_script:
            say("  the blog post's program, once (minutes)")
            rows += rounds_of(long, core, 1, log)
    item = {"name": "run", "title": "Whole nominal run", "unit": "run"}
    return item | {"rows": rows, "absent": {}, "agreement": [], "targets": []}


def rounds_of(commands, core, rounds, log):
    # The page cache is warm before the first round that counts.
    if rounds > 1:
        for _, command in commands:
            run(command, core, log)
    times = {row.name: ([], []) for row, _ in commands}
    for _ in range(rounds):
        for row, command in commands:
            cpu, wall = run(command, core, log)
            times[row.name][0].append(cpu)
            times[row.name][1].append(wall)
    reference = times[commands[0][0].name][0]
    return [describe(row, *times[row.name], reference) for row, _ in commands]


def run(command, core, log):
    """Processor and wall time of a process in microseconds."""
    started = time.perf_counter()
    process = subprocess.Popen(pinned(core, command), stdout=log, stderr=log, env=os.environ | ONE_THREAD)
    _, status, usage = os.wait4(process.pid, 0)
    wall = time.perf_counter() - started
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise subprocess.CalledProcessError(process.returncode, command)
    return (usage.ru_utime + usage.ru_stime) * 1e6, wall * 1e6
