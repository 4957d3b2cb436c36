import { setImmediate, setTimeout } from 'node:timers/promises';
import { handleThreadRequests } from '../../../kernel/worker-thread.ts';
import type { EncoderRequest } from './sentence-encoder.ts';
import { TextEncoder } from './text-encoder.ts';
import { readEncoderPack } from './weights.ts';

/** Documents wait until there was no query for this long: the next one mostly follows soon. */
const quietMs = 20;
/** They wait for so long at most, so that the work continues under permanent load. */
const waitMaxMs = 50;

const encoder = new TextEncoder(await readEncoderPack());
let lastQueryAt = Number.NEGATIVE_INFINITY;

/** Responds with the vectors of the texts, in their order. */
handleThreadRequests<EncoderRequest>(({ texts, purpose }) => {
  if (purpose === 'document') return encodeDocuments(texts);
  const vectors = texts.map((text) => encoder.encode(text));
  lastQueryAt = performance.now();
  return vectors;
});

/** Queries come in before each window of `piecesMax` pieces. */
async function encodeDocuments(texts: readonly string[]): Promise<Float32Array[]> {
  const vectors: Float32Array[] = [];
  for (const text of texts) {
    const steps = encoder.encodeInSteps(text);
    for (;;) {
      await waitForQueries();
      const { done, value } = steps.next();
      if (!done) continue;
      vectors.push(value);
      break;
    }
  }
  return vectors;
}

async function waitForQueries(): Promise<void> {
  const deadline = performance.now() + waitMaxMs;
  await setImmediate();
  for (;;) {
    const now = performance.now();
    const restMs = Math.min(lastQueryAt + quietMs, deadline) - now;
    if (restMs <= 0) return;
    await setTimeout(restMs);
  }
}
