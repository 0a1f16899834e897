"""Time of a step against how far it misses Coulomb's law, a panel for each kind of scene."""

from .scenes import TITLES
from .tables import ROUNDING, groups

# Colours that colour-blind readers tell apart; filled for this program, hollow for others.
MARKS = {
    "nlp": ("#0072B2", "o"),
    "lcp": ("#56B4E9", "s"),
    "lcp:anitescu": ("#332288", "v"),
    "cone": ("#999933", "D"),
    "convex": ("#009E73", "^"),
    "smooth": ("#882255", "P"),
    "MuJoCo": ("#D55E00", "o"),
    "MuJoCo, elliptic": ("#E69F00", "s"),
    "MuJoCo, careful": ("#CC79A7", "D"),
    "Drake, SAP": ("#000000", "^"),
}
CERTIFIED = 1e-8


def draw(results, file):
    import matplotlib

    matplotlib.use("svg")
    import matplotlib.pyplot as plt

    plt.rcParams |= {"svg.hashsalt": "stickslip", "svg.fonttype": "none", "font.family": "sans-serif", "font.size": 9}
    rows = [row for row in results["rows"] if row.get("miss") is not None]
    kinds = list(dict.fromkeys(row["kind"] for row in rows))
    columns = max(1, min(2, len(kinds)))
    lines = max(1, -(-len(kinds) // columns))
    figure, panels = plt.subplots(
        lines, columns, figsize=(7.5, 2.7 * lines + 0.3), sharex=True, sharey=True, squeeze=False, layout="constrained"
    )
    places = dict(zip(kinds, panels.flat, strict=False))
    sizes = sorted({row["count"] for row in rows})
    marks = {}
    for (kind, program), found in groups(rows).items():
        colour, shape = MARKS[program]
        ours = not program.startswith(("MuJoCo", "Drake"))
        times = [row["us"] * 1e-6 for row in found]
        misses = [max(row["miss"], ROUNDING) for row in found]
        places[kind].loglog(times, misses, color=colour, lw=0.9, alpha=0.7)
        for row, time, miss in zip(found, times, misses, strict=True):
            size = 2.5 + 1.4 * sizes.index(row["count"])
            (mark,) = places[kind].loglog(
                time, miss, shape, color=colour, ms=size, mfc=colour if ours else "white", alpha=0.85, ls=""
            )
            marks.setdefault(program, mark)
    for kind, panel in places.items():
        panel.axhline(CERTIFIED, color="0.7", lw=0.8, zorder=0)
        panel.set(title=TITLES[kind], ylim=(ROUNDING / 10, 1e4))
        panel.set_yticks([1e-16, 1e-12, 1e-8, 1e-4, 1, 1e4])
        panel.minorticks_off()
    for panel in panels[-1]:
        panel.set_xlabel("time of a step, s")
    for panel in panels[:, 0]:
        panel.set_ylabel("misses Coulomb's law by")
    order = [program for program in MARKS if program in marks]
    title = "bodies: " + ", ".join(f"{size:,}" for size in sizes) + "\n(larger marks)"
    legend = figure.legend([marks[one] for one in order], order, loc="outside right center", frameon=False, title=title)
    for handle in legend.legend_handles:
        handle.set_markersize(5)
    figure.savefig(file, metadata={"Date": None})
