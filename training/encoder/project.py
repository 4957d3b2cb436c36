"""
Learns the last layer: from the 512 dimensions of the blended network to the dimensions that are
stored, so that a vector of bytes has 256. It starts with the principal components of the texts and
is tuned with the same loss, on outputs computed once. Writes all weights and float vectors of some
texts, with which a test compares the server's arithmetic.
"""

import argparse
import json
import math
import random
from pathlib import Path

import torch
from torch.nn import functional as F

from evaluate import evaluate_everyday, evaluate_scenes
from network import Encoder, Projected, encode_all, load_original
from pieces import Pieces
from scenes import read_pairs, read_scenes

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--package", type=Path, required=True)
parser.add_argument("--tuned", type=Path, required=True, nargs="+", help="weights, which are averaged")
parser.add_argument("--keep", type=float, default=0.75)
parser.add_argument("--texts", type=Path, required=True)
parser.add_argument("--pairs", type=Path)
parser.add_argument("--everyday", type=Path, help="evaluation set, only measured")
parser.add_argument("--dimensions", type=int, default=256)
parser.add_argument("--steps", type=int, default=600)
parser.add_argument("--rate", type=float, default=3e-4)
parser.add_argument("--held-out", type=Path, default=Path(__file__).with_name("held-out.txt"))
parser.add_argument("--out", type=Path, required=True)
parser.add_argument("--fixture", type=Path)
parser.add_argument("--seed", type=int, default=1)
args = parser.parse_args()

torch.set_num_threads(1)
torch.manual_seed(args.seed)
rng = random.Random(args.seed)
pieces = Pieces(args.package / "vocab.json")
encoder = load_original(args.package)
original = {name: value.clone() for name, value in encoder.state_dict().items()}
tuned = [torch.load(file) for file in args.tuned]
encoder.load_state_dict({
    name: args.keep * sum(state[name] for state in tuned) / len(tuned) + (1 - args.keep) * value
    for name, value in original.items()
})

files = sorted(args.texts.glob("*.txt"))
held_names = set(args.held_out.read_text().split())
held = [scene for file in files if file.stem in held_names for scene in read_scenes(file)]
train = [scene for file in files if file.stem not in held_names for scene in read_scenes(file)]
pairs = read_pairs(args.pairs) if args.pairs else []
rng.shuffle(pairs)
pairs = pairs[len(pairs) // 5 :]

texts = sorted({t for s in train for t in s.memories + [q.text for q in s.questions]} | {t for p in pairs for t in p})
place = {text: i for i, text in enumerate(texts)}
print(f"{len(texts)} texts", flush=True)
outputs = encode_all(encoder, [pieces.encode(text) for text in texts])
mean = outputs.mean(0)
_, _, directions = torch.linalg.svd(outputs - mean, full_matrices=False)
weight = directions[: args.dimensions].clone()
projection = torch.nn.Linear(512, args.dimensions)
projection.weight.data.copy_(weight)
projection.bias.data.copy_(-(weight @ mean))
projected = Projected(encoder, projection)


def report(name: str) -> None:
    print(f"-- {name}")
    print(f"   held-out subjects: {evaluate_scenes(projected, pieces, held)}")
    if args.everyday:
        print(f"   everyday: {evaluate_everyday(projected, pieces, args.everyday)}", flush=True)


print("-- all 512 dimensions")
print(f"   held-out subjects: {evaluate_scenes(encoder, pieces, held)}")
if args.everyday:
    print(f"   everyday: {evaluate_everyday(encoder, pieces, args.everyday)}", flush=True)
report(f"{args.dimensions} principal components, centred")

optimizer = torch.optim.AdamW(projection.parameters(), lr=args.rate, weight_decay=0.01)
for step in range(args.steps):
    for group in optimizer.param_groups:
        group["lr"] = args.rate * (1 - step / args.steps)
    questions, memories, relevant = [], [], []
    for scene in rng.sample(train, 24):
        at = len(memories)
        memories += scene.memories
        for q in scene.questions:
            if q.answers:
                questions.append(q.text)
                relevant.append([at + a for a in q.answers])
    for question, memory in rng.sample(pairs, min(64, len(pairs))):
        questions.append(question)
        relevant.append([len(memories)])
        memories.append(memory)
    q = F.normalize(projection(F.dropout(outputs[[place[t] for t in questions]], 0.1)), dim=-1)
    m = F.normalize(projection(F.dropout(outputs[[place[t] for t in memories]], 0.1)), dim=-1)
    scores = q @ m.T / 0.05
    target = torch.zeros_like(scores, dtype=torch.bool)
    for row, own in enumerate(relevant):
        target[row, own] = True
    loss = (scores.logsumexp(1) - scores.masked_fill(~target, -math.inf).logsumexp(1)).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if (step + 1) % 100 == 0:
        print(f"step {step + 1}, loss {loss.item():.3f}", flush=True)
report("tuned")

state = {**encoder.state_dict(), "projection.weight": projection.weight.data, "projection.bias": projection.bias.data}
torch.save(state, args.out)
if args.fixture:
    samples = [
        "Which food can't I eat?",
        "I'm allergic to shellfish, so caterers need telling beforehand.",
        "Deploys are frozen on Fridays after 15:00 UTC.",
        "remind me who looks after the dog when we travel",
        "m",
        "The boiler was serviced on 3 March 2025; the next service is due in a year, and the number on "
        "the sticker is the one to call when the pressure drops below one bar again.",
    ]
    ids = [pieces.encode(text) for text in samples]
    vectors = torch.cat([encode_all(projected, [own]) for own in ids])
    args.fixture.parent.mkdir(parents=True, exist_ok=True)
    rows = [
        json.dumps({"text": text, "ids": own, "vector": [round(x, 5) for x in vector.tolist()]})
        for text, own, vector in zip(samples, ids, vectors)
    ]
    args.fixture.write_text("[\n" + ",\n".join(rows) + "\n]\n")
