import type { ServerResponse } from 'node:http';
import { type ModelEndpoint, startModelEndpoint } from './model-endpoint.ts';

/** Responses: correct, none, 429, vectors of another length, or a closed connection. */
type EndpointMode = 'well' | 'never' | 'busy' | 'other' | 'gone';

/** An OpenAI-compatible endpoint that can simulate failures. */
export interface EmbeddingEndpoint extends ModelEndpoint {
  readonly requestCount: number;
  setMode(mode: EndpointMode): void;
}

export const embeddingEndpointDimensions = 8;

/** Counts characters, so that texts with the same letters have similar vectors. */
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
  let requestCount = 0;
  function respond(inputs: readonly string[], response: ServerResponse): void {
    if (mode === 'never') return;
    if (mode === 'gone') return void response.destroy();
    if (mode === 'busy') return void response.writeHead(429).end('busy');
    const dimensions =
      mode === 'other' ? embeddingEndpointDimensions + 1 : embeddingEndpointDimensions;
    const data = inputs.map((input, index) => ({ index, embedding: vectorOf(input, dimensions) }));
    response.writeHead(200).end(JSON.stringify({ data }));
  }
  const endpoint = await startModelEndpoint((body, response) => {
    requestCount += 1;
    respond((body as { input: string[] }).input, response);
  });
  return {
    ...endpoint,
    get requestCount() {
      return requestCount;
    },
    setMode(next) {
      mode = next;
    },
  };
}
