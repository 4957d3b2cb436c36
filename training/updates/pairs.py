"""Pairs of an older and a newer memory: does the newer one outdate the older one?"""

import json
import random
import re
import sys
from dataclasses import dataclass
from pathlib import Path

ENCODER = Path(__file__).parent.parent / "encoder"
LABELS = Path(__file__).parent / "texts" / "scene-labels.jsonl"
sys.path.append(str(ENCODER))
from scenes import Scene, read_scenes  # noqa: E402


@dataclass(frozen=True)
class Pair:
    older: str
    newer: str
    is_change: bool
    # How much an error on it counts.
    weight: float = 1.0


def read_groups(files: list[Path], held_out_share: float) -> tuple[list[Pair], list[Pair]]:
    """
    Lines of `{older, changes, none}`: of one older memory, newer ones that outdate it and others.
    Returns the pairs to train on, and those of an even share of the groups, which are held out.
    """
    training: list[Pair] = []
    held_out: list[Pair] = []
    every = round(1 / held_out_share) if held_out_share > 0 else 0
    count = 0
    for file in files:
        for line in file.read_text().splitlines():
            if not line.strip():
                continue
            group = json.loads(line)
            count += 1
            pairs = held_out if every > 0 and count % every == 0 else training
            pairs += [Pair(group["older"], newer, True) for newer in group["changes"]]
            pairs += [Pair(group["older"], newer, False) for newer in group["none"]]
    return training, held_out


FIRST_PERSON = re.compile(r"(I|My|We|Our|I'm|I've|We're|We've)\b")
NAME = re.compile(r"([A-Z][a-zéèöüäçıİŞşğ]+)('s)? ")
NO_NAMES = {"The", "In", "On", "At", "For", "User", "After", "All", "Always", "No", "A", "An", "Every", "Since", "From", "It", "There", "This", "That"}


def subject_of(text: str) -> str | None:
    """`I` for the first person, or the name that the text begins with."""
    if FIRST_PERSON.match(text):
        return "I"
    name = NAME.match(text)
    return name[1] if name and name[1] not in NO_NAMES else None


def pairs_across_groups(files: list[Path], per_group: int, rng: random.Random, weight: float) -> list[Pair]:
    """A memory of a group, and what is new in other ones about the same subject: another topic."""
    groups = [json.loads(line) for file in files for line in file.read_text().splitlines() if line.strip()]
    own: list[tuple[str, str]] = []
    named: list[tuple[str, str]] = []
    for group in groups:
        for newer in group["changes"]:
            subject = subject_of(newer)
            if subject is not None and subject == subject_of(group["older"]):
                (own if subject == "I" else named).append((subject, newer))
    pairs: list[Pair] = []
    for group in groups:
        subject = subject_of(group["older"])
        if subject is None:
            continue
        for name, newer in rng.sample(own if subject == "I" else named, per_group):
            text = newer if name == subject else re.sub(rf"\b{name}\b", subject, newer)
            if newer not in group["changes"]:
                pairs.append(Pair(group["older"], text, False, weight))
    return pairs


def read_labelled(files: list[Path]) -> list[Pair]:
    """Lines of `{older, newer, kind}`: `change` or `none`."""
    rows = [json.loads(line) for file in files for line in file.read_text().splitlines() if line.strip()]
    return [Pair(row["older"], row["newer"], row["kind"] == "change") for row in rows]


def _words(text: str) -> set[str]:
    return {word for word in "".join(c if c.isalnum() else " " for c in text.lower()).split() if len(word) > 3}


def pairs_of_scenes(files: list[Path], per_change: int, rng: random.Random, weight: float) -> list[Pair]:
    """
    Of each scene what a question calls outdated, and per change some other pairs of the scene: half
    of them those that share most words.
    """
    pairs: list[Pair] = []
    for file in files:
        for scene in read_scenes(file):
            pairs += _pairs_of(scene, per_change, rng, weight)
    return pairs


def _pairs_of(scene: Scene, per_change: int, rng: random.Random, weight: float) -> list[Pair]:
    changes = changes_of(scene)
    outdated = {older for older, _ in changes}
    words = [_words(text) for text in scene.memories]
    others = [
        (older, newer)
        for newer in range(len(scene.memories))
        for older in range(newer)
        # What outdates an outdated memory in a way that no question asks for is not known.
        if (older, newer) not in changes and older not in outdated
    ] + [
        (older, newer)
        for newer in range(len(scene.memories))
        for older in outdated
        if older < newer and all(newer < end for start, end in changes if start == older)
    ]
    shared = sorted(others, key=lambda pair: -len(words[pair[0]] & words[pair[1]]))
    count = per_change * max(1, len(changes))
    chosen = set(shared[: count // 2])
    remaining = [pair for pair in others if pair not in chosen]
    chosen |= set(rng.sample(remaining, min(len(remaining), count - len(chosen))))
    texts = scene.memories
    return [Pair(texts[a], texts[b], True, weight) for a, b in sorted(changes)] + [
        Pair(texts[a], texts[b], False, weight) for a, b in sorted(chosen)
    ]


def pairs_of_neighbours(
    scenes: Path, neighbours: Path, labels: Path, nearest: int, weight: float
) -> dict[str, list[Pair]]:
    """
    By subject, what a question calls outdated, and the pairs of each memory with its nearest
    earlier ones, as the detection compares them. `neighbours` is written by neighbours.ts; `labels`
    says of some pairs whether they are changes that no question asks for, or that this is unknown.
    """
    kinds: dict[str, dict[tuple[int, int], str]] = {}
    for line in labels.read_text().splitlines():
        row = json.loads(line)
        kinds.setdefault(row["scene"], {})[row["older"], row["newer"]] = row["kind"]
    near: dict[str, list[tuple[int, int]]] = {}
    for line in neighbours.read_text().splitlines():
        row = json.loads(line)
        near.setdefault(row["scene"], []).append((row["older"], row["newer"]))
    result: dict[str, list[Pair]] = {}
    for file in sorted(scenes.glob("*.txt")):
        own = result.setdefault(file.stem, [])
        for at, scene in enumerate(read_scenes(file)):
            key = f"{file.stem}/{at}"
            own += _nearest_of(scene, near.get(key, []), kinds.get(key, {}), nearest, weight)
    return result


def changes_of(scene: Scene) -> set[tuple[int, int]]:
    return {
        (older, newer)
        for question in scene.questions
        for older in question.stale
        for newer in question.answers
        if older < newer
    }


def _nearest_of(
    scene: Scene, near: list[tuple[int, int]], kinds: dict[tuple[int, int], str], nearest: int, weight: float
) -> list[Pair]:
    changes = changes_of(scene) | {pair for pair, kind in kinds.items() if kind == "change"}
    # What outdates an outdated memory in a way that no question asks for is not known.
    end = {older: min(n for o, n in changes if o == older) for older, _ in changes}
    count: dict[int, int] = {}
    others: list[tuple[int, int]] = []
    for older, newer in near:
        count[newer] = count.get(newer, 0) + 1
        if (older, newer) in changes or newer >= end.get(older, newer + 1):
            continue
        kind = kinds.get((older, newer))
        if kind == "none" or (kind is None and count[newer] <= nearest):
            others.append((older, newer))
    texts = scene.memories
    return [Pair(texts[a], texts[b], True, weight) for a, b in sorted(changes)] + [
        Pair(texts[a], texts[b], False, weight) for a, b in others
    ]
