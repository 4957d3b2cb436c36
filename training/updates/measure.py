"""Measures of a detector: scores and whether each pair is a change."""


def auc(scores: list[float], labels: list[bool]) -> float:
    """The share of (change, other) pairs in which the change has the higher score."""
    ordered = sorted(zip(scores, labels))
    seen = changes = concordant = 0
    for _, is_change in ordered:
        if is_change:
            changes += 1
            concordant += seen
        else:
            seen += 1
    return concordant / max(1, changes * seen)


def recall_at_precision(scores: list[float], labels: list[bool], precision: float) -> float:
    """The largest recall at a threshold with at least this precision."""
    best = found = 0
    for count, (_, is_change) in enumerate(sorted(zip(scores, labels), reverse=True), start=1):
        found += is_change
        if found / count >= precision:
            best = max(best, found)
    return best / max(1, sum(labels))
