"""Splits texts into the pieces of the vocabulary: a unigram model, as sentencepiece has."""

import json
import math
import re
import unicodedata
from pathlib import Path

SPACE = "\u2581"
RESERVED = 6
UNKNOWN = 0
MAX_PIECES = 128
UNKNOWN_SCORE = -20.0


class Pieces:
    def __init__(self, vocabulary_file: Path) -> None:
        entries = json.loads(vocabulary_file.read_text())
        self.scores = {piece: (score or 0.0, i) for i, (piece, score) in enumerate(entries) if i >= RESERVED}
        self.longest = max(len(piece) for piece in self.scores)

    def encode(self, text: str) -> list[int]:
        """The ids of the most probable pieces, at most MAX_PIECES; adjacent unknown ones are merged."""
        text = unicodedata.normalize("NFKC", text)
        text = re.sub(r"\s+", " ", text).strip()
        if not text:
            return [UNKNOWN]
        text = SPACE + text.replace(" ", SPACE)
        size = len(text)
        best = [0.0] + [-math.inf] * size
        back: list[tuple[int, int]] = [(0, UNKNOWN)] * (size + 1)
        for start in range(size):
            if best[start] == -math.inf:
                continue
            found = False
            for end in range(start + 1, min(size, start + self.longest) + 1):
                entry = self.scores.get(text[start:end])
                if entry is None:
                    continue
                found = found or end == start + 1
                score = best[start] + entry[0]
                if score >= best[end]:
                    best[end], back[end] = score, (start, entry[1])
            if not found:
                score = best[start] + UNKNOWN_SCORE
                if score > best[start + 1]:
                    best[start + 1], back[start + 1] = score, (start, UNKNOWN)
        ids: list[int] = []
        end = size
        while end > 0:
            end, piece = back[end]
            if not (piece == UNKNOWN and ids and ids[-1] == UNKNOWN):
                ids.append(piece)
        ids.reverse()
        return ids[:MAX_PIECES]
