"""Every operation is reachable from both clients."""

from __future__ import annotations

import inspect
import keyword
import re
from typing import Any, get_type_hints

import pytest

from mneme import AsyncMneme, Mneme, Model, models
from mneme._operations import OPERATIONS


CLIENTS = (Mneme(), AsyncMneme())


def method_of(client: Any, operation_id: str) -> Any:
    """By the rule of the README: the operation id in snake case."""
    area, verb = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", operation_id).lower().split(".")
    verb = f"{verb}_" if keyword.iskeyword(verb) else verb
    return getattr(getattr(client, area), verb)


@pytest.mark.parametrize("operation_id", OPERATIONS)
def test_an_operation_has_the_same_method_in_both_clients(operation_id: str) -> None:
    methods = [method_of(client, operation_id) for client in CLIENTS]
    one, other = (inspect.signature(method) for method in methods)
    assert list(one.parameters.values()) == list(other.parameters.values())
    assert inspect.getdoc(methods[0]) == inspect.getdoc(methods[1])
    assert inspect.getdoc(methods[0])


def test_every_name_in_an_annotation_exists() -> None:
    classes = [one for one in vars(models).values() if isinstance(one, type)]
    assert len(classes) > 200
    for one in classes:
        assert issubclass(one, Model)
        assert get_type_hints(one)
    for client in CLIENTS:
        for operation_id in OPERATIONS:
            function = method_of(client, operation_id).__func__
            assert "return" in get_type_hints(function)
