"""The pages in a browser: nothing on the console, and clicks and drags that change what they should.

    python tests/browser/pages.py target/release/stickslip [FOLDER-FOR-PICTURES]
"""

import math
import subprocess
import sys
import tempfile
from pathlib import Path

from devtools import Browser, served

SCENARIOS = Path(__file__).parents[2] / "examples" / "scenarios"
NAMES = ["slide", "bounce", "tipping-box", "rocking-cube", "cube-throw"]
VIEW = "stickslip.views[0]"


def check(holds: bool, words: str, browser: Browser) -> None:
    """Fails with what the page said."""
    assert holds, f"{words}; console: {browser.messages}"


def charts(browser: Browser) -> None:
    """Zoom, cursor, legend where there are several motions, differences, tabs, what stays, play, export of a page with a motion."""
    left, top, width, height = browser.box(".u-over", 1)
    zoomed = f"{VIEW}.panels.map((panel) => panel.plot.scales.x.max - panel.plot.scales.x.min)"
    before = browser.run(zoomed)
    browser.drag((left + 0.3 * width, top + height / 2), (left + 0.6 * width, top + height / 2))
    after = browser.run(zoomed)
    check(all(0.2 * a < b < 0.4 * a for a, b in zip(before, after)), f"zoom {before} to {after}", browser)
    browser.mouse("mouseMoved", (left + 0.25 * width, top + height / 2))
    first = browser.run(f"{VIEW}.scene.time")
    browser.mouse("mouseMoved", (left + 0.75 * width, top + height / 2))
    check(browser.run(f"{VIEW}.scene.time") > first, "the cursor does not move the scene", browser)
    cursors = browser.run(f"{VIEW}.panels.map((panel) => panel.plot.cursor.idx)")
    check(len(set(cursors)) == 1 and cursors[0] is not None, f"cursors apart: {cursors}", browser)
    browser.run("[...document.querySelectorAll('.options button')].at(-1).click()")
    check(browser.run(zoomed) == before, "the whole time does not come back", browser)

    count = browser.run(f"{VIEW}.shown().length")
    buttons = browser.run(f"{VIEW}.legend.querySelectorAll('button').length")
    check(buttons == (count if count > 1 else 0), f"{buttons} buttons for {count} motions", browser)
    if count > 1:
        browser.run("document.querySelector('.legend button').click()")
        check(browser.run(f"{VIEW}.shown().length") == count - 1, "the legend does not hide", browser)
        browser.run("document.querySelector('.legend button').click()")

    if browser.run(f"{VIEW}.motion.relative"):
        title = "document.querySelector('.panel-head b').textContent"
        browser.run("document.querySelector('.options input').click()")
        check(browser.run(title).startswith("difference"), "no differences", browser)
        browser.run("document.querySelector('.options input').click()")

    browser.run("document.querySelector('[role=tab]').focus()")
    tabs = browser.run("document.querySelectorAll('[role=tab]').length")
    for place in [*range(1, tabs), 0]:
        browser.key("ArrowRight")
        chosen = "[...document.querySelectorAll('[role=tab]')].findIndex((tab) => tab.ariaSelected === 'true')"
        check(browser.run(chosen) == place, f"the keyboard does not reach tab {place}", browser)
        check(browser.run("document.querySelectorAll('[role=tabpanel] .panel').length") > 0, "an empty tab", browser)

    if browser.run("document.querySelector('.constant') !== null"):
        count = browser.run(f"{VIEW}.panels.length")
        check(" = " in browser.run("document.querySelector('.constant').textContent"), "no values of what stays", browser)
        browser.run("document.querySelector('.constant > summary').click()")
        browser.wait_for(f"{VIEW}.panels.length > {count} && {VIEW}.panels.every((panel) => panel.plot)")

    browser.run(f"{VIEW}.scene.go(0)")
    browser.run("document.querySelector('.play').click()")
    browser.wait_for(f"{VIEW}.scene.time > 0.02")
    browser.run(f"{VIEW}.scene.pause()")
    svg = browser.run(f"stickslip.chartSvg({VIEW}.panels[0].spec())")
    check(svg.startswith("<svg") and "NaN" not in svg, "a figure does not export as SVG", browser)
    csv = browser.run(f"stickslip.csv({VIEW}.panels[0].spec())").splitlines()
    check(csv[0].startswith("t (s),") and len(csv) > 50, f"CSV: {csv[:2]}", browser)
    unnamed = "[...document.querySelectorAll('button, input, select')].filter((one) => !one.ariaLabel && !one.textContent.trim() && !one.closest('label')).length"
    check(browser.run(unnamed) == 0, "a control has no name", browser)
    check(browser.run("document.documentElement.scrollWidth <= innerWidth"), "the page is wider than the window", browser)


