from __future__ import annotations

import importlib.util
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from anyio.abc import BlockingPortal

from mneme import Mneme, MnemeError

if importlib.util.find_spec("langgraph") is None:
    sys.path.append(str(Path(__file__).parents[1] / "interfaces"))

from langgraph.store.base import GetOp, ListNamespacesOp, MatchCondition, PutOp, SearchOp

from mneme.langgraph import MnemeStore


@pytest.fixture
def client() -> Iterator[Mneme]:
    """A client of a new account."""
    with Mneme() as operator:
        account = operator.admin.create_account(name="store", plan="enterprise")
        key = operator.admin.create_key(account.id, name="test").key
    with Mneme(api_key=key) as created:
        yield created


@pytest.fixture
def store(client: Mneme) -> Any:
    return MnemeStore(client, user_id="ana")


def keys(items: Any) -> list[str]:
    return [item.key for item in items]


def put_documents(store: Any) -> None:
    store.put(("docs", "a"), "one", {"title": "Alpha", "score": 4.5, "color": "red", "n": None})
    store.put(("docs", "a"), "two", {"title": "Beta", "score": 3, "color": "blue"})
    store.put(("docs", "b"), "three", {"title": "Gamma", "score": "7", "color": "red"})
    store.put(("docs", "bc"), "four", {"title": "Delta", "nested": {"deep": [1, 2], "x": 1}})
    store.put(("other",), "five", {"title": "Epsilon", "score": 5})


def test_an_item_is_put_read_replaced_and_deleted(store: Any) -> None:
    assert store.get(("a", "b"), "key") is None
    store.put(("a", "b"), "key", {"text": "x", "list": [1, {"y": None}], "flag": False})
    first = store.get(("a", "b"), "key")
    assert (first.namespace, first.key) == (("a", "b"), "key")
    assert first.value == {"text": "x", "list": [1, {"y": None}], "flag": False}
    assert store.get(("a",), "key") is None

    store.put(("a", "b"), "key", {"second": 2})
    second = store.get(("a", "b"), "key")
    assert second.value == {"second": 2}
    assert second.created_at == first.created_at
    assert second.updated_at > first.updated_at

    store.delete(("a", "b"), "key")
    store.delete(("a", "b"), "key")
    assert store.get(("a", "b"), "key") is None


LABELS = ["with space", "ünï/cødé", "100%", "a,b", '"quoted"', "Upper", "upper", "日本", "a:b"]


def test_names_and_values_of_any_characters_come_back_exactly(store: Any) -> None:
    value = {"a": "\0", "b": "\ud800", "c": "😀", "d": "line\nline", "e": "", "f": 1e21}
    store.put(("values",), "key", value)
    store.put(("values",), "empty", {})
    assert store.get(("values",), "key").value == value
    assert store.get(("values",), "empty").value == {}
    for label in LABELS:
        store.put(("labels", label), label, {"label": label})
    assert [store.get(("labels", label), label).value for label in LABELS] == [
        {"label": label} for label in LABELS
    ]
    assert keys(store.search(("labels", "Upper"))) == ["Upper"]

    long = ("long", "x" * 300, "y" * 1_000)
    store.put(long, "z" * 2_000, {"x": 1})
    assert store.get(long, "z" * 2_000).value == {"x": 1}
    assert keys(store.search(long[:2])) == ["z" * 2_000]


def test_the_store_of_the_typescript_sdk_finds_the_same_items(client: Mneme, store: Any) -> None:
    store.put(("ünï/cødé", "a b"), "x,y:z!", {"x": 1})
    (memory,) = client.memories.list()
    assert memory.metadata == {
        "record": "langgraph:%C3%BCn%C3%AF%2Fc%C3%B8d%C3%A9/a%20b:x%2Cy%3Az!",
        "folder": ["ünï/cødé", "a b"],
        "key": "x,y:z!",
    }
    assert sorted(memory.tags) == [
        "langgraph:",
        "langgraph:%C3%BCn%C3%AF%2Fc%C3%B8d%C3%A9",
        "langgraph:%C3%BCn%C3%AF%2Fc%C3%B8d%C3%A9/a%20b",
    ]
    assert (memory.content, memory.user_id) == ('{"x":1}', "ana")


def test_a_search_finds_what_is_below_a_prefix(store: Any) -> None:
    put_documents(store)
    assert keys(store.search(("docs",))) == ["one", "two", "three", "four"]
    assert keys(store.search(("docs", "b"))) == ["three"]
    assert keys(store.search(())) == ["one", "two", "three", "four", "five"]
    assert keys(store.search(("docs",), limit=2, offset=1)) == ["two", "three"]
    assert store.search(("docs",), offset=9) == []


FILTERS = [
    ({"color": "red"}, ["one", "three"]),
    ({"color": "red", "title": "Alpha"}, ["one"]),
    ({"missing": "x"}, []),
    ({"title": {"$eq": "Beta"}}, ["two"]),
    ({"color": {"$ne": "red"}}, ["two", "four", "five"]),
    ({"nested": {"deep": [1, 2]}}, ["four"]),
    ({"nested": {"deep": [1]}}, []),
]


@pytest.mark.parametrize(("required", "expected"), FILTERS)
def test_a_filter_compares_as_the_store_in_memory(
    store: Any, required: dict[str, Any], expected: list[str]
) -> None:
    put_documents(store)
    assert keys(store.search((), filter=required)) == expected


