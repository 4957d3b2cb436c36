"""Rounds the weights of the pair network to signed bytes and writes the pack that the server reads."""

import argparse
import json
from pathlib import Path

import numpy as np
import torch

from pair_network import PIECES, PairNetwork, load_shipped, to_batch
from packing import Pack
from pieces import Pieces

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--weights", type=Path, required=True)
parser.add_argument("--encoder", type=Path, required=True, help="folder of the shipped encoder")
parser.add_argument("--out", type=Path, required=True)
parser.add_argument("--fixture", type=Path)
args = parser.parse_args()

pack = Pack()
for name, tensor in torch.load(args.weights).items():
    values = tensor.numpy()
    if name in ("embeddings", "timing"):
        continue  # The encoder's.
    stem = name.removesuffix(".weight")
    if name == "segments" or stem == "output":
        pack.add(stem, values.astype(np.float32))
    elif values.ndim == 2:
        pack.add_matrix(stem, values)
    else:
        pack.add(name, values.astype(np.float32))
pack.write(args.out, "pair", {})

SAMPLES = [
    ("I live in Munich.", "I have moved to Berlin, I no longer live in Munich."),
    ("Dana's desk is on floor 3.", "Dana sits on floor 5, next to the lab."),
    ("The deploy freeze is on Fridays.", "Ben also plays the cello."),
    ("Wifi is slow.", "Wifi is fast now."),
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
