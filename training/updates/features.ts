import { readFileSync, writeFileSync } from 'node:fs';
import { createEmbedder } from '../../packages/server/src/providers/embedding/index.ts';
import {
  pairFeatures,
  readTextFeatures,
} from '../../packages/server/src/providers/language/local/updates/pair-features.ts';

/**
 * Writes the features of pairs for fit-quick.py: of each line `{older, newer, …}` of the first
 * file a line with `features` in the second one. Similarities are those of provisional vectors.
 */
const [input, output] = process.argv.slice(2);
if (input === undefined || output === undefined) throw new Error('usage: features.ts INPUT OUTPUT');
const pairs = readFileSync(input, 'utf8')
  .split('\n')
  .filter((line) => line.trim() !== '')
  .map((line) => JSON.parse(line) as { older: string; newer: string });
await using embedder = await createEmbedder({ provider: 'encoder' });
const lines: string[] = [];
for (const pair of pairs) {
  const vectors = await embedder.embedProvisionally?.([pair.older, pair.newer]);
  const [a, b] = vectors ?? [];
  const similarity = a?.reduce((sum, value, i) => sum + value * (b?.[i] ?? 0), 0) ?? 0;
  const features = pairFeatures(
    readTextFeatures(pair.older),
    readTextFeatures(pair.newer),
    similarity,
  );
  lines.push(
    JSON.stringify({ ...pair, features: features.map((value) => Math.round(value * 1e4) / 1e4) }),
  );
}
writeFileSync(output, `${lines.join('\n')}\n`);
