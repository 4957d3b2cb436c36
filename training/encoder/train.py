"""Fine-tunes the encoder on scenes and pairs. See README.md."""

import argparse
import copy
import math
import random
import time
from pathlib import Path

import torch
from torch.nn import functional as F

from evaluate import evaluate_everyday, evaluate_scenes, ranks_of, summarise
from network import Encoder, encode_all, load_original, to_batch
from pieces import Pieces
from scenes import Scene, read_pairs, read_scenes

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--package", type=Path, required=True, help="folder with model.json and vocab.json")
parser.add_argument("--texts", type=Path, required=True, help="folder of scenes")
parser.add_argument("--pairs", type=Path, help="file of pairs")
parser.add_argument("--init", type=Path, help="weights to start from, instead of the original ones")
parser.add_argument("--everyday", type=Path, help="evaluation set, only measured")
parser.add_argument("--out", type=Path, required=True)
parser.add_argument("--epochs", type=float, default=4)
parser.add_argument("--rate", type=float, default=5e-4)
parser.add_argument("--dropout", type=float, default=0.15)
parser.add_argument("--temperature", type=float, default=0.05)
parser.add_argument("--absolute", type=float, default=0.3, help="weight of the loss that makes cosines comparable between questions")
parser.add_argument("--scenes", type=int, default=10, help="scenes in a batch")
parser.add_argument("--share", type=float, default=1.0, help="share of the training scenes")
parser.add_argument("--held-out", type=Path, default=Path(__file__).with_name("held-out.txt"), help="names of subjects that are not trained on")
parser.add_argument("--keep", type=float, default=0.75, help="weight of the tuned network in the blend")
parser.add_argument("--seed", type=int, default=1)
parser.add_argument("--threads", type=int, default=1)
args = parser.parse_args()

torch.set_num_threads(args.threads)
torch.manual_seed(args.seed)
rng = random.Random(args.seed)

pieces = Pieces(args.package / "vocab.json")
encoder = load_original(args.package, args.dropout)
original = copy.deepcopy(encoder.state_dict())
if args.init:
    encoder.load_state_dict(torch.load(args.init))
# A cosine of `answer` means even odds that a memory answers a question.
answer = torch.nn.Parameter(torch.tensor([12.0, 0.45]))

files = sorted(args.texts.glob("*.txt"))
held_names = set(args.held_out.read_text().split())
held = [scene for file in files if file.stem in held_names for scene in read_scenes(file)]
train = [scene for file in files if file.stem not in held_names for scene in read_scenes(file)]
rng.shuffle(train)
train = train[: round(len(train) * args.share)]
pairs = read_pairs(args.pairs) if args.pairs else []
rng.shuffle(pairs)
held_pairs, pairs = pairs[: len(pairs) // 5], pairs[len(pairs) // 5 :]
print(f"{len(files)} subjects; {len(train)} scenes, {sum(len(s.questions) for s in train)} questions to train on, "
      f"{len(held)} scenes held out; {len(pairs)} pairs, {len(held_pairs)} held out", flush=True)

cache: dict[str, list[int]] = {}


def ids_of(text: str) -> list[int]:
    if text not in cache:
        cache[text] = pieces.encode(text)
    return cache[text]


def batch_of_scenes(scenes: list[Scene]):
    questions, memories, relevant = [], [], []
    for scene in scenes:
        at = len(memories)
        memories += scene.memories
        for q in scene.questions:
            questions.append(q.text)
            relevant.append([at + a for a in q.answers])
    return questions, memories, relevant


def loss_of(questions: list[str], memories: list[str], relevant: list[list[int]]) -> torch.Tensor:
    q = encoder(*to_batch([ids_of(text) for text in questions]))
    m = encoder(*to_batch([ids_of(text) for text in memories]))
    scores = q @ m.T / args.temperature
    target = torch.zeros_like(scores, dtype=torch.bool)
    for row, own in enumerate(relevant):
        target[row, own] = True
    by_question = target.any(1)
    by_memory = target.any(0)
    forward = scores.logsumexp(1) - scores.masked_fill(~target, -math.inf).logsumexp(1)
    backward = scores.logsumexp(0) - scores.masked_fill(~target, -math.inf).logsumexp(0)
    loss = forward[by_question].mean() + 0.5 * backward[by_memory].mean()
    if args.absolute == 0:
        return loss
    # Also questions without an answer: their nearest memories must not be near.
    odds = answer[0] * (scores * args.temperature - answer[1])
    wrong = odds.masked_fill(target, -math.inf).topk(min(10, odds.shape[1] - 1), 1).values
    right = F.softplus(-odds)[target].mean()
    return loss + args.absolute * (right + F.softplus(wrong).mean())


def batches_of_epoch():
    order = train[:]
    rng.shuffle(order)
    batches = [batch_of_scenes(order[i : i + args.scenes]) for i in range(0, len(order), args.scenes)]
    shuffled = pairs[:]
    rng.shuffle(shuffled)
    for i in range(0, len(shuffled) - 64, 128):
        part = shuffled[i : i + 128]
        batches.append(([a for a, _ in part], [b for _, b in part], [[j] for j in range(len(part))]))
    rng.shuffle(batches)
    return batches


def report(name: str) -> None:
    print(f"-- {name}")
    print(f"   held-out subjects: {evaluate_scenes(encoder, pieces, held)}")
    if held_pairs:
        q = encode_all(encoder, [ids_of(a) for a, _ in held_pairs])
        m = encode_all(encoder, [ids_of(b) for _, b in held_pairs])
        print(f"   held-out pairs: {summarise(ranks_of(q, m, [[i] for i in range(len(held_pairs))]))}")
    if args.everyday:
        print(f"   everyday: {evaluate_everyday(encoder, pieces, args.everyday)}")
    print("", end="", flush=True)


report("original")
per_epoch = len(batches_of_epoch())
steps = max(1, round(args.epochs * per_epoch))
decay = [p for name, p in encoder.named_parameters() if p.ndim > 1]
others = [p for name, p in encoder.named_parameters() if p.ndim <= 1]
optimizer = torch.optim.AdamW([{"params": decay, "weight_decay": 0.01}, {"params": [*others, answer], "weight_decay": 0}], lr=args.rate)
warm = steps // 10 + 1
schedule = torch.optim.lr_scheduler.LambdaLR(
    optimizer, lambda step: min((step + 1) / warm, max(0.0, (steps - step) / max(1, steps - warm)))
)
step, total, began = 0, 0.0, time.time()
while step < steps:
    for questions, memories, relevant in batches_of_epoch():
        if step >= steps:
            break
        encoder.train()
        optimizer.zero_grad()
        loss = loss_of(questions, memories, relevant)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(encoder.parameters(), 1.0)
        optimizer.step()
        schedule.step()
        step += 1
        total += loss.item()
        if step % 20 == 0:
            print(f"step {step} of {steps}, loss {total / 20:.3f}, {time.time() - began:.0f} s", flush=True)
            total = 0.0
tuned = copy.deepcopy(encoder.state_dict())
torch.save(tuned, args.out)
report("tuned")
encoder.load_state_dict({name: args.keep * value + (1 - args.keep) * original[name] for name, value in tuned.items()})
report(f"{args.keep} tuned + {1 - args.keep:.2f} original")
