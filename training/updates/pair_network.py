"""The pair network: the layers of the shipped encoder over an older and a newer memory together."""

import json
import sys
from pathlib import Path

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

sys.path.append(str(Path(__file__).parent.parent / "encoder"))
from network import Layer  # noqa: E402

# Pieces of each memory of a pair.
PIECES = 64
HIDDEN = 64


class PairNetwork(nn.Module):
    """
    Both memories pass the transformer layers together, each with the positions from 0 and a vector
    that tells which memory a piece is of, and whether the other memory has it, too. Means of both,
    their distance and their product give the log-odds that the newer one outdates the older one.
    """

    def __init__(self, dropout: float = 0.0) -> None:
        super().__init__()
        self.layers = nn.ModuleList([Layer(256, dropout), Layer(512, dropout)])
        self.segments = nn.Parameter(torch.zeros(4, 256))
        self.hidden = nn.Linear(4 * 512, HIDDEN)
        self.output = nn.Linear(HIDDEN, 1)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("embeddings", torch.zeros(8002, 256))
        self.register_buffer("timing", torch.zeros(128, 256))

    def forward(self, ids: torch.Tensor, segment: torch.Tensor, position: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        x = self.dropout(2 * self.embeddings[ids]) + self.timing[position] + self.segments[segment]
        for layer in self.layers:
            x = layer(x, mask)
        older, newer = (self._mean(x, mask & (segment % 2 == at)) for at in (0, 1))
        pooled = torch.cat([older, newer, (older - newer).abs(), older * newer], dim=-1)
        return self.output(self.dropout(F.relu(self.hidden(self.dropout(pooled)))))[:, 0]

    @staticmethod
    def _mean(x: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        return (x * mask[:, :, None]).sum(1) / mask.sum(1, keepdim=True).clamp(min=1)


def load_shipped(network: PairNetwork, folder: Path) -> None:
    """Starts from the weights of the shipped encoder, whose embeddings the network shares."""
    parts = json.loads((folder / "encoder.json").read_text())["parts"]
    data = (folder / "encoder.bin").read_bytes()

    def floats(name: str) -> np.ndarray:
        part = parts[name]
        return np.frombuffer(data, np.float32, part["rows"] * part["columns"], part["at"])

    def matrix(name: str) -> torch.Tensor:
        part = parts[name]
        values = np.frombuffer(data, np.int8, part["rows"] * part["columns"], part["at"])
        values = values.reshape(part["rows"], part["columns"]) * floats(f"{name}.scale")[:, None]
        return torch.from_numpy(values.astype(np.float32))

    network.embeddings.copy_(matrix("embeddings"))
    network.timing.copy_(torch.from_numpy(floats("positions").reshape(128, 256).copy()))
    own = dict(network.named_parameters())
    with torch.no_grad():
        for name, value in own.items():
            if not name.startswith("layers."):
                continue
            stem = name.removesuffix(".weight")
            value.copy_(matrix(stem) if value.ndim == 2 else torch.from_numpy(floats(name).copy()))


def segments_of(older: list[int], newer: list[int]) -> list[int]:
    """Of each piece 0 or 1 for the memory that it is of, and 2 more if the other memory has it, too."""
    first, second = set(older), set(newer)
    return [2 * (piece in second) for piece in older] + [1 + 2 * (piece in first) for piece in newer]


def to_batch(pairs: list[tuple[list[int], list[int]]]) -> tuple[torch.Tensor, ...]:
    width = max(len(older) + len(newer) for older, newer in pairs)
    ids, segment, position = (torch.zeros(len(pairs), width, dtype=torch.long) for _ in range(3))
    mask = torch.zeros(len(pairs), width, dtype=torch.bool)
    for row, (older, newer) in enumerate(pairs):
        size = len(older) + len(newer)
        ids[row, :size] = torch.tensor(older + newer)
        segment[row, :size] = torch.tensor(segments_of(older, newer))
        position[row, :size] = torch.tensor([*range(len(older)), *range(len(newer))])
        mask[row, :size] = True
    return ids, segment, position, mask
