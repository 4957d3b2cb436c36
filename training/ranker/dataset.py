"""Reads a feature dump and evaluates rankings of it."""

import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np

TURN_SETS = ["conversations", "chats"]
TEXT_SETS = ["everyday", "notes", "documents", "library", "scenes"]


@dataclass
class Question:
    set: str
    group: str
    kind: str
    text: str
    idf_sum: float
    rows: np.ndarray  # of the matrix
    answers: np.ndarray  # positions in rows
    grades: np.ndarray  # by row

    @property
    def answerable(self) -> bool:
        return len(self.answers) > 0


@dataclass
class Dump:
    features: list[str]
    matrix: np.ndarray
    column: dict[str, int]
    questions: list[Question]

    def values(self, name: str) -> np.ndarray:
        return self.matrix[:, self.column[name]]


def read_dump(folder: Path, ranker: str) -> Dump:
    head = json.loads((folder / f"{ranker}.json").read_text())
    columns = head["columns"]
    matrix = np.fromfile(folder / f"{ranker}.f32", np.float32).reshape(-1, len(columns)).astype(float)
    column = {name: i for i, name in enumerate(columns)}
    questions, at = [], 0
    for one in head["questions"]:
        rows = np.arange(at, at + one["rows"])
        at += one["rows"]
        grades = matrix[rows, column["grade"]]
        questions.append(
            Question(one["set"], one["group"], one["kind"], one["text"], one["idfSum"], rows, np.flatnonzero(grades > 0), grades)
        )
    return Dump(head["features"], matrix, column, questions)


def order_of(question: Question, margins: np.ndarray, is_match: np.ndarray) -> np.ndarray:
    """Positions in rows, best first: matches, then the others."""
    return np.lexsort((-margins[question.rows], -is_match[question.rows]))


def figures_of(question: Question, order: np.ndarray) -> dict[str, float]:
    ranks = np.empty(len(order), int)
    ranks[order] = np.arange(1, len(order) + 1)
    own = np.sort(ranks[question.answers])
    gains = 2 ** question.grades - 1
    discount = 1 / np.log2(np.arange(2, 12))
    top, ideal = gains[order[:10]], np.sort(gains)[::-1][:10]
    return {
        "R@1": float(own[0] <= 1),
        "R@5": float(own[0] <= 5),
        "recall10": float((own <= 10).mean()),
        "MRR": 1 / own[0],
        "nDCG10": float((top * discount[: len(top)]).sum() / (ideal * discount[: len(ideal)]).sum()),
    }


def interval(values: list[float], rng: np.random.Generator) -> str:
    """Mean in per cent with a bootstrap interval of 95 %."""
    if not values:
        return "–"
    array = np.array(values)
    means = array[rng.integers(0, len(array), (1000, len(array)))].mean(1)
    low, high = np.quantile(means, [0.025, 0.975])
    return f"{100 * array.mean():.1f} ({100 * low:.1f}–{100 * high:.1f})"
