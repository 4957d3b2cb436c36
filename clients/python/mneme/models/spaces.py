"""Objects of responses: spaces.

Generated from the OpenAPI document by tools/emit-python.ts; do not edit.
"""

from __future__ import annotations

from .._paginate import Page
from .knowledge import OffsetPagination
from .search import Space


class SpacePage(Page[Space]):
    _record_field = "data"

    data: list[Space]
    pagination: OffsetPagination
