"""Where and when a session took place."""

import os
import platform
import subprocess
from datetime import datetime, timezone
from pathlib import Path

from .environment import ROOT


def first_line(command):
    try:
        lines = subprocess.run(command, capture_output=True, text=True, cwd=ROOT).stdout.splitlines()
    except OSError:
        return None
    return lines[0] if lines else None


def processor():
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        lines = []
    names = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or "unknown"


def describe(core):
    return {
        "processor": processor(),
        "cores": os.cpu_count(),
        "pinned_to_core": core,
        "system": platform.platform(),
        "load_average": os.getloadavg(),
        "rustc": first_line(["rustc", "--version"]),
        "python": platform.python_version(),
        "commit": first_line(["git", "describe", "--always", "--dirty"]),
    }


def now():
    return datetime.now(timezone.utc).strftime("%Y-%m-%d %H:%M UTC")
