"""Rounds the weights to signed bytes and writes the pack that the server reads."""

import argparse
import json
from pathlib import Path

import numpy as np
import torch

from packing import Pack

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--weights", type=Path, required=True)
parser.add_argument("--vocabulary", type=Path, required=True)
parser.add_argument("--model", required=True, help="the model's name, such as use-lite-en-256@1")
parser.add_argument("--out", type=Path, required=True)
args = parser.parse_args()

state = {name: value.numpy() for name, value in torch.load(args.weights).items()}
pack = Pack()
for name, values in state.items():
    stem = name.removesuffix(".weight")
    if name == "timing":
        pack.add("positions", values.astype(np.float32))
    elif values.ndim == 2:
        pack.add_matrix(stem, values)
    else:
        pack.add(name, values.astype(np.float32))
    if name == "projection.weight" and "projection.bias" not in state:
        pack.add("projection.bias", np.zeros(values.shape[0], np.float32))

dimensions = state["projection.weight"].shape[0]
pack.write(args.out, "encoder", {"model": args.model, "dimensions": dimensions})
pieces = [[piece, score or 0] for piece, score in json.loads(args.vocabulary.read_text())]
(args.out / "pieces.json").write_text(json.dumps(pieces, ensure_ascii=False, indent=0) + "\n")
