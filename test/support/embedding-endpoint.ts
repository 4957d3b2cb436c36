import type { ServerResponse } from 'node:http';
import { type ModelEndpoint, startModelEndpoint } from './model-endpoint.ts';

/** How it answers: well, never, `429`, with vectors of another length, or by hanging up. */
type EndpointMode = 'well' | 'never' | 'busy' | 'other' | 'gone';

/** An OpenAI-compatible endpoint whose answers a test may spoil. */
export interface EmbeddingEndpoint extends ModelEndpoint {
  /** Requests so far. */
  readonly requestCount: number;
  setMode(mode: EndpointMode): void;
}

export const endpointDimensions = 8;

/** Texts of the same letters are alike; the length is what it is. */
function vectorOf(input: string, dimensions: number): number[] {
  const vector = Array.from({ length: dimensions }, () => 0.1);
  for (const character of input.toLowerCase()) {
    const at = (character.codePointAt(0) ?? 0) % dimensions;
    vector[at] = (vector[at] ?? 0) + 1;
  }
  return vector;
}

export async function startEmbeddingEndpoint(): Promise<EmbeddingEndpoint> {
  let mode: EndpointMode = 'well';
  let asked = 0;
  function answer(inputs: readonly string[], response: ServerResponse): void {
    if (mode === 'never') return;
    if (mode === 'gone') return void response.destroy();
    if (mode === 'busy') return void response.writeHead(429).end('busy');
    const dimensions = mode === 'other' ? endpointDimensions + 1 : endpointDimensions;
    const data = inputs.map((input, index) => ({ index, embedding: vectorOf(input, dimensions) }));
    response.writeHead(200).end(JSON.stringify({ data }));
  }
  const endpoint = await startModelEndpoint((body, response) => {
    asked += 1;
    answer((body as { input: string[] }).input, response);
  });
  return {
    ...endpoint,
    get requestCount() {
      return asked;
    },
    setMode(next) {
      mode = next;
    },
  };
}
