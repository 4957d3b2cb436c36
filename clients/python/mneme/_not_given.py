"""The default of parameters that can also be None."""

from __future__ import annotations

from typing import Final, final


@final
class NotGiven:
    """The type of NOT_GIVEN: the parameter is not sent, while None is sent as null."""

    __slots__ = ()

    def __bool__(self) -> bool:
        return False

    def __repr__(self) -> str:
        return "NOT_GIVEN"


NOT_GIVEN: Final = NotGiven()
