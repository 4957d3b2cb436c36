"""Objects of responses: plain classes whose annotations say how JSON is converted."""

from __future__ import annotations

import keyword
import types
from collections.abc import Callable, Mapping
from datetime import datetime
from functools import lru_cache
from typing import (
    TYPE_CHECKING,
    Any,
    Literal,
    TypeGuard,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)

Converter = Callable[[Any], Any]


class Model:
    """An object of a response, read-only.

    Attributes have the names of the API; a Python keyword gets a trailing underscore. A field that
    this version does not know is an attribute too, with its JSON value. An optional field that is
    missing is None.
    """

    def __init__(self, data: Mapping[str, Any]) -> None:
        converters = shape_of(type(self)).converters
        values: dict[str, Any] = {"_data": data}
        for name, value in data.items():
            convert = converters.get(name)
            values[attribute_name(name)] = value if convert is None else convert(value)
        self.__dict__.update(values)

    def to_dict(self) -> dict[str, Any]:
        """The object as it arrived in JSON, with all fields."""
        return dict(self.__dict__["_data"])

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"{type(self).__name__} is read-only: cannot set {name}")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"{type(self).__name__} is read-only: cannot delete {name}")

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Model) or type(self) is not type(other):
            return NotImplemented
        return bool(self.__dict__["_data"] == other.__dict__["_data"])

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        names = [attribute_name(name) for name in self.__dict__["_data"]]
        fields = ", ".join(f"{name}={self.__dict__[name]!r}" for name in names)
        return f"{type(self).__name__}({fields})"

    def __reduce__(self) -> tuple[type, tuple[dict[str, Any]]]:
        return (type(self), (self.to_dict(),))

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            raise AttributeError(f"{type(self).__name__} has no field {name} in this response")


#: Names of methods, which a field of a newer server must not replace.
RESERVED_NAMES = frozenset({"to_dict", "records", "pages"})


def attribute_name(name: str) -> str:
    """The attribute of a field: `from` is `from_`."""
    is_reserved = keyword.iskeyword(name) or name.startswith("_") or name in RESERVED_NAMES
    return f"{name}_" if is_reserved else name


class Shape:
    """What the annotations of a class say about its JSON."""

    __slots__ = ("constants", "converters", "names", "nested", "required")

    def __init__(self, cls: type[Model]) -> None:
        hints = {
            name[:-1] if name.endswith("_") else name: hint
            for name, hint in get_type_hints(cls).items()
            if not name.startswith("_")
        }
        self.converters = {
            name: convert
            for name, hint in hints.items()
            if (convert := converter_for(hint)) is not None
        }
        self.names = hints.keys()
        self.required = {name for name in hints if not hasattr(cls, attribute_name(name))}
        self.constants = {
            name: get_args(hint)[0]
            for name, hint in hints.items()
            if get_origin(hint) is Literal and len(get_args(hint)) == 1
        }
        self.nested: dict[str, type[Model]] = {
            name: hint for name, hint in hints.items() if is_model(hint)
        }


@lru_cache(maxsize=None)
def shape_of(cls: type[Model]) -> Shape:
    return Shape(cls)


def is_model(hint: object) -> TypeGuard[type[Model]]:
    return isinstance(hint, type) and issubclass(hint, Model)


def converter_for(hint: Any) -> Converter | None:
    """Converts a JSON value to the type; None if the value stays as it is."""
    if hint is datetime:
        return parse_datetime
    if is_model(hint):
        return lambda value: hint(value) if isinstance(value, Mapping) else value
    origin, args = get_origin(hint), get_args(hint)
    if origin is list:
        return wrapped(items_converter, converter_for(args[0]))
    if origin is dict:
        return wrapped(values_converter, converter_for(args[1]))
    if origin is Union or origin is types.UnionType:
        return union_converter([arg for arg in args if arg is not type(None)])
    return None


def union_converter(members: list[Any]) -> Converter | None:
    if len(members) == 1:
        return wrapped(optional_converter, converter_for(members[0]))
    models = [member for member in members if is_model(member)]
    if not models:
        return None
    return lambda value: choose(models, value) if isinstance(value, Mapping) else value


def wrapped(wrap: Callable[[Converter], Converter], inner: Converter | None) -> Converter | None:
    return None if inner is None else wrap(inner)


def optional_converter(convert: Converter) -> Converter:
    return lambda value: None if value is None else convert(value)


def items_converter(convert: Converter) -> Converter:
    return lambda value: [convert(item) for item in value] if isinstance(value, list) else value


def values_converter(convert: Converter) -> Converter:
    def convert_values(value: Any) -> Any:
        if not isinstance(value, Mapping):
            return value
        return {key: convert(item) for key, item in value.items()}

    return convert_values


def choose(models: list[type[Model]], data: Mapping[str, Any]) -> Model:
    """An object of the class that describes most of the data; a `Model` if none describes it."""
    fits = [(recognized_fields(model, data), model) for model in models]
    best = max(fits, key=lambda fit: fit[0])
    return best[1](data) if best[0] > 0 else Model(data)


def recognized_fields(model: type[Model], data: Any) -> int:
    """How many fields the class knows; 0 if one is missing or a constant has another value."""
    if not isinstance(data, Mapping):
        return 0
    shape = shape_of(model)
    if any(name in data and data[name] != value for name, value in shape.constants.items()):
        return 0
    if not shape.required <= data.keys():
        return 0
    count = len(shape.names & data.keys()) or 1
    for name, nested in shape.nested.items():
        if name not in data:
            continue
        found = recognized_fields(nested, data[name])
        if found == 0:
            return 0
        count += found
    return count


def parse_datetime(value: Any) -> Any:
    """Parses a timestamp of the API; any other value stays as it is."""
    if not isinstance(value, str):
        return value
    try:
        # Python 3.10 does not read Z.
        return datetime.fromisoformat(value[:-1] + "+00:00" if value.endswith("Z") else value)
    except ValueError:
        return value


def decode(hint: Any, value: Any) -> Any:
    """Converts JSON to the type of a response."""
    convert = converter_for(hint)
    return value if convert is None else convert(value)
