/**
 * How well entities and facts are read: `npm run bench:extraction`, with `-- --misses` what of the
 * tuning half was wrong; of the test half totals alone are ever shown.
 *
 * An entity is right when its type is the label's and its name, after normalisation (case,
 * honorifics, company forms, punctuation, leading article), is the label's name or one of its
 * mentions; a date must besides have the label's value. Each label and each found entity counts
 * once. A fact is right when its predicate is the label's and subject and object match as entities
 * do; related_to, collaborates_with and knows hold either way round. Spans and values of dates,
 * and valid_from and valid_to of right facts, are told separately.
 */

import { extractEntitiesAndFacts } from '../src/index.ts';
import { readLabels } from './labels.ts';
import { scoreExtraction, Tally } from './scoring.ts';

/** Precision and recall in per cent that each must reach. */
const thresholds: Readonly<Record<string, readonly [number, number]>> = {
  person: [85, 85],
  organization: [80, 60],
  location: [85, 80],
  date: [90, 80],
  product: [60, 40],
  event: [60, 40],
  skill: [60, 40],
  facts: [80, 50],
};
const informational = [
  'date spans',
  'date values',
  'concept',
  'works_at',
  'reports_to',
  'collaborates_with',
  'located_in',
  'uses',
  'knows',
  'part_of',
  'related_to',
  'valid_from',
  'valid_to',
];

const print = (text: string): void => void process.stdout.write(`${text}\n`);

async function measure(half: 'tuning' | 'test', misses: boolean): Promise<Map<string, Tally>> {
  const totals = new Map<string, Tally>();
  for (const label of await readLabels(half)) {
    const at = new Date(label.at);
    const { text, speaker } = label;
    const source = speaker === undefined ? { text, at } : { text, at, speaker };
    const scored = scoreExtraction(label, extractEntitiesAndFacts(source));
    for (const [name, { correct, found, labelled }] of scored.tallies) {
      const total = totals.get(name) ?? new Tally();
      total.correct += correct;
      total.found += found;
      total.labelled += labelled;
      totals.set(name, total);
    }
    if (misses && half === 'tuning' && scored.misses.length > 0) {
      print([`\n${label.id}: ${text.replaceAll('\n', ' / ')}`, ...scored.misses].join('\n  '));
    }
  }
  return totals;
}

const percent = (share: number): string => (100 * share).toFixed(1).padStart(6);

function renderTotals(name: string, total: Tally): string {
  const bar = thresholds[name];
  const { precision, recall, correct, found, labelled } = total;
  const held = bar && 100 * precision >= bar[0] && 100 * recall >= bar[1];
  const verdict = bar ? `  bar ${bar[0]}/${bar[1]}: ${held ? 'met' : 'MISSED'}` : '';
  const counts = `${correct} of ${found} found, ${labelled} labelled`.padEnd(32);
  return `${name.padEnd(18)}${percent(precision)}${percent(recall)}  ${counts}${verdict}`;
}

const misses = process.argv.includes('--misses');
const only = process.argv.includes('--tuning');
for (const half of only ? (['tuning'] as const) : (['tuning', 'test'] as const)) {
  const totals = await measure(half, misses);
  print(`\n${half} half        precision recall`);
  for (const name of [...Object.keys(thresholds), ...informational]) {
    const total = totals.get(name);
    if (total) print(renderTotals(name, total));
  }
}
