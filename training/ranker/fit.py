"""Fits the ranker and the score on feature dumps; prints figures and weights.ts. See README.md."""

import argparse
from pathlib import Path

import numpy as np
from scipy.optimize import minimize
from scipy.special import expit

from dataset import TEXT_SETS, TURN_SETS, Dump, Question, figures_of, interval, order_of, read_dump

SEMANTIC = ["semantic", "semantic_passage", "semantic_context"]
TURN = ["keyword", "semantic", "semantic_context", "session", "speaker", "of_speaker", "oneself",
        "time", "time_said", "states_time", "question"]
TEXT = ["keyword", "whole_text", "semantic", "length"]
# Set by hand: quoted phrases, facts, restatements and (outside of conversations) dates are rare in
# questions.
BY_HAND = {
    "turn": {"phrase": 6.0, "fact": 3.0, "restated": 25.0},
    "text": {"phrase": 4.0, "fact": 3.0, "restated": 16.0, "time": 1.0, "time_said": 0.3, "states_time": 0.4},
}
# Chosen with all other weights unchanged, so that texts of one passage rank as without it.
PASSAGE = {("sentence", "turn"): 2.0, ("sentence", "text"): 4.0, ("word", "text"): 3.0}
# What a text with all words of a lookup adds to the log-odds.
LOOKUP = 3
# What a restatement of the query adds to the log-odds; without a cosine it is less evident.
RESTATED = {"sentence": 5.5, "word": 5.5, "keyword": 10.5}
# The unanswerable questions of the other sets are easy: of another field than the documents.
CALIBRATION_SETS = {"turn": TURN_SETS, "text": ["everyday", "scenes", "notes"]}
SIGNED = {"question", "of_speaker", "length"}
# As in score.ts.
IDF_MIN = 10
FOLDS = 5
CANDIDATES = 10
UNANSWERABLE_SHARE = 0.42


def features_of(dump: Dump, ranker: str) -> np.ndarray:
    """The matrix; without vectors for the ranker of keywords."""
    if ranker != "keyword":
        return dump.matrix
    matrix = dump.matrix.copy()
    for name in [*SEMANTIC, "cosine"]:
        matrix[:, dump.column[name]] = 0
    product = matrix[:, dump.column["coverage"]] * matrix[:, dump.column["estimate"]]
    matrix[:, dump.column["restated"]] = (np.maximum(0, product - 0.5) / 0.5) ** 2
    return matrix


class Listwise:
    """Mean over answers of ln(1 + Σ over others of exp(other − answer)), sets of equal weight."""

    def __init__(self, matrix, offset, columns, questions: list[Question]):
        rows, self.starts, self.answers, weights = [], [], [], []
        sizes = {name: sum(q.set == name for q in questions) for name in {q.set for q in questions}}
        at = 0
        for question in questions:
            # Answers first. All others count: a selection of hard ones would have its own bias.
            kept = np.concatenate([question.answers, np.flatnonzero(question.grades == 0)])
            rows.append(question.rows[kept])
            self.starts.append(at)
            self.answers.append(np.arange(at, at + len(question.answers)))
            weights.append(1 / sizes[question.set] / len(sizes))
            at += len(kept)
        self.rows = np.concatenate(rows)
        self.x = matrix[self.rows][:, columns]
        self.offset = offset[self.rows]
        self.size = self.x.std(0) + 1e-6
        self.weight = np.array(weights)
        self.is_answer = np.zeros(len(self.rows), bool)
        self.is_answer[np.concatenate(self.answers)] = True
        lengths = np.diff([*self.starts, at])
        self.of_row = np.repeat(np.arange(len(questions)), lengths)
        self.answer_rows = np.concatenate(self.answers)
        self.of_answer = self.of_row[self.answer_rows]
        self.share = (self.weight / np.array([len(a) for a in self.answers]))[self.of_answer]

    def loss(self, w: np.ndarray, ridge: float):
        s = self.x @ w + self.offset
        top = np.maximum.reduceat(s, self.starts)
        e = np.exp(s - top[self.of_row])
        others = np.add.reduceat(np.where(self.is_answer, 0, e), self.starts) + 1e-30
        mine = e[self.answer_rows]
        total = others[self.of_answer] + mine
        loss = (self.share * (np.log(total) - np.log(mine + 1e-300))).sum()
        gradient = np.zeros(len(s))
        gradient[self.answer_rows] = self.share * (mine / total - 1)
        pull = np.bincount(self.of_answer, self.share / total, len(self.starts))
        gradient += np.where(self.is_answer, 0, e * pull[self.of_row])
        scaled = w * self.size
        return loss + ridge * (scaled**2).sum(), self.x.T @ gradient + 2 * ridge * scaled * self.size


