"""Results that outlive the process that computed them: pickled, copied, sent to other processes."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from ._errors import InputError


class Kept:
    """The answers that an object of the extension gave, in its place: its attributes, and its methods by their arguments."""

    def __init__(
        self, raw: Any, attributes: Iterable[str], calls: Iterable[tuple[str, tuple[Any, ...]]]
    ) -> None:
        self._attributes = {name: getattr(raw, name) for name in attributes}
        self._answers = {(name, arguments): getattr(raw, name)(*arguments) for name, arguments in calls}
        self._methods = {name for name, _ in self._answers}

    def __getattr__(self, name: str) -> Any:
        # Asked for before there is anything: while a pickle is being read.
        attributes: dict[str, Any] = self.__dict__.get("_attributes", {})
        if name in attributes:
            return attributes[name]
        if name not in self.__dict__.get("_methods", ()):
            raise AttributeError(name)
        return self._asking(name)

    def _asking(self, name: str) -> Callable[..., Any]:
        def ask(*arguments: Any) -> Any:
            if (name, arguments) not in self._answers:
                known = ", ".join(repr(key[1]) for key in self._answers if key[0] == name)
                raise InputError(
                    f"a pickled result does not have {name}{arguments!r}; it has {known}: ask before it is pickled"
                )
            return self._answers[(name, arguments)]

        return ask

    def __len__(self) -> int:
        length: int = self._answers[("__len__", ())]
        return length


def keep(raw: Any, attributes: Iterable[str], calls: Iterable[tuple[str, tuple[Any, ...]]]) -> Kept:
    """The answers of an object of the extension; those that are kept already as they are."""
    return raw if isinstance(raw, Kept) else Kept(raw, attributes, calls)
