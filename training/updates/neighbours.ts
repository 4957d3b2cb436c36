import { readFileSync, writeFileSync } from 'node:fs';
import { createEmbedder } from '../../packages/server/src/providers/embedding/index.ts';

/**
 * Writes the earlier memories of a scene that are nearest to each memory: of each line
 * `{scene, memories}` of the first file lines `{scene, older, newer, similarity}` of the positions
 * in the second one. The detection compares such pairs.
 */
const [input, output] = process.argv.slice(2);
if (input === undefined || output === undefined) throw new Error('usage: neighbours.ts IN OUT');
/** As `similarityMin` of the server's update-detection. */
const similarityMin = 0.25;
const nearestMax = 4;

interface Scene {
  readonly scene: string;
  readonly memories: string[];
}

const scenes = readFileSync(input, 'utf8')
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => JSON.parse(line) as Scene);
await using embedder = await createEmbedder({ provider: 'encoder' });
const lines: string[] = [];
for (const { scene, memories } of scenes) {
  const vectors = await embedder.embed(memories, 'document');
  const cosine = (a: number, b: number): number =>
    vectors[a]?.reduce((sum, value, i) => sum + value * (vectors[b]?.[i] ?? 0), 0) ?? 0;
  for (let newer = 1; newer < memories.length; newer += 1) {
    const near = Array.from({ length: newer }, (_, older) => ({
      scene,
      older,
      newer,
      similarity: Math.round(cosine(older, newer) * 1e4) / 1e4,
    }))
      .filter(({ similarity }) => similarity >= similarityMin)
      .sort((a, b) => b.similarity - a.similarity)
      .slice(0, nearestMax);
    lines.push(...near.map((one) => JSON.stringify(one)));
  }
}
writeFileSync(output, `${lines.join('\n')}\n`);
