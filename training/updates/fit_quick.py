"""
Fits the quick classifier over features, and how it and the pair network are weighed together.
Writes quick.json. See README.md.
"""

import argparse
import json
import random
import subprocess
import tempfile
from dataclasses import replace
from pathlib import Path

import torch
from torch import nn
from torch.nn import functional as F

from grammar import pairs_of_grammar
from measure import auc, recall_at_precision
from pair_network import PIECES, PairNetwork, load_shipped, to_batch
from pairs import ENCODER, LABELS, Pair, pairs_of_neighbours, pairs_of_scenes, read_groups, read_labelled
from pieces import Pieces

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--encoder", type=Path, required=True, help="folder of the shipped encoder")
parser.add_argument("--scenes", type=Path, required=True)
parser.add_argument("--held-out", type=Path, default=ENCODER / "held-out.txt", help="as for train.py")
parser.add_argument("--neighbours", type=Path, help="as for train.py")
parser.add_argument("--nearest", type=int, default=2)
parser.add_argument("--grammar", type=Path, help="as for train.py")
parser.add_argument("--per-block", type=int, default=10)
parser.add_argument("--groups", type=Path, nargs="*", default=[])
parser.add_argument("--labelled", type=Path, nargs="*", default=[], help="labelled pairs to train on")
parser.add_argument("--labelled-weight", type=float, default=5.0)
parser.add_argument("--calibrate", type=Path, nargs="*", default=[], help="labelled pairs that both networks are weighed on, instead of held-out scenes")
parser.add_argument("--held-out-share", type=float, default=0.1, help="as for train.py")
parser.add_argument("--pair-network", type=Path, help="weights of the pair network")
parser.add_argument("--measure", type=Path, nargs="*", default=[], help="labelled pairs, measured only")
parser.add_argument("--scene-weight", type=float, default=0.5)
parser.add_argument("--units", type=int, default=24)
parser.add_argument("--epochs", type=int, default=60)
parser.add_argument("--prior", type=float, default=0.0, help="added to the combined log-odds")
parser.add_argument("--out", type=Path, required=True)
parser.add_argument("--seed", type=int, default=1)
args = parser.parse_args()

torch.set_num_threads(1)
torch.manual_seed(args.seed)
rng = random.Random(args.seed)


def features_of(pairs: list[Pair]) -> torch.Tensor:
    with tempfile.TemporaryDirectory() as folder:
        source, target = Path(folder) / "pairs.jsonl", Path(folder) / "features.jsonl"
        source.write_text("".join(json.dumps({"older": p.older, "newer": p.newer}) + "\n" for p in pairs))
        subprocess.run(["node", str(Path(__file__).with_name("features.ts")), source, target], check=True)
        return torch.tensor([json.loads(line)["features"] for line in target.read_text().splitlines()])


def labels_of(pairs: list[Pair]) -> torch.Tensor:
    return torch.tensor([float(pair.is_change) for pair in pairs])


def report(name: str, scores: torch.Tensor, pairs: list[Pair]) -> None:
    labels = [p.is_change for p in pairs]
    recalls = " ".join(f"{100 * recall_at_precision(scores.tolist(), labels, p):.1f}" for p in (0.9, 0.8, 0.7, 0.6))
    print(f"   {name}: AUC {100 * auc(scores.tolist(), labels):.1f}; recall at precision .9 .8 .7 .6: {recalls}", flush=True)


files = sorted(args.scenes.glob("*.txt"))
held_names = set(args.held_out.read_text().split())
if args.neighbours:
    subjects = pairs_of_neighbours(args.scenes, args.neighbours, LABELS, args.nearest, args.scene_weight)
    held_scenes = [pair for name, own in subjects.items() if name in held_names for pair in own]
    scenes = [pair for name, own in subjects.items() if name not in held_names for pair in own]
else:
    held_scenes = pairs_of_scenes([f for f in files if f.stem in held_names], 2, rng, 1)
    scenes = pairs_of_scenes([f for f in files if f.stem not in held_names], 2, rng, args.scene_weight)
groups, held_groups = read_groups(args.groups, args.held_out_share)
held_out = held_groups + held_scenes if args.neighbours else held_groups or held_scenes
training = scenes + groups
if args.grammar:
    training += pairs_of_grammar(args.grammar, args.per_block, rng, 1)
