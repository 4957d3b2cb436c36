"""Rounds the weights of the pair network to signed bytes and writes the pack that the server reads."""

import argparse
import json
from pathlib import Path

import numpy as np
import torch

from pair_network import PIECES, PairNetwork, load_shipped, to_batch
from pieces import Pieces

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--weights", type=Path, required=True)
parser.add_argument("--encoder", type=Path, required=True, help="folder of the shipped encoder")
parser.add_argument("--out", type=Path, required=True)
parser.add_argument("--fixture", type=Path)
args = parser.parse_args()

parts: dict[str, dict[str, int]] = {}
data = bytearray()


def add(name: str, values: np.ndarray) -> None:
    data.extend(b"\0" * (-len(data) % 16))
    rows, columns = (values.shape[0], values.shape[1] if values.ndim > 1 else 1)
    parts[name] = {"at": len(data), "rows": rows, "columns": columns}
    data.extend(values.tobytes())


for name, tensor in torch.load(args.weights).items():
    values = tensor.numpy()
    if name in ("embeddings", "timing"):
        continue  # The encoder's.
    stem = name.removesuffix(".weight")
    if name == "segments" or stem == "output":
        add(stem, values.astype(np.float32))
    elif values.ndim == 2:
        # A scale for each row, so that its largest magnitude is 127.
        scale = np.maximum(np.abs(values).max(axis=1), 1e-12) / 127
        add(stem, np.rint(values / scale[:, None]).astype(np.int8))
        add(f"{stem}.scale", scale.astype(np.float32))
    else:
        add(name, values.astype(np.float32))

args.out.mkdir(parents=True, exist_ok=True)
(args.out / "pair.bin").write_bytes(bytes(data))
(args.out / "pair.json").write_text(json.dumps({"parts": parts}, indent=2) + "\n")
print(f"{len(data):,} bytes")

SAMPLES = [
    ("I live in Munich.", "I have moved to Berlin, I no longer live in Munich."),
    ("Dana's desk is on floor 3.", "Dana sits on floor 5, next to the lab."),
    ("The deploy freeze is on Fridays.", "Ben also plays the cello."),
    ("m", "n"),
]

if args.fixture:
    network = PairNetwork()
    load_shipped(network, args.encoder)
    network.load_state_dict(torch.load(args.weights))
    network.eval()
    pieces = Pieces(args.encoder / "pieces.json")
    rows = []
    for older, newer in SAMPLES:
        with torch.no_grad():
            pair = (pieces.encode(older)[:PIECES], pieces.encode(newer)[:PIECES])
            log_odds = network(*to_batch([pair])).item()
        rows.append(json.dumps({"older": older, "newer": newer, "log_odds": round(log_odds, 4)}))
    args.fixture.parent.mkdir(parents=True, exist_ok=True)
    args.fixture.write_text("[\n  " + ",\n  ".join(rows) + "\n]\n")
