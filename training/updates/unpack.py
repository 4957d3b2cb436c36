"""Reads a pack of the pair network back into weights that train.py continues from (`--init`)."""

import argparse
import json
from pathlib import Path

import numpy as np
import torch

from pair_network import PairNetwork, load_shipped

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--pack", type=Path, required=True, help="pair.bin, with pair.json beside it")
parser.add_argument("--encoder", type=Path, required=True, help="folder of the shipped encoder")
parser.add_argument("--out", type=Path, required=True)
args = parser.parse_args()

parts = json.loads(args.pack.with_name("pair.json").read_text())["parts"]
data = args.pack.read_bytes()
network = PairNetwork()
load_shipped(network, args.encoder)


def read(name: str, kind: type) -> np.ndarray:
    part = parts[name]
    count = part["rows"] * part["columns"]
    return np.frombuffer(data, kind, count, part["at"]).reshape(part["rows"], part["columns"])


with torch.no_grad():
    for name, value in network.named_parameters():
        stem = name.removesuffix(".weight")
        if f"{stem}.scale" in parts:
            values = read(stem, np.int8) * read(f"{stem}.scale", np.float32)
        else:
            values = read(stem if stem in parts else name, np.float32)
        value.copy_(torch.from_numpy(values.astype(np.float32).reshape(value.shape)))
torch.save(network.state_dict(), args.out)
