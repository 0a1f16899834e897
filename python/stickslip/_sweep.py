"""Sweeps: in this process, or on a Ray cluster."""

from __future__ import annotations

import functools
import importlib
import json
import os
import time
import warnings
from pathlib import Path
from typing import Any

from . import _stickslip
from ._errors import InputError, SweepError
from ._run import whole

_BATCH_SECONDS = 1.0
"""Work that a task of a cluster gets: long beside what a task costs, short beside what a lost one does."""
_PART_SECONDS = 1.0
"""How often finished runs are stored."""
_IN_FLIGHT = 4
"""Batches per processor that wait or run, so that no processor waits for the driver."""
_LARGEST_BATCH = 10_000

_Job = tuple[str, str, str, str]


def sweep(
    path: str | os.PathLike[str],
    *,
    output: str | os.PathLike[str] = "output",
    shard: str = "0/1",
    workers: int | None = None,
    engine: str = "local",
    address: str | None = None,
) -> tuple[Path, dict[str, Any]]:
    """Computes what the folder of a sweep lacks, and gives the folder and its manifest.

    The table is ``folder / "table.csv"``; ``stickslip sweep --collect FOLDER`` draws it. Whatever ends this call,
    what is stored stays, and the same call goes on from there.

    ``shard="I/N"`` computes share I, from 0, of N equal ones, each with its part of every stepper and value.

    ``engine="local"`` computes on ``workers`` threads of this process. ``engine="ray"`` computes on the Ray cluster
    at ``address`` (``"auto"`` for the one of this machine; one of its own without), where this version of stickslip
    has to be installed and the files that the scenario names have to be reachable; the sweep file and the scenario
    are sent along. Work that is lost with a worker or a node is given out again, and this process alone writes.
    """
    if engine not in ("local", "ray"):
        raise InputError(f'engine is "{engine}", but must be "local" or "ray"')
    if engine == "local" and address is not None:
        raise InputError('address is that of a Ray cluster; it needs engine="ray"')
    if engine == "ray" and workers is not None:
        raise InputError('workers are threads of this process; Ray decides by itself how many it has')
    share = _stickslip.Share(os.fspath(path), output=os.fspath(output), shard=shard)
    for file, damage in share.damaged:
        warnings.warn(f"a part was damaged, its runs are computed again ({damage}); it is now {file}", stacklevel=2)
    if engine == "local":
        share.compute(None if workers is None else whole("workers", workers, 1))
    elif len(share.missing()) > 0:
        _on_ray(share, address)
    folder, manifest = share.collect()
    return Path(folder), json.loads(manifest)


@functools.lru_cache(maxsize=4)
def _sweep_of(text: str, scenario_path: str, scenario: str) -> _stickslip.Sweep:
    return _stickslip.Sweep(text, scenario_path, scenario)


def _compute(job: _Job, numbers: list[int]) -> tuple[list[list[str]], float]:
    """A task of a cluster: the rows of these runs, and the seconds that they took."""
    version, *sweep_of = job
    if version != _stickslip.__version__:
        raise SweepError(
            f"a node has version {_stickslip.__version__} of stickslip, and the driver {version}; install the same"
        )
    started = time.monotonic()
    rows = _sweep_of(*sweep_of).compute(numbers)
    return rows, time.monotonic() - started


def _on_ray(share: _stickslip.Share, address: str | None) -> None:
    try:
        # Not typed here, since it need not be there.
        ray: Any = importlib.import_module("ray")
    except ImportError as error:
        raise SweepError('engine "ray" needs Ray, which is not installed: pip install ray') from error
    is_mine = not ray.is_initialized()
    if is_mine:
        ray.init(address=address, include_dashboard=False if address is None else None, log_to_driver=False)
    # A task that is lost with its worker or node is given out again; one that raises is not.
    task = ray.remote(_compute).options(max_retries=-1)
    job = ray.put((_stickslip.__version__, *share.job()))
    numbers = [int(number) for number in share.missing()]
    size, given = 1, 0
    running: dict[Any, int] = {}
    rows: list[list[str]] = []
    stored_at = time.monotonic()

    def store() -> None:
        nonlocal stored_at
        if rows:
            share.keep(rows)
            rows.clear()
        stored_at = time.monotonic()

    try:
        while given < len(numbers) or running:
            processors = max(1, int(ray.cluster_resources().get("CPU", 1)))
            while given < len(numbers) and len(running) < _IN_FLIGHT * processors:
                # Towards the end batches are smaller, so that processors end together.
                left = -(-(len(numbers) - given) // (2 * processors))
                batch = numbers[given : given + max(1, min(size, left))]
                running[task.remote(job, batch)] = len(batch)
                given += len(batch)
            done, _ = ray.wait(list(running), num_returns=1, timeout=_PART_SECONDS)
            for reference in done:
                count = running.pop(reference)
                found, seconds = ray.get(reference)
                rows.extend(found)
                fitting = int(_BATCH_SECONDS * count / max(seconds, 1e-6))
                size = max(1, min(_LARGEST_BATCH, fitting, 8 * size))
            if time.monotonic() - stored_at >= _PART_SECONDS:
                store()
    finally:
        # Also after Ctrl-C and after an exception: what is finished is kept.
        store()
        for reference in running:
            ray.cancel(reference)
        if is_mine:
            ray.shutdown()
