"""The peers' packages, in a Python environment of their own under target/."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
PROGRAMS = Path(__file__).resolve().parents[1] / "programs"
FOLDER = ROOT / "target" / "peers-venv"
PYTHON = FOLDER / "bin" / "python"

# Module to import, and the script that measures with it.
PEERS = {
    "casadi": "casadi_ipopt.py",
    "quantecon": "quantecon_lemke.py",
    "drake": "drake_contact.py",
    "mujoco": "mujoco_contact.py",
}
MODULES = {"drake": "pydrake"}


def is_installed(peer):
    """Whether the peer can be found; it is not started for that."""
    find = "import importlib.util, sys; sys.exit(importlib.util.find_spec(sys.argv[1]) is None)"
    command = [PYTHON, "-c", find, MODULES.get(peer, peer)]
    return PYTHON.exists() and subprocess.run(command).returncode == 0


def install(say):
    """Installs what is missing; a peer that cannot be had is reported and left out."""
    if not PYTHON.exists():
        say(f"making a Python environment in {FOLDER.relative_to(ROOT)}")
        subprocess.run([sys.executable, "-m", "venv", FOLDER], check=True)
    for peer in PEERS:
        if is_installed(peer):
            continue
        say(f"installing {peer}")
        command = [PYTHON, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", peer]
        outcome = subprocess.run(command, stderr=subprocess.PIPE, text=True)
        if outcome.returncode != 0:
            reason = outcome.stderr.strip().splitlines() or ["no reason given"]
            say(f"  {peer} cannot be installed and is left out: {reason[-1]}")
