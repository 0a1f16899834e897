"""What was measured, as tables of a document."""

from math import log

from session.report import duration

from .scenes import TITLES, title

ROUNDING = 1e-16
# Overlaps that are less than this share of a body are not told.
SEEN = 1e-3


def growth(sizes, times):
    """The power of the number of bodies that time grows with, by least squares; None for fewer than three sizes."""
    points = [(log(size), log(time)) for size, time in zip(sizes, times, strict=True)]
    if len(points) < 3:
        return None
    middle = [sum(column) / len(points) for column in zip(*points, strict=True)]
    across = sum((x - middle[0]) ** 2 for x, _ in points)
    return sum((x - middle[0]) * (y - middle[1]) for x, y in points) / across


def missed(value):
    if value is None:
        return "no contact"
    return f"{value:.0e}" if value > ROUNDING else "rounding"


def unsolved(row):
    """Steps that were not solved at once, and an exit status that is not 0."""
    kinds = [key for key in ("rescued", "uncertified", "failed") if row["status"].get(key)]
    said = [f"{row['status'][key]} of {row['steps']} {key}" for key in kinds]
    said += [f"exit {row['exit']}"] if row["exit"] else []
    return ", ".join(said)


def groups(rows):
    """Rows by kind and program, in the order in which they were measured."""
    found = {}
    for row in rows:
        found.setdefault((row["kind"], row["program"]), []).append(row)
    return found


def span(values):
    """From the fewest bodies to the most."""
    if not values:
        return "–"
    return values[0] if len(set(values)) == 1 else f"{values[0]} … {values[-1]}"


def by_size(rows):
    """A line for each scene and program, a column for each number of bodies."""
    sizes = sorted({row["count"] for row in rows})
    heads = [f"{size:,}" for size in sizes]
    yield f"| scene | program | {' | '.join(heads)} | grows as | contacts | misses Coulomb's law by | not solved at once |"
    yield f"|---|---|{'---:|' * len(sizes)}---:|---:|---|---|"
    for (kind, program), found in groups(rows).items():
        by = {row["count"]: row for row in found if "us" in row}
        times = [duration(by[size]["us"]) if size in by else "–" for size in sizes]
        power = growth(list(by), [row["us"] for row in by.values()])
        misses = span([missed(row["miss"]) for row in by.values()])
        contacts = span([f"{row['contacts']:,.0f}" for row in by.values()])
        notes = [f"{size:,}: {unsolved(row)}" for size, row in by.items() if unsolved(row)]
        yield (
            f"| {TITLES[kind]} | {program} | {' | '.join(times)} | {'–' if power is None else f'{power:.2f}'} "
            f"| {contacts} | {misses} | {'; '.join(notes)} |"
        )


def by_ratio(rows):
    """A line for each scene and program, a column for each ratio of masses: time, worst miss, overlap, what is not solved."""
    ratios = sorted({row["ratio"] for row in rows})
    yield f"| scene | program | {' | '.join(f'{ratio:,.0f}' for ratio in ratios)} |"
    yield f"|---|---|{'---|' * len(ratios)}"
    for (kind, program), found in groups(rows).items():
        by = {row["ratio"]: told(row) for row in found}
        yield f"| {title(kind, found[0]['count'])} | {program} | {' | '.join(by[ratio] for ratio in ratios)} |"


def told(row):
    if "us" not in row:
        return f"given up: {row['given_up']}"
    said = [duration(row["us"]), missed(row["worst_miss"])]
    if row["overlap"] is not None and row["overlap"] >= SEEN:
        said.append(f"{row['overlap']:.1%} deep")
    return ", ".join(said + [one for one in [unsolved(row)] if one])


def markdown(results):
    rows = results["rows"]
    has_ratios = len({row["ratio"] for row in rows}) > 1
    lines = list(by_ratio(rows) if has_ratios else by_size(rows))
    versions = ", ".join(f"{name} {version}" for name, version in results["versions"].items())
    machine = results["machine"]
    lines += ["", f"{results['date']}, {machine['processor']}, {results['rounds']} rounds; {versions}; `{results['command']}`"]
    if not has_ratios:
        lines += [
            f"- {title(row['kind'], row['count'])}, {row['program']}: given up, {row['given_up']}"
            for row in rows
            if "given_up" in row
        ]
    return "\n".join(lines)
