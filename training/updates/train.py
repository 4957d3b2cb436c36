"""Trains the pair network on scenes and groups. See README.md."""

import argparse
import math
import random
import time
from pathlib import Path

import torch
from torch.nn import functional as F

from grammar import pairs_of_grammar
from measure import auc, recall_at_precision
from pair_network import PIECES, PairNetwork, load_shipped, to_batch
from pairs import ENCODER, LABELS, Pair, pairs_across_groups, pairs_of_neighbours, pairs_of_scenes, read_groups, read_labelled
from pieces import Pieces

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--encoder", type=Path, required=True, help="folder of the shipped encoder")
parser.add_argument("--scenes", type=Path, help="folder of scenes")
parser.add_argument("--held-out", type=Path, default=ENCODER / "held-out.txt", help="names of subjects that are measured only")
parser.add_argument("--neighbours", type=Path, help="output of neighbours.ts: pairs of scenes are those of nearest memories")
parser.add_argument("--nearest", type=int, default=2, help="with --neighbours: earlier memories of each")
parser.add_argument("--groups", type=Path, nargs="*", default=[])
parser.add_argument("--across", type=int, default=0, help="of each group, pairs with other ones")
parser.add_argument("--grammar", type=Path, help="patterns of memories")
parser.add_argument("--per-block", type=int, default=25, help="older memories of each block of patterns")
parser.add_argument("--labelled", type=Path, nargs="*", default=[], help="labelled pairs to train on")
parser.add_argument("--labelled-copies", type=int, default=1)
parser.add_argument("--held-out-share", type=float, default=0.1, help="of the groups, measured only")
parser.add_argument("--measure", type=Path, nargs="*", default=[], help="labelled pairs, measured only")
parser.add_argument("--measure-every", type=int, default=400, help="steps")
parser.add_argument("--init", type=Path)
parser.add_argument("--out", type=Path, required=True)
parser.add_argument("--epochs", type=float, default=2)
parser.add_argument("--rate", type=float, default=3e-4)
parser.add_argument("--dropout", type=float, default=0.1)
parser.add_argument("--scene-share", type=float, default=1.0, help="share of the pairs of scenes")
parser.add_argument("--per-change", type=int, default=2)
parser.add_argument("--scene-weight", type=float, default=1.0)
parser.add_argument("--batch", type=int, default=32)
parser.add_argument("--seed", type=int, default=1)
args = parser.parse_args()

torch.set_num_threads(1)
torch.manual_seed(args.seed)
rng = random.Random(args.seed)
pieces = Pieces(args.encoder / "pieces.json")
network = PairNetwork(args.dropout)
load_shipped(network, args.encoder)
if args.init:
    weights = torch.load(args.init)
    if len(weights["segments"]) == 2:  # Older weights do not tell shared pieces.
        weights["segments"] = weights["segments"].repeat(2, 1)
    network.load_state_dict(weights)

scene_files = sorted(args.scenes.glob("*.txt")) if args.scenes else []
held_names = set(args.held_out.read_text().split())
if args.neighbours:
    subjects = pairs_of_neighbours(args.scenes, args.neighbours, LABELS, args.nearest, args.scene_weight)
    held_scenes = [pair for name, own in subjects.items() if name in held_names for pair in own]
    training = [pair for name, own in subjects.items() if name not in held_names for pair in own]
else:
    held_scenes = pairs_of_scenes([f for f in scene_files if f.stem in held_names], args.per_change, rng, 1)
    scene_files = [file for file in scene_files if file.stem not in held_names]
    training = pairs_of_scenes(scene_files, args.per_change, rng, args.scene_weight)
rng.shuffle(training)
training = training[: round(len(training) * args.scene_share)]
groups, held_out = read_groups(args.groups, args.held_out_share)
training += groups
if args.across:
    training += pairs_across_groups(args.groups, args.across, rng, 0.7)
if args.grammar:
    training += pairs_of_grammar(args.grammar, args.per_block, rng, 1)
training += args.labelled_copies * read_labelled(args.labelled)
sets = {"held-out scenes": held_scenes, "held-out groups": held_out} | {file.stem: read_labelled([file]) for file in args.measure}
print(f"{len(training)} pairs, {sum(p.is_change for p in training)} changes", flush=True)


def ids_of(pair: Pair) -> tuple[list[int], list[int]]:
    return pieces.encode(pair.older)[:PIECES], pieces.encode(pair.newer)[:PIECES]


@torch.no_grad()
def measure() -> None:
    network.eval()
    for name, pairs in sets.items():
        if not pairs:
            continue
        scores: list[float] = []
        for at in range(0, len(pairs), 64):
            scores += network(*to_batch([ids_of(p) for p in pairs[at : at + 64]])).tolist()
        labels = [p.is_change for p in pairs]
        recalls = " ".join(f"{100 * recall_at_precision(scores, labels, p):.1f}" for p in (0.9, 0.8, 0.7, 0.6))
        print(f"   {name}: AUC {100 * auc(scores, labels):.1f}; recall at precision .9 .8 .7 .6: {recalls}", flush=True)
    network.train()


def shuffled_batches() -> list[list[int]]:
    """Of similar lengths, as a batch is as wide as its longest pair."""
    order = rng.sample(range(len(encoded)), len(encoded))
    order.sort(key=lambda i: round((len(encoded[i][1][0]) + len(encoded[i][1][1])) / 8))
    result = [order[at : at + args.batch] for at in range(0, len(order), args.batch)]
    return rng.sample(result, len(result))


encoded = [(pair, ids_of(pair)) for pair in training]
fresh = [p for n, p in network.named_parameters() if not n.startswith("layers.")]
layers = [p for n, p in network.named_parameters() if n.startswith("layers.")]
optimizer = torch.optim.AdamW([{"params": layers}, {"params": fresh}], lr=args.rate, weight_decay=0.01)
steps = round(args.epochs * len(encoded) / args.batch)
warm_up = steps // 10
batches: list[list[int]] = []
started = time.time()
network.train()
for step in range(steps):
    share = min(1.0, (step + 1) / max(1, warm_up)) * (1 - step / steps)
    for group in optimizer.param_groups:
        group["lr"] = args.rate * share
    if not batches:
        batches = shuffled_batches()
    batch = [encoded[i] for i in batches.pop()]
    logits = network(*to_batch([ids for _, ids in batch]))
    target = torch.tensor([float(pair.is_change) for pair, _ in batch])
    weight = torch.tensor([pair.weight for pair, _ in batch])
    loss = (F.binary_cross_entropy_with_logits(logits, target, reduction="none") * weight).sum() / weight.sum()
    optimizer.zero_grad()
    loss.backward()
    torch.nn.utils.clip_grad_norm_(network.parameters(), 1.0)
    optimizer.step()
    if not math.isfinite(loss.item()):
        raise SystemExit("the loss is not finite")
    if (step + 1) % 100 == 0 or step + 1 == steps:
        print(f"step {step + 1} of {steps}, loss {loss.item():.3f}, {time.time() - started:.0f} s", flush=True)
    if (step + 1) % args.measure_every == 0 or step + 1 == steps:
        measure()
        torch.save(network.state_dict(), args.out)
