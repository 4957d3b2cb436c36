"""Rounds the weights to signed bytes and writes the pack that the server reads."""

import argparse
import json
from pathlib import Path

import numpy as np
import torch

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--weights", type=Path, required=True)
parser.add_argument("--vocabulary", type=Path, required=True)
parser.add_argument("--model", required=True, help="the model's name, such as use-lite-en-256@1")
parser.add_argument("--out", type=Path, required=True)
args = parser.parse_args()

state = {name: value.numpy() for name, value in torch.load(args.weights).items()}
parts: dict[str, dict[str, int]] = {}
data = bytearray()


def add(name: str, values: np.ndarray) -> None:
    data.extend(b"\0" * (-len(data) % 16))
    rows, columns = (values.shape[0], values.shape[1] if values.ndim > 1 else 1)
    parts[name] = {"at": len(data), "rows": rows, "columns": columns}
    data.extend(values.tobytes())


def add_matrix(name: str, values: np.ndarray) -> None:
    """A scale for each row, so that its largest magnitude is 127."""
    scale = np.maximum(np.abs(values).max(axis=1), 1e-12) / 127
    add(name, np.rint(values / scale[:, None]).astype(np.int8))
    add(f"{name}.scale", scale.astype(np.float32))


for name, values in state.items():
    stem = name.removesuffix(".weight")
    if name == "timing":
        add("positions", values.astype(np.float32))
    elif values.ndim == 2:
        add_matrix(stem, values)
    else:
        add(name, values.astype(np.float32))
    if name == "projection.weight" and "projection.bias" not in state:
        add("projection.bias", np.zeros(values.shape[0], np.float32))

dimensions = state["projection.weight"].shape[0]
manifest = {"model": args.model, "dimensions": dimensions, "parts": parts}
args.out.mkdir(parents=True, exist_ok=True)
(args.out / "encoder.bin").write_bytes(bytes(data))
(args.out / "encoder.json").write_text(json.dumps(manifest, indent=2) + "\n")
pieces = [[piece, score or 0] for piece, score in json.loads(args.vocabulary.read_text())]
(args.out / "pieces.json").write_text(json.dumps(pieces, ensure_ascii=False, indent=0) + "\n")
print(f"{len(data):,} bytes, {dimensions} dimensions")
