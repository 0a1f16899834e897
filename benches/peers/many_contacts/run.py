"""What a run of any program says of its steps."""

import multiprocessing
import resource
from dataclasses import dataclass, field
from statistics import median


class GivenUp(Exception):
    """A step takes longer than one has patience for, or the program cannot take it."""


@dataclass
class Run:
    # Processor time of a step, the median, in us.
    step_us: float
    # Of each step: the number of contacts, by how much Coulomb's law is missed, the deepest overlap in m.
    contacts: list[int] = field(default_factory=list)
    misses: list[float] = field(default_factory=list)
    overlaps: list[float] = field(default_factory=list)
    # How many steps are rescued, uncertified or failed, where a program says so, and its exit status.
    status: dict[str, int] = field(default_factory=dict)
    exit: int = 0
    # The largest residual that the program itself prints, of its own units.
    residual: float | None = None

    def seen(self, contacts, miss):
        self.contacts.append(len(contacts))
        self.misses.append(miss)
        self.overlaps.append(float(max(0.0, -contacts.gaps.min())) if len(contacts) else 0.0)

    def figures(self, width):
        """Medians over the steps that have contacts, the worst of them, and the deepest overlap over the `width` of a body."""
        touching = [place for place, count in enumerate(self.contacts) if count]
        if not touching:
            return {"contacts": 0, "miss": None, "worst_miss": None, "overlap": None}
        return {
            "contacts": median(self.contacts[place] for place in touching),
            "miss": median(self.misses[place] for place in touching),
            "worst_miss": max(self.misses[place] for place in touching),
            "overlap": max(self.overlaps) / width,
        }


def within(limit, work, *arguments):
    """What `work` gives, in a process of its own that has `limit` seconds of a processor: a step of a library cannot be
    ended from outside."""
    here, there = multiprocessing.get_context("fork").Pipe(duplex=False)
    process = multiprocessing.get_context("fork").Process(target=send, args=(there, limit, work, arguments))
    process.start()
    there.close()
    try:
        found = here.recv()
    except EOFError:
        found = GivenUp(f"a run takes more than {limit} s of a processor, or the program broke down")
    process.join()
    if isinstance(found, GivenUp):
        raise found
    return found


def send(pipe, limit, work, arguments):
    hold_to(limit)
    try:
        pipe.send(work(*arguments))
    except GivenUp as reason:
        pipe.send(reason)


def hold_to(limit):
    """Has the system end this process when it has used a processor for `limit` seconds, a whole number."""
    resource.setrlimit(resource.RLIMIT_CPU, (limit, limit))
