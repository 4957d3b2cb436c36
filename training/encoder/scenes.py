"""Reads the training texts: scenes of memories and questions, and pairs of a question and a memory."""

import json
import re
from dataclasses import dataclass, field
from pathlib import Path


@dataclass
class Question:
    text: str
    answers: list[int]
    stale: list[int]


@dataclass
class Scene:
    subject: str
    memories: list[str] = field(default_factory=list)
    questions: list[Question] = field(default_factory=list)


LINE = re.compile(r"^q ((?:m\d+ )*)((?:!m\d+ )*)(?:- )?\| (.+)$")


def read_scenes(file: Path) -> list[Scene]:
    scenes: list[Scene] = []
    keys: dict[str, int] = {}
    for line in file.read_text().splitlines():
        if line.startswith("## "):
            scenes.append(Scene(file.stem))
            keys = {}
        elif memory := re.match(r"^(m\d+) \d{4}-\d\d-\d\d \| (.+)$", line):
            keys[memory[1]] = len(scenes[-1].memories)
            scenes[-1].memories.append(memory[2])
        elif question := LINE.match(line):
            answers = [keys[key] for key in question[1].split()]
            stale = [keys[key[1:]] for key in question[2].split()]
            scenes[-1].questions.append(Question(question[3], answers, stale))
    return scenes


def read_pairs(file: Path) -> list[tuple[str, str]]:
    rows = [json.loads(line) for line in file.read_text().splitlines() if line.strip()]
    return [(row["q"], row["m"]) for row in rows]