def orbit(browser: Browser) -> None:
    """A scene in space is turned by mouse and keys, moved, brought nearer, set to views, and follows a body."""
    eye = f"{VIEW}.scene.camera"
    left, top, width, height = browser.box(".stage canvas")
    middle = (left + width / 2, top + height / 2)
    before = browser.run(f"[{eye}.yaw, {eye}.pitch]")
    browser.drag(middle, (middle[0] + 100, middle[1] + 50))
    turned = browser.run(f"[{eye}.yaw, {eye}.pitch]")
    check(turned[0] < before[0] - 0.5 and turned[1] > before[1] + 0.2, f"a drag turns {before} to {turned}", browser)
    browser.run("document.querySelector('.stage canvas').focus()")
    browser.key("ArrowLeft")
    check(browser.run(f"{eye}.yaw") != turned[0], "an arrow key does not turn", browser)
    browser.key("+")
    check(browser.run(f"{eye}.zoom") > 1.1, "plus does not come nearer", browser)
    browser.run("[...document.querySelectorAll('.eye button')].find((one) => one.textContent === 'top').click()")
    check(abs(browser.run(f"{eye}.eye[2]") - 1) < 1e-12, "the view from the top is not from there", browser)
    check(browser.run(f"{eye}.zoom") == 1, "a view does not show everything", browser)
    place = "(({scene}) => scene.projection(600).place(scene.pose(scene.data().series[0], 0).position))"
    browser.run("(([one]) => { one.value = '0'; one.dispatchEvent(new Event('change')); })(document.querySelectorAll('.eye select'))")
    for time in [0, 0.05]:
        browser.run(f"{VIEW}.scene.go({time})")
        seen = browser.run(f"{place}({VIEW})")
        check(abs(seen[0] - 300) < 1e-6 and abs(seen[1] - 150) < 1e-6, f"a followed body is at {seen}", browser)
    browser.mouse("mouseMoved", middle)
    names = browser.run(f"[{VIEW}.scene.pointed?.name, {VIEW}.motion.scene.bodies[0].name]")
    check(names[0] == names[1], f"over {names[1]} the mouse names {names[0]}", browser)
    browser.run("(([one]) => { one.value = ''; one.dispatchEvent(new Event('change')); })(document.querySelectorAll('.eye select'))")
    browser.run(f"{eye}.choose(0), {VIEW}.scene.go(0)")
    titles = browser.run("[...document.querySelectorAll('.panel-head b')].map((one) => one.textContent.split(' of ')[0])")
    check({"tilt", "turn about y"} <= set(titles) and not any("orientation" in title for title in titles), f"{titles}", browser)
    shown = browser.run(f"{VIEW}.column({VIEW}.motion.series[0], 'tilt')[0]")
    upright = browser.run(f"stickslip.solid.placed({{ ...{VIEW}.scene.pose({VIEW}.motion.series[0], {VIEW}.body), position: [0, 0, 0] }}, [0, 0, 1])[2]")
    check(abs(math.cos(math.radians(shown)) - upright) < 1e-4, f"tilted by {shown}, with its height axis {upright} up", browser)
    turned = browser.run(f"['x', 'y', 'z'].map((axis) => {VIEW}.column({VIEW}.motion.series[0], 'turn ' + axis))")
    steps = [abs(b - a) for column in turned for a, b in zip(column, column[1:])]
    check(all(column[0] == 0 for column in turned) and 0 < max(steps) < 90, f"turns go by up to {max(steps)} degrees", browser)


def paper(browser: Browser) -> None:
    """In print the pictures stand where the charts were, and none of them is broken."""
    browser.print_view(True)
    visible = "[...document.querySelectorAll('{}')].filter((one) => one.getClientRects().length > 0)"
    check(browser.run(visible.format(".interactive") + ".length") == 0, "charts in print", browser)
    check(browser.run(visible.format(".stand-in img") + ".length") > 0, "no pictures in print", browser)
    whole = visible.format("img") + ".every((one) => one.complete && one.naturalWidth > 0)"
    browser.wait_for(whole)