def fit_weights(matrix, dump: Dump, names, by_hand, questions, ridge=0.002) -> np.ndarray:
    columns = [dump.column[name] for name in names]
    offset = sum(weight * matrix[:, dump.column[name]] for name, weight in by_hand.items())
    problem = Listwise(matrix, offset, columns, [q for q in questions if q.answerable])
    bounds = [(None, None) if name in SIGNED else (0, None) for name in names]
    start = 1 / problem.size
    return minimize(problem.loss, start, (ridge,), "L-BFGS-B", jac=True, bounds=bounds).x


def margins_of(matrix, dump: Dump, names, by_hand, w) -> np.ndarray:
    return matrix[:, [dump.column[n] for n in names]] @ w + sum(
        weight * matrix[:, dump.column[name]] for name, weight in by_hand.items())


def fold_of(question: Question, groups: list[str]) -> int:
    return groups.index(question.group) % FOLDS


class Calibration:
    """
    Log-odds of the first result: bias + scale·m1 + idf·ln(query idf) + cosine·c1 + coverage·v1 +
    lead·ln(1 + m1 − m2); of another: the same with its own margin, and −behind·(m1 − m).
    """

    names = ["scale", "bias", "queryIdf", "bestCosine", "bestCoverage", "lead", "behind"]

    def __init__(self, matrix, dump: Dump, margins, questions: list[Question]):
        is_match = dump.values("is_match")
        x, y, weight, self.of, self.rank, self.question = [], [], [], [], [], []
        sets = {q.set for q in questions}
        count = {(s, a): max(1, sum(q.set == s and q.answerable == a for q in questions)) for s in sets for a in (True, False)}
        for number, question in enumerate(questions):
            order = order_of(question, margins, is_match)[:CANDIDATES]
            rows = question.rows[order]
            m = margins[rows]
            lead = np.log1p(max(0, m[0] - m[1])) if len(m) > 1 else 0
            cosine, coverage = matrix[rows[0], dump.column["cosine"]], matrix[rows[0], dump.column["coverage"]]
            for rank, row in enumerate(rows):
                x.append([m[rank], 1, np.log(max(IDF_MIN, question.idf_sum)), max(0, cosine), coverage,
                          lead if rank == 0 else 0, 0 if rank == 0 else m[rank] - m[0]])
                y.append(question.grades[order[rank]] > 0)
                share = 1 - UNANSWERABLE_SHARE if question.answerable else UNANSWERABLE_SHARE
                weight.append(share / count[(question.set, question.answerable)] / len(sets))
                self.of.append(number)
                self.rank.append(rank)
        self.x, self.y, self.weight = np.array(x), np.array(y, float), np.array(weight)
        self.of, self.rank = np.array(self.of), np.array(self.rank)
        self.questions = questions

    def fit(self, keep: np.ndarray) -> np.ndarray:
        x, y, weight = self.x[keep], self.y[keep], self.weight[keep] / self.weight[keep].sum()
        size = x.std(0) + 1e-6

        def loss(w):
            z = x @ w
            error = weight * (expit(z) - y)
            ridge = 0.0005 * (w * size) ** 2
            return (weight * (np.logaddexp(0, z) - y * z)).sum() + ridge.sum(), x.T @ error + 0.001 * w * size**2

        bounds = [(0.01, None), (None, None), (None, 0), (0, None), (0, None), (0, None), (0, None)]
        return minimize(loss, np.array([0.3, -3, 0, 0, 0, 0, 0.0]), method="L-BFGS-B", jac=True, bounds=bounds).x


def auc(positive, negative) -> float:
    positive, negative = np.array(positive), np.sort(negative)
    below = np.searchsorted(negative, positive, "left") + np.searchsorted(negative, positive, "right")
    return float(below.mean() / 2 / len(negative))


