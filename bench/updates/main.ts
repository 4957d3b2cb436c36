/**
 * How well it is told which older memories a newer one outdates: `npm run bench:updates`. The 200
 * changes and 1,000 other pairs are all hard: many of the others have words of change, and many
 * changes have none.
 */
import { readFileSync } from 'node:fs';
import { createEmbedder } from '../../packages/server/src/providers/embedding/index.ts';
import { createTextAnalyzer } from '../../packages/server/src/providers/language/index.ts';

interface Pair {
  readonly older: string;
  readonly newer: string;
  readonly kind: 'change' | 'none';
}

const pairs = readFileSync(new URL('./test.jsonl', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => JSON.parse(line) as Pair);
const changes = pairs.filter(({ kind }) => kind === 'change').length;
const thresholds = [0.5, 0.6, 0.7, 0.8];
const at = new Date('2026-01-01T00:00:00Z');
const print = (text: string): void => void process.stdout.write(`${text}\n`);
const percent = (part: number, whole: number): string =>
  whole === 0 ? '–' : ((100 * part) / whole).toFixed(1);

interface Judged {
  readonly confidence: number;
  readonly isChange: boolean;
}

/** The share of changes that are judged more probable than a pair that is none. */
function areaUnderCurve(judged: readonly Judged[]): string {
  const others = judged.filter(({ isChange }) => !isChange);
  let ahead = 0;
  for (const { confidence, isChange } of judged) {
    if (!isChange) continue;
    for (const other of others) {
      if (confidence > other.confidence) ahead += 1;
      else if (confidence === other.confidence) ahead += 0.5;
    }
  }
  return percent(ahead, changes * others.length);
}

function report(name: string, judged: readonly Judged[]): void {
  print(`\n${name}: AUC ${areaUnderCurve(judged)} %\n`);
  print('| confidence ≥ | pairs | precision | recall |\n| --- | ---: | ---: | ---: |');
  for (const threshold of thresholds) {
    const found = judged.filter(({ confidence }) => confidence >= threshold);
    const right = found.filter(({ isChange }) => isChange).length;
    const figures = [percent(right, found.length), percent(right, changes)].join(' | ');
    print(`| ${threshold} | ${found.length} | ${figures} |`);
  }
}

async function run(): Promise<void> {
  await using embedder = await createEmbedder({ provider: 'encoder' });
  await using language = createTextAnalyzer(null, {
    log: console as never,
    clock: { monotonicMs: () => performance.now() },
  });
  const atOnce: Judged[] = [];
  const later: Judged[] = [];
  for (const { older: text, newer, kind } of pairs) {
    const [a, b] = await embedder.embed([text, newer], 'document');
    const similarity = a?.reduce((sum, value, i) => sum + value * (b?.[i] ?? 0), 0) ?? 0;
    const older = [{ text, at, similarity }];
    const isChange = kind === 'change';
    const [first] = language.outdatedAtOnce(newer, older);
    atOnce.push({ confidence: first?.confidence ?? 0, isChange });
    const { value } = await language.outdated({ text: newer, at }, older);
    later.push({ confidence: value[0]?.confidence ?? 0, isChange });
  }
  print(`${changes} changes, ${pairs.length - changes} others`);
  report('At once, by features', atOnce);
  report('In the background, by features and the pair network', later);
}

await run();
