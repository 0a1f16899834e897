"""A browser without a window, driven through the DevTools protocol."""

import base64
import json
import subprocess
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import websocket


@contextmanager
def served(program: str | Path, scenario: Path) -> Iterator[subprocess.Popen[str]]:
    """A live page of a scenario, which ends whatever happens; its first line is its address."""
    server = subprocess.Popen([program, "serve", scenario], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        yield server
    finally:
        server.terminate()
        server.wait(10)


class Browser:
    """One page of a headless Chromium, which notes every message of its console."""

    def __init__(self, width: int, height: int, dark: bool = False) -> None:
        self.messages: list[str] = []
        self.number = 0
        self.profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        arguments = ["--headless=new", "--no-sandbox", "--disable-gpu", "--remote-debugging-port=0"]
        arguments += ["--remote-allow-origins=*", f"--user-data-dir={self.profile.name}", "about:blank"]
        quiet = subprocess.DEVNULL
        self.process = subprocess.Popen(["chromium", *arguments], stdout=quiet, stderr=quiet)
        port = self.port()
        pages = json.load(urllib.request.urlopen(f"http://127.0.0.1:{port}/json"))
        address = next(page["webSocketDebuggerUrl"] for page in pages if page["type"] == "page")
        self.socket = websocket.create_connection(address, timeout=60)
        for domain in ["Runtime", "Log", "Page"]:
            self.call(f"{domain}.enable")
        size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
        self.call("Emulation.setDeviceMetricsOverride", **size)
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.call("Emulation.setEmulatedMedia", features=[scheme])

    def port(self) -> str:
        """The port that Chromium chose."""
        file = Path(self.profile.name) / "DevToolsActivePort"
        for _ in range(600):
            if file.exists() and len(words := file.read_text().split()) > 1:
                return words[0]
            time.sleep(0.1)
        raise RuntimeError("Chromium does not start")

    def note(self, message: dict[str, Any]) -> None:
        """Keeps what the page said."""
        method, parameters = message.get("method"), message.get("params", {})
        if method == "Runtime.consoleAPICalled":
            said = [str(one.get("value", one.get("description"))) for one in parameters["args"]]
            self.messages.append(" ".join(said))
        elif method == "Runtime.exceptionThrown":
            details = parameters["exceptionDetails"]
            self.messages.append(details.get("exception", {}).get("description", details["text"]))
        elif method == "Log.entryAdded":
            self.messages.append(parameters["entry"]["text"])

    def call(self, method: str, **parameters: Any) -> dict[str, Any]:
        """Asks the browser for something and waits for its answer."""
        self.number += 1
        self.socket.send(json.dumps({"id": self.number, "method": method, "params": parameters}))
        while True:
            message = json.loads(self.socket.recv())
            if message.get("id") == self.number:
                if "error" in message:
                    raise RuntimeError(f"{method}: {message['error']}")
                return message["result"]
            self.note(message)

    def run(self, program: str) -> Any:
        """The value of an expression on the page."""
        answer = self.call("Runtime.evaluate", expression=program, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(f"{program}: {answer['exceptionDetails']}")
        return answer["result"].get("value")

    def wait_for(self, condition: str, seconds: float = 60.0) -> None:
        """Waits until an expression holds on the page."""
        end = time.monotonic() + seconds
        while not self.run(f"Boolean({condition})"):
            if time.monotonic() > end:
                raise AssertionError(f"never came true: {condition}; console: {self.messages}")
            time.sleep(0.05)

    def open(self, address: str) -> None:
        """Opens a page and waits until it is alive."""
        self.call("Page.navigate", url=address)
        self.wait_for("typeof stickslip !== 'undefined' && stickslip.views?.length")

    def drag(self, start: tuple[float, float], end: tuple[float, float]) -> None:
        """Drags the mouse from one point to another."""
        self.mouse("mouseMoved", start)
        self.mouse("mousePressed", start, pressed=True, clicks=1)
        for share in [0.25, 0.5, 0.75, 1.0]:
            self.mouse("mouseMoved", tuple(a + share * (b - a) for a, b in zip(start, end)), pressed=True)
        self.mouse("mouseReleased", end, clicks=1)

    def mouse(self, kind: str, at: Any, pressed: bool = False, clicks: int = 0) -> None:
        """One event of the mouse."""
        button = "left" if pressed or kind == "mouseReleased" else "none"
        where = {"x": at[0], "y": at[1], "button": button, "buttons": int(pressed), "clickCount": clicks}
        self.call("Input.dispatchMouseEvent", type=kind, **where)

    def key(self, name: str) -> None:
        """Presses a key."""
        for kind in ["keyDown", "keyUp"]:
            self.call("Input.dispatchKeyEvent", type=kind, key=name, code=name)

    def box(self, selector: str, place: int = 0) -> list[float]:
        """Left, top, width and height of an element, once it is in view."""
        element = f"document.querySelectorAll({json.dumps(selector)})[{place}]"
        self.run(f"{element}.scrollIntoView({{ block: 'center' }})")
        return self.box_as_it_is(selector, place)

    def box_as_it_is(self, selector: str, place: int = 0) -> list[float]:
        """Left, top, width and height of an element, in view or not."""
        element = f"document.querySelectorAll({json.dumps(selector)})[{place}]"
        return self.run(f"(({{ x, y, width, height }}) => [x, y, width, height])({element}.getBoundingClientRect())")

    def picture(self, file: Path) -> None:
        """Takes a picture of what is seen."""
        file.write_bytes(base64.b64decode(self.call("Page.captureScreenshot", format="png")["data"]))

    def print_view(self, on: bool) -> None:
        """Shows the page as it would be printed, or as it is on a screen."""
        self.call("Emulation.setEmulatedMedia", media="print" if on else "")

    def __enter__(self) -> "Browser":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Ends the browser."""
        self.socket.close()
        self.process.terminate()
        self.process.wait()
        self.profile.cleanup()
