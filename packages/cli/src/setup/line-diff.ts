const contextLines = 2;
/** Above it, all lines between the first and the last change are shown as replaced. */
const comparedMax = 2_000;

interface Line {
  readonly sign: ' ' | '-' | '+';
  readonly text: string;
}

/** The changed lines with those around them, as `diff -u` marks them; empty without a change. */
export function diffLines(before: string, after: string): string[] {
  if (before === after) return [];
  const [old, changed] = [toLines(before), toLines(after)];
  let start = 0;
  while (start < old.length && start < changed.length && old[start] === changed[start]) start += 1;
  let end = 0;
  const endMax = Math.min(old.length, changed.length) - start;
  while (end < endMax && old.at(-1 - end) === changed.at(-1 - end)) end += 1;
  const lines: Line[] = [
    ...old.slice(Math.max(0, start - contextLines), start).map(toUnchanged),
    ...compare(old.slice(start, old.length - end), changed.slice(start, changed.length - end)),
    ...old
      .slice(old.length - end)
      .slice(0, contextLines)
      .map(toUnchanged),
  ];
  return lines.map(({ sign, text }) => `${sign} ${text}`.trimEnd());
}

const toLines = (text: string): string[] =>
  text === '' ? [] : text.replace(/\r?\n$/, '').split(/\r?\n/);
const toUnchanged = (text: string): Line => ({ sign: ' ', text });

/** By the longest common subsequence. */
function compare(old: readonly string[], changed: readonly string[]): Line[] {
  if (old.length + changed.length > comparedMax) {
    return [
      ...old.map((text): Line => ({ sign: '-', text })),
      ...changed.map((text): Line => ({ sign: '+', text })),
    ];
  }
  const lengths = Array.from({ length: old.length + 1 }, () => new Uint32Array(changed.length + 1));
  const lengthAt = (i: number, j: number): number => lengths[i]?.[j] ?? 0;
  for (let i = old.length - 1; i >= 0; i -= 1) {
    for (let j = changed.length - 1; j >= 0; j -= 1) {
      const length =
        old[i] === changed[j]
          ? lengthAt(i + 1, j + 1) + 1
          : Math.max(lengthAt(i + 1, j), lengthAt(i, j + 1));
      (lengths[i] as Uint32Array)[j] = length;
    }
  }
  const lines: Line[] = [];
  let [i, j] = [0, 0];
  while (i < old.length || j < changed.length) {
    const [oldText, newText] = [old[i], changed[j]];
    if (oldText !== undefined && oldText === newText) {
      lines.push(toUnchanged(oldText));
      [i, j] = [i + 1, j + 1];
    } else if (oldText !== undefined && lengthAt(i + 1, j) >= lengthAt(i, j + 1)) {
      lines.push({ sign: '-', text: oldText });
      i += 1;
    } else {
      lines.push({ sign: '+', text: newText ?? '' });
      j += 1;
    }
  }
  return lines;
}