training += [replace(pair, weight=args.labelled_weight) for pair in read_labelled(args.labelled)]
held_out = read_labelled(args.calibrate) or held_out
sets = {"held-out scenes": held_scenes, "held-out groups": held_groups} if args.neighbours else {}
sets |= {file.stem: read_labelled([file]) for file in args.measure}

inputs = features_of(training)
mean, scale = inputs.mean(0), inputs.std(0).clamp(min=1e-3)
inputs = (inputs - mean) / scale
target = labels_of(training)
weight = torch.tensor([pair.weight for pair in training])
network = nn.Sequential(nn.Linear(inputs.shape[1], args.units), nn.Tanh(), nn.Dropout(0.1), nn.Linear(args.units, 1))
optimizer = torch.optim.AdamW(network.parameters(), lr=3e-3, weight_decay=0.02)
for epoch in range(args.epochs):
    order = torch.randperm(len(training))
    for part in order.split(256):
        for group in optimizer.param_groups:
            group["lr"] = 3e-3 * (1 - epoch / args.epochs)
        loss = F.binary_cross_entropy_with_logits(network(inputs[part])[:, 0], target[part], reduction="none")
        optimizer.zero_grad()
        (loss * weight[part]).mean().backward()
        optimizer.step()
network.eval()


@torch.no_grad()
def quick(pairs: list[Pair]) -> torch.Tensor:
    return network((features_of(pairs) - mean) / scale)[:, 0]


report("quick, training", network(inputs)[:, 0].detach(), training)
combined = {"quick": 1.0, "pair": 0.0, "bias": 0.0}
if args.pair_network:
    pair_network = PairNetwork()
    load_shipped(pair_network, args.encoder)
    pair_network.load_state_dict(torch.load(args.pair_network))
    pair_network.eval()
    pieces = Pieces(args.encoder / "pieces.json")

    known: dict[tuple[str, str], float] = {}

    @torch.no_grad()
    def thorough(pairs: list[Pair]) -> torch.Tensor:
        due = sorted({(p.older, p.newer) for p in pairs} - known.keys(), key=lambda pair: len(pair[0] + pair[1]))
        for at in range(0, len(due), 64):
            part = [(pieces.encode(older)[:PIECES], pieces.encode(newer)[:PIECES]) for older, newer in due[at : at + 64]]
            known.update(zip(due[at : at + 64], pair_network(*to_batch(part)).tolist()))
        return torch.tensor([known[p.older, p.newer] for p in pairs])

    # On pairs that neither was trained on.
    both = torch.stack([quick(held_out), thorough(held_out), torch.ones(len(held_out))], 1)
    mix = torch.tensor([0.5, 0.5, 0.0], requires_grad=True)
    mixer = torch.optim.LBFGS([mix], max_iter=200)

    def closure() -> torch.Tensor:
        mixer.zero_grad()
        loss = F.binary_cross_entropy_with_logits(both @ mix, labels_of(held_out)) + 0.001 * (mix**2).sum()
        loss.backward()
        return loss

    mixer.step(closure)
    values = mix.detach().tolist()
    combined = {"quick": values[0], "pair": values[1], "bias": values[2] + args.prior}
    print("combined", combined)
    for name, pairs in {"held out": held_out, **sets}.items():
        a, b = quick(pairs), thorough(pairs)
        report(f"{name}: quick", a, pairs)
        report(f"{name}: pair network", b, pairs)
        report(f"{name}: combined", values[0] * a + values[1] * b, pairs)
else:
    for name, pairs in sets.items():
        report(f"{name}: quick", quick(pairs), pairs)


def rounded(values: torch.Tensor) -> list:
    return json.loads(json.dumps(values.tolist()), parse_float=lambda text: round(float(text), 4))


first, last = network[0], network[3]
args.out.write_text(
    json.dumps(
        {
            "mean": rounded(mean),
            "scale": rounded(scale),
            "hidden": rounded(first.weight.data),
            "hiddenBias": rounded(first.bias.data),
            "output": rounded(last.weight.data[0]),
            "outputBias": round(float(last.bias.data[0]), 4),
            "combined": {name: round(value, 4) for name, value in combined.items()},
        }
    )
    + "\n"
)