def score_figures(calibration: Calibration, odds: np.ndarray, name: str, rng) -> str:
    kept, false, positive, negative = [], [], [], []
    for number, question in enumerate(calibration.questions):
        if question.set != name:
            continue
        own = np.flatnonzero(calibration.of == number)
        z, y = odds[own], calibration.y[own] > 0
        wrong = z[~y].max() if (~y).any() else -20
        negative.append(wrong)
        if not question.answerable:
            false.append(float(wrong >= 0))
            continue
        positive.append(z[y].max() if y.any() else -20)
        if y[:3].any():
            kept.append(float(z[y][0] >= 0))
    return f"kept {interval(kept, rng)}, unanswerable ≥ .5 {interval(false, rng)}, AUC {100 * auc(positive, negative):.1f}"


def fit_kind(dump: Dump, ranker: str, kind: str, rng):
    sets = TURN_SETS if kind == "turn" else TEXT_SETS
    by_hand = {**BY_HAND[kind], "semantic_passage": PASSAGE.get((ranker, kind), 0.0)}
    names = [n for n in (TURN if kind == "turn" else TEXT) if ranker != "keyword" or n not in SEMANTIC]
    matrix = features_of(dump, ranker)
    questions = [q for q in dump.questions if q.set in sets]
    groups = {s: sorted({q.group for q in questions if q.set == s}) for s in sets}
    folds = np.array([fold_of(q, groups[q.set]) for q in questions])
    crossed = np.zeros(len(matrix))
    for fold in range(FOLDS):
        w = fit_weights(matrix, dump, names, by_hand, [q for q, f in zip(questions, folds) if f != fold])
        margins = margins_of(matrix, dump, names, by_hand, w)
        for question, own in zip(questions, folds):
            if own == fold:
                crossed[question.rows] = margins[question.rows]
    print(f"\n### {ranker}, {kind} (cross-validated)\n")
    is_match = dump.values("is_match")
    for name in sets:
        asked = [q for q in questions if q.set == name and q.answerable]
        figures = [figures_of(q, order_of(q, crossed, is_match)) for q in asked]
        cells = [f"{key} {interval([f[key] for f in figures], rng)}" for key in figures[0]]
        print(f"{name} ({len(asked)}): " + ", ".join(cells))
        if name == "everyday":
            paraphrases = [f["R@5"] for q, f in zip(asked, figures) if q.kind == "paraphrase"]
            print(f"everyday paraphrases: R@5 {interval(paraphrases, rng)}")
    weights = fit_weights(matrix, dump, names, by_hand, questions)
    calibration = Calibration(matrix, dump, crossed, questions)
    odds = np.zeros(len(calibration.y))
    row_fold = folds[calibration.of]
    is_used = np.array([q.set in CALIBRATION_SETS[kind] for q in questions])[calibration.of]
    for fold in range(FOLDS):
        odds[row_fold == fold] = calibration.x[row_fold == fold] @ calibration.fit(is_used & (row_fold != fold))
    for name in sets:
        print(f"score, {name}: {score_figures(calibration, odds, name, rng)}")
    final = dict(zip(Calibration.names, calibration.fit(is_used)))
    restated = RESTATED[ranker] / final["scale"]
    lookup = LOOKUP / final["scale"]
    return {**by_hand, **dict(zip(names, weights)), "restated": restated, "lookup": lookup}, final


def rounded(value: float) -> str:
    return f"{value:.3g}" if abs(value) >= 0.005 else "0"


def typescript(ranker: str, fitted) -> str:
    lines = [f"  {ranker}: {{"]
    for kind, (weights, calibration) in fitted.items():
        head = ", ".join(f"{name}: {rounded(value)}" for name, value in calibration.items())
        body = ", ".join(f"{name}: {rounded(value)}" for name, value in weights.items() if rounded(value) != "0")
        lines.append(f"    {kind}: ranker({{ {head} }}, {{ {body} }}),")
    return "\n".join([*lines, "  },"])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--features", type=Path, required=True)
    parser.add_argument("--weights", type=Path, help="weights.ts, whose rankers are replaced")
    args = parser.parse_args()
    rng = np.random.default_rng(1)
    texts = []
    for ranker, source in [("sentence", "sentence"), ("word", "word"), ("keyword", "sentence")]:
        dump = read_dump(args.features, source)
        fitted = {kind: fit_kind(dump, ranker, kind, rng) for kind in ("turn", "text")}
        texts.append(typescript(ranker, fitted))
    block = "\n".join(texts)
    print("\n" + block)
    if args.weights:
        start, end = "// Fitted by training/ranker: begin\n", "  // Fitted by training/ranker: end"
        before, rest = args.weights.read_text().split(start)
        after = rest.split(end)[1]
        args.weights.write_text(before + start + block + "\n" + end + after)


if __name__ == "__main__":
    main()
