/**
 * Learns the map from the word vectors of a text to its vector by the sentence encoder, which
 * serves until the text is encoded: ridge regression over the training texts.
 * `node training/encoder/fit-provisional.ts`, after pack.py.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createEmbedder } from '../../packages/server/src/providers/embedding/index.ts';

const here = (path: string): URL => new URL(path, import.meta.url);
const ridge = 0.002;
const heldOut = new Set(readFileSync(here('held-out.txt'), 'utf8').split(/\s+/));

/** Memories and questions of the subjects; of those held out only if `isHeldOut`. */
function textsOf(isHeldOut: boolean): string[] {
  const files = readdirSync(here('texts')).filter(
    (file) => heldOut.has(file.replace('.txt', '')) === isHeldOut,
  );
  const lines = files.flatMap((file) => readFileSync(here(`texts/${file}`), 'utf8').split('\n'));
  return [...new Set(lines.flatMap((line) => /^[mq][^|]*\| (.+)$/.exec(line)?.[1] ?? []))];
}

/** Solves A·X = B for a symmetric positive definite A (n × n) and B (n × m), by Cholesky. */
function solve(a: Float64Array, b: Float64Array, n: number, m: number): Float64Array {
  const l = new Float64Array(n * n);
  for (let i = 0; i < n; i += 1) {
    for (let j = 0; j <= i; j += 1) {
      let sum = a[i * n + j] as number;
      for (let k = 0; k < j; k += 1) sum -= (l[i * n + k] as number) * (l[j * n + k] as number);
      l[i * n + j] = i === j ? Math.sqrt(sum) : sum / (l[j * n + j] as number);
    }
  }
  const x = b.slice();
  for (let column = 0; column < m; column += 1) {
    for (let i = 0; i < n; i += 1) {
      let sum = x[i * m + column] as number;
      for (let k = 0; k < i; k += 1)
        sum -= (l[i * n + k] as number) * (x[k * m + column] as number);
      x[i * m + column] = sum / (l[i * n + i] as number);
    }
    for (let i = n - 1; i >= 0; i -= 1) {
      let sum = x[i * m + column] as number;
      for (let k = i + 1; k < n; k += 1)
        sum -= (l[k * n + i] as number) * (x[k * m + column] as number);
      x[i * m + column] = sum / (l[i * n + i] as number);
    }
  }
  return x;
}

const words = await createEmbedder({ provider: 'static' });
const encoder = await createEmbedder({ provider: 'encoder' });
/** With a constant 1 as the last input. */
const inputs = words.dimensions + 1;
const outputs = encoder.dimensions;

const extended = (vector: Float32Array): Float32Array => Float32Array.from([...vector, 1]);

async function vectorsOf(texts: readonly string[]): Promise<[Float32Array[], Float32Array[]]> {
  const ofWords = await words.embed(texts, 'document');
  return [ofWords.map(extended), await encoder.embed(texts, 'document')];
}

const train = textsOf(false);
const [x, y] = await vectorsOf(train);
const gram = new Float64Array(inputs * inputs);
const cross = new Float64Array(inputs * outputs);
for (const [row, from] of x.entries()) {
  const to = y[row] as Float32Array;
  for (let i = 0; i < inputs; i += 1) {
    const value = from[i] as number;
    for (let j = 0; j < inputs; j += 1) {
      const at = i * inputs + j;
      gram[at] = (gram[at] as number) + value * (from[j] as number);
    }
    for (let j = 0; j < outputs; j += 1) {
      const at = i * outputs + j;
      cross[at] = (cross[at] as number) + value * (to[j] as number);
    }
  }
}
for (let i = 0; i < inputs; i += 1) {
  const at = i * inputs + i;
  gram[at] = (gram[at] as number) + ridge * train.length;
}
const weights = solve(gram, cross, inputs, outputs);

function mapped(from: Float32Array): Float32Array {
  const sum = new Float32Array(outputs);
  for (let i = 0; i < inputs; i += 1) {
    const value = from[i] as number;
    for (let j = 0; j < outputs; j += 1) {
      sum[j] = (sum[j] as number) + value * (weights[i * outputs + j] as number);
    }
  }
  const length = Math.hypot(...sum);
  return sum.map((value) => value / length);
}

const [heldX, heldY] = await vectorsOf(textsOf(true));
const cosines = heldX.map((from, row) =>
  mapped(from).reduce(
    (sum, value, j) => sum + value * ((heldY[row] as Float32Array)[j] as number),
    0,
  ),
);
cosines.sort((a, b) => a - b);
const at = (share: number): string => (cosines[Math.floor(share * cosines.length)] ?? 0).toFixed(3);
process.stdout.write(
  `${train.length} texts; cosine to the encoder's vector on ${cosines.length} held-out texts: ` +
    `10 % ${at(0.1)}, median ${at(0.5)}, 90 % ${at(0.9)}\n`,
);
const target = here('../../packages/server/assets/encoder/provisional.bin');
writeFileSync(target, new Uint8Array(Float32Array.from(weights).buffer));
await words[Symbol.asyncDispose]();
await encoder[Symbol.asyncDispose]();
