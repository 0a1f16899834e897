"""A program under measurement: a process that waits for requests, pinned to the session's core."""

import json
import os
import subprocess

# One core is one thread; libraries that would start more are told so.
ONE_THREAD = {name: "1" for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")}


class Absent(Exception):
    """The program did not start, or does not offer what was asked for."""


def pinned(core, command):
    return ["taskset", "--cpu-list", str(core), *map(str, command)]


class Program:
    def __init__(self, name, command, core, log):
        self.name = name
        self.process = subprocess.Popen(
            pinned(core, command),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=log,
            text=True,
            env=os.environ | ONE_THREAD,
        )
        hello = self._read()
        self.versions = hello["versions"]
        self.rows = {(row["item"], row["row"]) for row in hello["rows"]}

    def measure(self, item, row, problem):
        """Does the work once; gives the samples and the results."""
        if (item, row) not in self.rows:
            raise Absent(f"{self.name} has no row {item}/{row}")
        self.process.stdin.write(json.dumps({"item": item, "row": row, "problem": problem}) + "\n")
        self.process.stdin.flush()
        reply = self._read()
        if "error" in reply:
            raise Absent(reply["error"])
        return reply

    def stop(self):
        self.process.stdin.close()
        self.process.wait()

    def _read(self):
        line = self.process.stdout.readline()
        if not line:
            raise Absent(f"{self.name} ended with status {self.process.wait()}; see the session's log")
        return json.loads(line)
