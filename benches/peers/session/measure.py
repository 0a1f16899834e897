"""Rounds: every row of an item takes its turn in each, after one round that does not count."""

from statistics import median

from .program import Absent


def measure_item(item, programs, rounds, say):
    """The rows of one item with their times in microseconds, and what was left out and why."""
    problem = item.problem()
    results, absent = {}, {}
    for row in item.rows:
        try:
            if row.program not in programs:
                raise Absent(f"{row.program} is not installed")
            results[row.name] = programs[row.program].measure(item.name, row.name, problem)["result"]
        except Absent as reason:
            absent[row.name] = str(reason)
            say(f"  {row.label}: left out, {reason}")
    present = [row for row in item.rows if row.name in results]
    times = {row.name: {"cpu": [], "wall": []} for row in present}
    for _ in range(rounds):
        for row in present:
            reply = programs[row.program].measure(item.name, row.name, problem)
            times[row.name]["cpu"].append(median(reply["cpu_ns"]) * 1e-3)
            times[row.name]["wall"].append(median(reply["wall_ns"]) * 1e-3)
    reference = times[present[0].name]["cpu"] if present else []
    rows = [
        describe(row, times[row.name]["cpu"], times[row.name]["wall"], reference) | details(results[row.name])
        for row in present
    ]
    return {
        "name": item.name,
        "title": item.title,
        "unit": item.unit,
        "rows": rows,
        "absent": absent,
        "agreement": agreement(item, results),
        "targets": [judge(target, times) for target in item.targets],
    }


def details(result):
    return {key: result[key] for key in ("iterations", "contacts", "solver") if key in result}


def describe(row, cpu, wall, reference):
    """Figures of a row. The ratio is the median over the rounds, each round compared in itself, so
    that a machine that changes its pace does not change the ratio."""
    return {
        "row": row.name,
        "program": row.program,
        "label": row.label,
        "median_us": median(cpu),
        "min_us": min(cpu),
        "max_us": max(cpu),
        "wall_median_us": median(wall),
        "ratio": ratio(cpu, reference),
        "cpu_us": cpu,
        "wall_us": wall,
    }


def ratio(times, reference):
    return median(time / other for time, other in zip(times, reference, strict=True))


def agreement(item, results):
    """Largest difference of each row to the first one of its group, and what it may be."""
    comparisons = []
    for group in item.groups:
        first, *others = [name for name in group.rows if name in results] or [None]
        for name in others:
            difference = item.difference(results[first], results[name])
            agree = difference <= group.tolerance
            comparison = {"difference": difference, "tolerance": group.tolerance, "agree": agree}
            comparisons.append({"rows": [name, first], **comparison})
    return comparisons


def judge(target, times):
    """How a target was met; `measured` is null where one of the two is absent."""
    measured = None
    if target.row in times and target.peer in times:
        measured = ratio(times[target.row]["cpu"], times[target.peer]["cpu"])
    met = None if measured is None else measured <= target.ratio
    return {"row": target.row, "peer": target.peer, "at_most": target.ratio, "measured": measured, "met": met}