def report(program: str, scenario: Path, pictures: Path) -> None:
    """The report of a comparison, light and dark, wide and narrow."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([program, "compare", scenario, "--output", folder, "--quiet"], check=True)
        page = Path(folder) / scenario.stem / "compare" / "report.html"
        if scenario.stem == "slide":
            assert page.stat().st_size <= 600_000, f"the report has {page.stat().st_size} bytes"
        assert page.stat().st_size <= 900_000, f"the report has {page.stat().st_size} bytes"
        for width, dark in [(1400, False), (500, True)]:
            with Browser(width, 1000, dark) as browser:
                browser.open(page.as_uri())
                tops = browser.run("['.interactive', 'dl'].map((one) => document.querySelector(one).getBoundingClientRect().top)")
                check((tops[0] < tops[1]) == (width == 500), f"motion and words on the models begin at {tops}", browser)
                charts(browser)
                if browser.run(f"{VIEW}.motion.axes.length") == 3:
                    orbit(browser)
                browser.run(f"scrollTo(0, document.querySelector('.scene').offsetTop - 120), {VIEW}.scene.go({VIEW}.scene.end() / 2)")
                browser.picture(pictures / f"{scenario.stem}-{width}.png")
                paper(browser)
                browser.picture(pictures / f"{scenario.stem}-{width}-print.png")
                check(browser.messages == [], "the console is not empty", browser)


# Other reports: the command, and the page in the folder of results.
OTHERS = {
    "run": (["run", "SCENARIOS/rocking-cube.toml"], "rocking-cube/nlp"),
    "predict": (["predict", "DATA/tosses-sample20.csv", "SCENARIOS/cube-toss.toml", "--steppers", "lcp,convex"], "cube-toss/predict"),
    "learn": (["learn", "particle", "--samples", "40"], "learn/particle"),
    "gradient": (["gradient", "SCENARIOS/bounce.toml", "--set", "duration=0.8"], "bounce/gradient"),
    "gradient-of-bodies": (["gradient", "SCENARIOS/backspin-disc.toml", "--set", "duration=0.2"], "backspin-disc/gradient"),
    "gradients-compared": (["compare", "SCENARIOS/bounce.toml", "--gradients"], "bounce/compare"),
    "sweep": (["sweep", "SWEEPS/friction-by-step.toml"], "friction-by-step"),
    "scorecard": (["scorecard", "--phenomena", "stopping-distance,rocking,spin-down", "--steppers", "lcp,convex,hybrid", "--steps", "1e-2,1e-3"], "scorecard"),
    "convergence": (["convergence", "SCENARIOS/slide.toml", "--steppers", "lcp,convex", "--steps", "1e-2,5e-3"], "slide/convergence"),
}


def figures(browser: Browser) -> None:
    """Charts of a page without a motion: the legend hides, and nothing leaves its place."""
    pressed = "document.querySelector('.legend button')?.getAttribute('aria-pressed') ?? 'false'"
    browser.run("document.querySelector('.legend button')?.click()")
    check(browser.run(pressed) == "false", "the legend does not hide", browser)
    browser.run("document.querySelector('.legend button')?.click()")


def other(program: str, name: str, pictures: Path) -> None:
    """Another report: its charts and its motion, if it has one, wide and narrow, on screen and in print."""
    words, place = OTHERS[name]
    examples = {"DATA": SCENARIOS.parent / "data", "SCENARIOS": SCENARIOS, "SWEEPS": SCENARIOS.parent / "sweeps"}
    words = [str(examples[word.split("/")[0]] / word.split("/")[1]) if word.split("/")[0] in examples else word for word in words]
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([program, *words, "--output", folder, "--quiet"], check=True)
        page = Path(folder) / place / "report.html"
        for width, dark in [(1400, False), (500, True)]:
            with Browser(width, 1000, dark) as browser:
                browser.open(page.as_uri())
                check(browser.run("document.querySelectorAll('section.interactive canvas').length") > 0, "no chart", browser)
                if browser.run("document.querySelectorAll('.scene').length") > 0:
                    charts(browser)
                    browser.run(f"{VIEW}.scene.go({VIEW}.scene.end() / 2)")
                else:
                    figures(browser)
                fits = "document.documentElement.scrollWidth <= innerWidth"
                check(browser.run(fits), "the page is wider than the window", browser)
                out = "[...document.querySelectorAll('.panel-head')].filter((one) => one.scrollWidth > one.clientWidth + 1).length"
                check(browser.run(out) == 0, "a heading leaves its panel", browser)
                broken = "[...document.images].filter((one) => !one.complete || one.naturalWidth === 0).length"
                check(browser.run(broken) == 0, "a picture is broken", browser)
                for place, _ in enumerate(browser.run("[...document.querySelectorAll('section.interactive')].map(() => 1)")):
                    browser.run(f"document.querySelectorAll('section.interactive')[{place}].scrollIntoView({{ block: 'start' }})")
                    browser.picture(pictures / f"{name}-{width}-{place}.png")
                if browser.run("document.querySelectorAll('.stand-in img').length") > 0:
                    paper(browser)
                else:
                    # Numbers that stand in a table beside their chart need no picture in print.
                    browser.print_view(True)
                    check(browser.run("document.querySelectorAll('table').length") > 0, "neither pictures nor tables in print", browser)
                browser.picture(pictures / f"{name}-{width}-print.png")
                check(browser.messages == [], "the console is not empty", browser)


def live(program: str, scenario: Path, pictures: Path) -> None:
    """The live page: a slider changes the curves and the address, bad values are told."""
    with served(program, scenario) as server, Browser(1400, 1000) as browser:
        browser.open(server.stdout.readline().strip())
        browser.wait_for(f"{VIEW}.view")
        key = "step"
        before = browser.run(f"{VIEW}.answers")
        left, top, width, height = browser.box(f"input[aria-label^='{key}:']")
        browser.drag((left + 0.5 * width, top + height / 2), (left + 0.6 * width, top + height / 2))
        browser.wait_for(f"{VIEW}.answers > {before}")
        check(f"{key}=" in browser.run("location.search"), "the address does not carry the state", browser)
        check("step=" in browser.run("document.querySelector('a.button').href"), "the file does not have the state", browser)
        browser.wait_for(f"!{VIEW}.asking")
        browser.picture(pictures / f"{scenario.stem}-live.png")
        check(browser.messages == [], "the console is not empty", browser)
        browser.run(f"{VIEW}.set('ground.friction', '-1.0')")
        browser.wait_for("document.querySelector('.message').textContent.includes('at least 0')")
        server.terminate()
        assert server.wait(10) == 0, "the server does not end cleanly"


def narrow(program: str, scenario: Path, pictures: Path) -> None:
    """The live page on a telephone: the scene first, the sliders folded under it, and seen together once they are open."""
    with served(program, scenario) as server, Browser(500, 1000, dark=True) as browser:
        browser.open(server.stdout.readline().strip())
        browser.wait_for(f"{VIEW}.view && !{VIEW}.asking")
        tops = browser.run("['.scene', '.fold', '.tabs'].map((one) => document.querySelector(one).getBoundingClientRect().top)")
        check(tops == sorted(tops) and tops[0] < 500, f"scene, sliders and figures begin at {tops}", browser)
        check(not browser.run("document.querySelector('.fold').open"), "the sliders are not folded", browser)
        browser.picture(pictures / f"{scenario.stem}-narrow.png")
        browser.run("document.querySelector('.fold > summary').click(), document.querySelectorAll('.fold details').forEach((one) => one.open = true)")
        before = browser.run(f"{VIEW}.answers")
        left, top, width, height = browser.box("input[aria-label^='step:']")
        scene = browser.box_as_it_is(".scene")
        check(scene[1] >= -1 and scene[1] + scene[3] <= top, f"the scene is at {scene} and the slider at {top}", browser)
        browser.drag((left + 0.5 * width, top + height / 2), (left + 0.6 * width, top + height / 2))
        browser.wait_for(f"{VIEW}.answers > {before} && !{VIEW}.asking")
        check(browser.run("document.documentElement.scrollWidth <= innerWidth"), "the page is wider than the window", browser)
        browser.picture(pictures / f"{scenario.stem}-narrow-open.png")
        check(browser.messages == [], "the console is not empty", browser)


def main() -> None:
    program = str(Path(sys.argv[1]).resolve())
    with tempfile.TemporaryDirectory() as nowhere:
        pictures = Path(sys.argv[2] if len(sys.argv) > 2 else nowhere)
        pictures.mkdir(parents=True, exist_ok=True)
        for scenario in (SCENARIOS / f"{name}.toml" for name in NAMES):
            report(program, scenario, pictures)
            live(program, scenario, pictures)
            narrow(program, scenario, pictures)
            print(f"{scenario.stem}: report and live page", flush=True)
        for name in OTHERS:
            other(program, name, pictures)
            print(f"{name}: report", flush=True)


if __name__ == "__main__":
    main()