def test_operators_compare_numbers(store: Any) -> None:
    for key, score in [("low", 1), ("middle", "2.5"), ("high", 4)]:
        store.put(("scores",), key, {"score": score})
    found = {
        operator: keys(store.search(("scores",), filter={"score": {operator: 2.5}}))
        for operator in ("$gt", "$gte", "$lt", "$lte")
    }
    assert found == {
        "$gt": ["high"],
        "$gte": ["middle", "high"],
        "$lt": ["low"],
        "$lte": ["low", "middle"],
    }
    with pytest.raises(ValueError, match=r"Unsupported operator: \$near"):
        store.search(("scores",), filter={"score": {"$near": 2}})


def test_a_query_ranks_what_is_indexed(client: Mneme) -> None:
    store: Any = MnemeStore(client, index=["text", "parts[*].text"])
    store.put(("n",), "paris", {"text": "The capital of France is Paris.", "kind": "city"})
    store.put(("n",), "bread", {"parts": [{"text": "Bread is baked from flour."}], "kind": "food"})
    store.put(("n",), "hidden", {"text": "Paris has a metro."}, index=False)
    store.put(("m",), "else", {"text": "Paris is far away."})
    found = store.search(("n",), query="what is the capital of France?")
    assert keys(found) == ["paris", "bread", "hidden"]
    assert found[0].score > found[1].score
    assert found[2].score is None
    assert found[0].value == {"text": "The capital of France is Paris.", "kind": "city"}
    assert keys(store.search(("n",), query="flour", filter={"kind": "food"})) == ["bread"]
    assert keys(store.search(("n",), query="flour " * 500, limit=1)) == ["bread"]


def test_namespaces_are_listed_by_prefix_suffix_and_depth(store: Any) -> None:
    namespaces = [
        ("a", "b", "c"),
        ("a", "b", "d", "e"),
        ("a", "b", "d", "i"),
        ("a", "c", "f"),
        ("b", "a", "f"),
        ("users", "123", "settings"),
        ("users", "456", "settings"),
    ]
    for namespace in namespaces:
        store.put(namespace, "key", {"x": 1})
    assert store.list_namespaces() == namespaces
    assert store.list_namespaces(prefix=("a", "b"), max_depth=3) == [
        ("a", "b", "c"),
        ("a", "b", "d"),
    ]
    assert store.list_namespaces(suffix=("f",)) == [("a", "c", "f"), ("b", "a", "f")]
    assert store.list_namespaces(prefix=("users", "*", "settings"), limit=1, offset=1) == [
        ("users", "456", "settings")
    ]
    condition = MatchCondition("infix", ("a",))  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="Unsupported match type: infix"):
        store.batch([ListNamespacesOp((condition,))])


def test_a_batch_reads_before_it_writes_and_keeps_the_last_write(store: Any) -> None:
    store.put(("a",), "key", {"x": 1})
    results = store.batch(
        [
            PutOp(("a",), "key", {"x": 2}),
            GetOp(("a",), "key"),
            PutOp(("a",), "new", {"x": 3}),
            PutOp(("a",), "new", {"x": 4}),
            PutOp(("a",), "gone", None),
            SearchOp(("a",)),
        ]
    )
    assert [results[0], *results[2:5]] == [None] * 4
    assert results[1].value == {"x": 1}
    assert keys(results[5]) == ["key"]
    assert [store.get(("a",), key).value for key in ("key", "new")] == [{"x": 2}, {"x": 4}]
    with pytest.raises(ValueError, match="Unknown operation: str"):
        store.batch(["get"])


def test_a_value_that_is_no_json_fails_the_whole_batch(store: Any) -> None:
    with pytest.raises(ValueError, match="JSON"):
        store.batch([PutOp(("a",), "good", {"x": 1}), PutOp(("a",), "bad", {"x": float("nan")})])
    assert store.get(("a",), "good") is None


def test_stores_of_other_owners_and_spaces_are_apart(client: Mneme, store: Any) -> None:
    space = client.spaces.create(name="agents")
    others: list[Any] = [
        MnemeStore(client),
        MnemeStore(client, user_id="ben"),
        MnemeStore(client, user_id="ana", agent_id="planner"),
        MnemeStore(client, user_id="ana", space="agents"),
    ]
    store.put(("a",), "key", {"of": "ana"})
    for place, other in enumerate(others):
        assert other.get(("a",), "key") is None
        assert other.search(("a",), query="ana") == []
        other.put(("a",), "key", {"of": place})
    assert store.get(("a",), "key").value == {"of": "ana"}
    assert MnemeStore(client, user_id="ana", space_id=space.id).get(("a",), "key").value == {
        "of": 3
    }
    with pytest.raises(MnemeError, match="space"):
        MnemeStore(client, space="missing").put(("a",), "key", {"x": 1})


def test_the_asynchronous_methods_do_the_same(store: Any, portal: BlockingPortal) -> None:
    portal.call(store.abatch, [PutOp(("a",), "key", {"x": 1})])
    assert portal.call(store.abatch, [GetOp(("a",), "key")])[0].value == {"x": 1}
    with pytest.raises(TypeError, match="index is a list of paths"):
        MnemeStore(store._records._client, index="text")
