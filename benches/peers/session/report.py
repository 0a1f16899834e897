"""The results as a table, for the terminal and for the README."""


def duration(microseconds):
    for unit, size in (("s", 1e6), ("ms", 1e3), ("µs", 1.0)):
        if microseconds >= size:
            return f"{significant(microseconds / size)} {unit}"
    return f"{significant(microseconds * 1e3)} ns"


def significant(value):
    return f"{value:.0f}" if value >= 100 else f"{value:.3g}"


def times_as_fast(ratio):
    return f"1/{significant(1 / ratio)}" if ratio < 1 else f"{significant(ratio)}"


def markdown(results):
    """A table of all rows, and the lines under it."""
    lines = ["| work | program | median | fastest to slowest round | ratio |", "|---|---|---:|---:|---:|"]
    for item in results["items"]:
        for place, row in enumerate(item["rows"]):
            work = f"{item['title']}, per {item['unit']}" if place == 0 else ""
            program = f"**{row['label']}**" if row["program"] == "stickslip" else row["label"]
            spread = f"{duration(row['min_us'])} to {duration(row['max_us'])}"
            ratio = "1" if place == 0 else times_as_fast(row["ratio"])
            lines.append(f"| {work} | {program} | {duration(row['median_us'])} | {spread} | {ratio} |")
    lines.append("")
    lines += [f"- {line}" for line in remarks(results)]
    return "\n".join(lines)


def remarks(results):
    machine, versions = results["machine"], results["versions"]
    load = machine["load_average"][0]
    yield (
        f"{results['date']}, {machine['processor']}, {machine['cores']} cores, load average {load:.1f}, "
        f"{results['rounds']} rounds; " + ", ".join(f"{name} {version}" for name, version in versions.items())
    )
    for item in results["items"]:
        labels = {row["row"]: row["label"] for row in item["rows"]}
        for comparison in item["agreement"]:
            verdict = "agree" if comparison["agree"] else "DO NOT AGREE"
            both = " and ".join(labels[name] for name in comparison["rows"])
            apart = f"{comparison['difference']:.1e} apart, {comparison['tolerance']:.0e} allowed"
            yield f"{item['title']}: {both} {verdict} ({apart})"
        if item["name"] == "run":
            walls = (f"{row['label']} {duration(row['wall_median_us'])}" for row in item["rows"])
            yield f"{item['title']}, time on the wall: " + ", ".join(walls)
        for target in item["targets"]:
            if target["met"] is None:
                continue
            verdict = "met" if target["met"] else "missed"
            yield (
                f"{item['title']}: {labels[target['row']]} takes {times_as_fast(target['measured'])} of "
                f"{labels[target['peer']]}; at most {times_as_fast(target['at_most'])} wanted: {verdict}"
            )
        for name, reason in item["absent"].items():
            yield f"{item['title']}: `{name}` left out, {reason}"


START, END = "<!-- measured -->\n", "<!-- /measured -->"


def write_into(readme, results):
    """Replaces the table between the marks of the README."""
    text = readme.read_text()
    before, rest = text.split(START, 1)
    _, after = rest.split(END, 1)
    readme.write_text(before + START + markdown(results) + "\n" + END + after)
