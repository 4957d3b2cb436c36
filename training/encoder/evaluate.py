"""Measures an encoder alone, by cosine."""

import json
from pathlib import Path

import torch

from network import Encoder, encode_all
from pieces import Pieces
from scenes import Scene


def ranks_of(questions: torch.Tensor, memories: torch.Tensor, answers: list[list[int]]) -> list[int]:
    """From 1: the place of the first answer."""
    scores = questions @ memories.T
    return [
        1 + int((scores[i] > max(scores[i][a] for a in own)).sum()) for i, own in enumerate(answers)
    ]


def summarise(ranks: list[int]) -> str:
    n = len(ranks)
    first = 100 * sum(rank == 1 for rank in ranks) / n
    five = 100 * sum(rank <= 5 for rank in ranks) / n
    mrr = 100 * sum(1 / rank for rank in ranks) / n
    return f"R@1 {first:.1f} R@5 {five:.1f} MRR {mrr:.1f} (n {n})"


def evaluate_scenes(encoder: Encoder, pieces: Pieces, scenes: list[Scene]) -> str:
    """Each question among the memories of six scenes of its subject, its own among them."""
    ranks: list[int] = []
    stale_first = stale_count = 0
    for start in range(0, len(scenes), 6):
        group = scenes[start : start + 6]
        memories = [text for scene in group for text in scene.memories]
        vectors = encode_all(encoder, [pieces.encode(text) for text in memories])
        at = 0
        for scene in group:
            asked = [q for q in scene.questions if q.answers]
            questions = encode_all(encoder, [pieces.encode(q.text) for q in asked])
            answers = [[at + a for a in q.answers] for q in asked]
            ranks += ranks_of(questions, vectors, answers)
            scores = questions @ vectors.T
            for i, q in enumerate(asked):
                if q.stale:
                    stale_count += 1
                    best = max(scores[i][a] for a in answers[i])
                    stale_first += int(max(scores[i][at + s] for s in q.stale) > best)
            at += len(scene.memories)
    return f"{summarise(ranks)}, outdated first {100 * stale_first / max(1, stale_count):.0f} %"


def evaluate_everyday(encoder: Encoder, pieces: Pieces, file: Path) -> str:
    ranks: dict[str, list[int]] = {}
    for account in json.loads(file.read_text())["accounts"]:
        keys = {m["key"]: i for i, m in enumerate(account["memories"])}
        vectors = encode_all(encoder, [pieces.encode(m["content"]) for m in account["memories"]])
        asked = [q for q in account["questions"] if q["answers"]]
        questions = encode_all(encoder, [pieces.encode(q["q"]) for q in asked])
        own = ranks_of(questions, vectors, [[keys[a] for a in q["answers"]] for q in asked])
        for q, rank in zip(asked, own):
            ranks.setdefault("all", []).append(rank)
            ranks.setdefault(q["kind"], []).append(rank)
    return "; ".join(f"{kind}: {summarise(ranks[kind])}" for kind in ("all", "paraphrase", "update") if kind in ranks)
