"""Pairs of memories by the patterns of texts/grammar.txt."""

import random
from dataclasses import dataclass, field
from pathlib import Path

from pairs import Pair

PEOPLE = (
    "Ana Ben Carla Dev Elif Farid Gina Henk Ivy Jakub Kira Luis Mona Nico Olga Paul Rosa Sven Tara Umar Vera Wen "
    "Xenia Yara Zoe Amir Birgit Chidi Dora Emil Fiona Goran Hilde Imran Jude Kaya Lars Mei Noor Otto"
).split()
TEAMS = (
    "the billing service|the mobile app|Project Heron|the search team|the reporting tool|the customer portal|the intranet|"
    "Project Marble|the data platform|the shop|the newsletter system|the booking engine|the payroll tool|the wiki|"
    "the support team|the chat bot|Project Juniper|the invoice parser|the warehouse system|the public site"
).split("|")
# Words before a statement, which change nothing.
OPENINGS = ["", "", "", "", "", "", "FYI: ", "Note: ", "By the way, ", "As of today, ", "From the call: ", "Update: "]


@dataclass
class Block:
    name: str
    values: list[str] = field(default_factory=list)
    states: list[str] = field(default_factory=list)
    changes: list[str] = field(default_factory=list)
    others: list[str] = field(default_factory=list)

    @property
    def kind(self) -> str:
        return self.name.split()[-1]


def read_grammar(file: Path) -> list[Block]:
    blocks: list[Block] = []
    for line in file.read_text().splitlines():
        if line.startswith("## "):
            blocks.append(Block(line[3:]))
        elif line.startswith("values: "):
            blocks[-1].values = line.removeprefix("values: ").split(" | ")
        elif line[:2] in ("S ", "C ", "N "):
            own = blocks[-1]
            {"S": own.states, "C": own.changes, "N": own.others}[line[0]].append(line[2:])
    return blocks


def pairs_of_grammar(file: Path, count: int, rng: random.Random, weight: float) -> list[Pair]:
    """`count` older memories of each block, each with one change and four others."""
    blocks = read_grammar(file)
    pairs: list[Pair] = []
    for block in blocks:
        near = [other for other in blocks if other.kind == block.kind and other is not block]
        for _ in range(count):
            pairs += _pairs_of(block, near, rng, weight)
    return pairs


def _pairs_of(block: Block, near: list[Block], rng: random.Random, weight: float) -> list[Pair]:
    words = dict(zip("abc", rng.sample(block.values, 3)))
    words |= dict(zip("pq", rng.sample([one for one in PEOPLE if one not in words.values()], 2)))
    words |= dict(zip("tu", rng.sample(TEAMS, 2)))

    def fill(pattern: str, opening: str = "", **own: str) -> str:
        text = pattern.format(**{**words, **own})
        if opening.endswith((": ", ", ")) and pattern.startswith(("The ", "We ", "{t}")):
            return opening + text[0].lower() + text[1:] if opening.endswith(", ") else opening + text[0].upper() + text[1:]
        return text[0].upper() + text[1:]

    state, again = rng.sample(block.states, 2)
    older = fill(state)
    change = fill(rng.choice(block.changes), rng.choice(OPENINGS))
    others = [fill(pattern, rng.choice(OPENINGS)) for pattern in rng.sample(block.others, 2)]
    # Said again; another attribute of the same one, stated or changed; the same of another one.
    others.append(fill(again))
    if near and rng.random() < 0.7:
        neighbour = rng.choice(near)
        values = dict(zip("abc", rng.sample(neighbour.values, 3)))
        stated = [pattern for pattern in neighbour.states + neighbour.changes if "{a}" in pattern or "{b}" in pattern]
        others.append(fill(rng.choice(stated), rng.choice(OPENINGS), **values))
    elif block.kind in ("third", "team"):
        pattern = rng.choice(block.states + block.changes)
        others.append(fill(pattern, a=words["b"], b=words["c"], p=words["q"], t=words["u"]))
    return [Pair(older, change, True, weight)] + [Pair(older, other, False, weight) for other in others if other != older]
