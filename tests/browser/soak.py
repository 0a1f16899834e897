"""Random dragging on the live page: the memory of the server and of the page does not grow.

    python tests/browser/soak.py target/release/stickslip [SECONDS]
"""

import random
import sys
import time
from pathlib import Path

from devtools import Browser, served

SCENARIO = Path(__file__).parents[2] / "examples" / "scenarios" / "slide.toml"
VIEW = "stickslip.views[0]"
BACK = "[...document.querySelectorAll('.side button')].find((one) => one.textContent === 'As in the file')"
# Growth from the end of the first fifth to the end: of the server's resident memory, and of the page's heap after a
# collection, in bytes. Leaks of a byte per point of a curve would be ten times that.
MOST_GROWTH = {"server": 16e6, "page": 8e6}


def resident(process: int) -> int:
    """Resident memory of a process in bytes."""
    lines = Path(f"/proc/{process}/status").read_text().splitlines()
    return 1024 * next(int(line.split()[1]) for line in lines if line.startswith("VmRSS"))


def heap(browser: Browser) -> int:
    """Bytes that the page's scripts hold."""
    browser.call("HeapProfiler.collectGarbage")
    return int(browser.call("Runtime.getHeapUsage")["usedSize"])


def main() -> None:
    program, seconds = Path(sys.argv[1]).resolve(), float(sys.argv[2]) if len(sys.argv) > 2 else 600.0
    dice = random.Random(1)
    with served(program, SCENARIO) as server, Browser(1400, 1000) as browser:
        browser.open(server.stdout.readline().strip())
        browser.wait_for(f"{VIEW}.view")
        sliders = browser.run("document.querySelectorAll('.control input[type=range]').length")
        start, drags, refusals, settled = time.monotonic(), 0, 0, None
        while (passed := time.monotonic() - start) < seconds:
            if settled is None and passed > 0.2 * seconds:
                settled = {"server": resident(server.pid), "page": heap(browser)}
            left, top, width, height = browser.box(".control input[type=range]", dice.randrange(sliders))
            if browser.run("!!document.querySelector('.stale')"):
                # What was dragged together is refused (too many steps, say): begin anew from the file.
                refusals += 1
                browser.run(f"{BACK}.click()")
                browser.wait_for(f"!{VIEW}.asking && !document.querySelector('.stale')")
            elif width > 0:
                ends = [(left + dice.random() * width, top + height / 2) for _ in range(2)]
                browser.drag(*ends)
                drags += 1
        browser.wait_for(f"!{VIEW}.asking")
        after = {"server": resident(server.pid), "page": heap(browser)}
        answers = browser.run(f"{VIEW}.answers")
        assert settled is not None and answers > drags / 4, f"{answers} answers to {drags} drags"
        for name, most in MOST_GROWTH.items():
            grown = after[name] - settled[name]
            print(f"{name}: {settled[name] / 1e6:.1f} MB after a fifth, {after[name] / 1e6:.1f} MB at the end")
            assert grown <= most, f"the {name} grew by {grown / 1e6:.1f} MB"
        print(f"{drags} drags, {answers} answers, {refusals} refusals in {seconds:.0f} s")


if __name__ == "__main__":
    main()
