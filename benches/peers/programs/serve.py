"""The session's side door of a peer: one JSON request a line in, one JSON reply a line out."""

import json
import sys
import time


class Samples:
    """Nanoseconds per unit of work, by the processor's clock and by the clock on the wall."""

    def __init__(self):
        self.cpu_ns = []
        self.wall_ns = []

    def take(self, units, work, *arguments):
        """Does `work`, which consists of `units` equal units, and takes one sample of it. Units that are known only once it
        is done are a function."""
        cpu, wall = time.process_time_ns, time.perf_counter_ns
        wall_before, cpu_before = wall(), cpu()
        result = work(*arguments)
        cpu_after, wall_after = cpu(), wall()
        units = units() if callable(units) else units
        self.cpu_ns.append((cpu_after - cpu_before) / units)
        self.wall_ns.append((wall_after - wall_before) / units)
        return result


def reply(samples, **result):
    return {"cpu_ns": samples.cpu_ns, "wall_ns": samples.wall_ns, "result": result}


def serve(versions, rows):
    """Answers requests until the input ends.

    `rows` maps (item, row) to a function of the problem that gives a `reply`.
    """
    # What a library prints must not get between the replies.
    out, sys.stdout = sys.stdout, sys.stderr

    def say(message):
        print(json.dumps(message), file=out, flush=True)

    say({"versions": versions, "rows": [{"item": item, "row": row} for item, row in rows]})
    for line in sys.stdin:
        request = json.loads(line)
        try:
            say(rows[request["item"], request["row"]](request["problem"]))
        except Exception as error:
            say({"error": f"{type(error).__name__}: {error}"})
