/**
 * What the detection of updates costs a create: `npm run bench:updates:writes`. Ordinary texts, and
 * texts that all have words of change, which alone are compared at once; with detect_updates off
 * and suggest in turn.
 */

import fs from 'node:fs/promises';
import { ApiClient, type ApiRequest } from '../api-client.ts';
import { bulkCreateRequests } from '../memory-requests.ts';
import { createInstallation, type ServerName } from '../servers.ts';
import { createTextGenerator, readVocabulary } from '../text-generator.ts';

const storedBefore = 2_000;
const rounds = 6;
const createsPerRound = 200;
const connectionCounts = [1, 16];
/** At least this share of the speed without detection. */
const bar = 0.9;
const print = (text: string): void => void process.stdout.write(`${text}\n`);

const median = (values: readonly number[]): number => {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  return ((sorted[Math.ceil(middle - 1)] ?? 0) + (sorted[Math.floor(middle)] ?? 0)) / 2;
};

/** The later texts of the pairs that are no updates: over a third have words of change. */
async function readOrdinaryTexts(): Promise<string[]> {
  const lines = await fs.readFile(new URL('test.jsonl', import.meta.url), 'utf8');
  const pairs = lines.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]));
  return pairs.flatMap(({ newer, kind }) => (kind === 'none' ? [newer as string] : []));
}

async function measure(name: ServerName, databaseUrl: string | null): Promise<void> {
  const texts = createTextGenerator(await readVocabulary(), 1);
  const ordinary = await readOrdinaryTexts();
  let made = 0;
  const kinds = {
    ordinary: () => ordinary[made++ % ordinary.length] as string,
    'words of change': () => `We moved, now ${texts.memory()}`,
  };
  await using installation = await createInstallation(name, { databaseUrl, profileDir: null });
  const server = await installation.start();
  try {
    using one = new ApiClient(server, 1);
    const contents = Array.from({ length: storedBefore }, () => texts.memory());
    await one.run(bulkCreateRequests(contents));
    await server.waitUntilIdle();
    const cases = connectionCounts.flatMap((count) =>
      Object.entries(kinds).map(([kind, makeText]) => ({ count, kind, makeText })),
    );
    for (const { count, kind, makeText } of cases) {
      using connections = new ApiClient(server, count);
      const ratios: number[] = [];
      const speeds = { off: [] as number[], suggest: [] as number[] };
      for (let round = 0; round < rounds; round += 1) {
        const order =
          round % 2 === 0 ? (['off', 'suggest'] as const) : (['suggest', 'off'] as const);
        for (const mode of order) {
          const creates = Array.from(
            { length: createsPerRound },
            (): ApiRequest => ({
              method: 'POST',
              path: '/memories',
              body: { content: makeText(), detect_updates: mode, allow_duplicate: true },
            }),
          );
          speeds[mode].push(createsPerRound / (await connections.run(creates)).seconds);
          await server.waitUntilIdle();
        }
        ratios.push((speeds.suggest.at(-1) ?? 0) / (speeds.off.at(-1) ?? 1));
      }
      const ratio = median(ratios);
      print(
        `${name}, ${kind}, ${count} connections: off ${median(speeds.off).toFixed(0)}/s, suggest ` +
          `${median(speeds.suggest).toFixed(0)}/s, ratio ${ratio.toFixed(2)} ` +
          `(${ratio >= bar ? 'held' : 'MISSED'}: ≥ ${bar})`,
      );
    }
  } finally {
    await server.stop();
  }
}

await measure('embedded', null);
const databaseUrl = process.env.MNEME_TEST_DATABASE_URL;
if (databaseUrl) await measure('PostgreSQL', databaseUrl);
