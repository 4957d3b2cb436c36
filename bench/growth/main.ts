/**
 * How an account grows: searches, memory and disk from 1,000 memories to a million, on PostgreSQL.
 * `npm run bench:growth -- --database-url postgres://… --svg growth.svg`; `--memories` takes other
 * sizes, even numbers in ascending order. Vectors are static, and nothing is read meanwhile.
 */
import { writeFile } from 'node:fs/promises';
import os from 'node:os';
import { parseArgs } from 'node:util';
import { fillServer } from '../search/fill.ts';
import { setUpServer } from '../search/server-under-test.ts';
import { createTextGenerator, readVocabulary } from '../text-generator.ts';
import { renderChart } from './chart.ts';
import {
  type GrowthFigures,
  growthPanels,
  growthTableHead,
  growthTableRow,
  growthVerdicts,
} from './figures.ts';
import { measureSize } from './measure.ts';

const print = (text: string): void => void process.stdout.write(`${text}\n`);
const { values } = parseArgs({
  options: {
    memories: {
      type: 'string',
      default: '1000,2000,5000,10000,20000,50000,100000,200000,500000,1000000',
    },
    'database-url': { type: 'string', default: process.env.MNEME_TEST_DATABASE_URL ?? '' },
    svg: { type: 'string' },
  },
});
const databaseUrl = values['database-url'];
if (databaseUrl === '') throw new Error('--database-url: name a PostgreSQL server');
const sizes = values.memories.split(',').map(Number);
const [smallest = 0] = sizes;

const texts = createTextGenerator(await readVocabulary(), 7);
const seen = new Set<string>();
/** No two are alike. */
function newTexts(count: number): string[] {
  const from = seen.size;
  while (seen.size < from + count) seen.add(texts.memory());
  return [...seen].slice(from);
}

await using open = new AsyncDisposableStack();
const stock = newTexts(smallest);
const contender = await setUpServer(
  'PostgreSQL',
  {
    stage: {
      memories: smallest,
      accounts: 1,
      thresholdsOf: 5_000,
      servers: ['PostgreSQL'],
    },
    layout: 'one account',
    stock,
    texts,
    databaseUrl,
    profileDir: null,
    env: { MNEME_EMBEDDING_PROVIDER: 'static', MNEME_JOBS: 'off' },
  },
  open,
);
const ids = [...contender.fillResult.ids];
const all: GrowthFigures[] = [];
print(`${os.availableParallelism()} cores, load ${os.loadavg()[0]?.toFixed(1)}`);
print(growthTableHead());
for (const size of sizes) {
  if (size > stock.length) {
    const added = newTexts(size - stock.length);
    const filled = await fillServer(contender.server, contender.apiKeys, 'one account', added);
    // Not by spreading arguments, whose number is limited.
    for (const text of added) stock.push(text);
    for (const id of filled.ids) ids.push(id);
  }
  all.push(await measureSize({ contender, stock, ids, texts }));
  print(growthTableRow(all.at(-1) as GrowthFigures));
  if (values.svg) {
    const label = 'Search times, memory and disk of an account as it grows';
    await writeFile(values.svg, renderChart(label, growthPanels(all)));
  }
}
print('');
for (const figures of all) for (const line of growthVerdicts(figures)) print(line);
