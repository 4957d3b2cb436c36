import type { ServerResponse } from 'node:http';
import { type ModelEndpoint, startModelEndpoint } from '../../support/model-endpoint.ts';
import { wordCountVector } from './tiny-embedder.ts';

/** What the endpoint does with documents; queries are always answered. */
export type Script = 'well' | 'fails' | 'stalls' | 'truncates' | 'other-length' | 'waits';

/** An OpenAI-compatible endpoint that follows a script. */
export interface ScriptedEndpoint extends ModelEndpoint {
  readonly env: Readonly<Record<string, string>>;
  /** Texts that were embedded, without queries. */
  readonly textCount: number;
  /** Follows the script after so many further texts. */
  follow(script: Script, afterTexts?: number): void;
  /** Resolves at the first text that the script applies to. */
  readonly reached: Promise<void>;
}

const scriptedDimensions = 40;

interface EmbeddingRequest {
  readonly input: readonly string[];
  readonly dimensions?: number;
}

/** The probe of a model is one short text. */
const isProbe = ({ input }: EmbeddingRequest): boolean => input[0] === 'dimensions';

export async function startScriptedEndpoint(): Promise<ScriptedEndpoint> {
  let script: Script = 'well';
  let from = 0;
  let textCount = 0;
  let reached = Promise.withResolvers<void>();
  const waiting: (() => void)[] = [];
  const vectorsOf = ({ input, dimensions = scriptedDimensions }: EmbeddingRequest) =>
    input.map((text, index) => ({ index, embedding: [...wordCountVector(text, dimensions)] }));
  const respond = (request: EmbeddingRequest, response: ServerResponse): void => {
    const data = vectorsOf(request);
    if (isProbe(request) || textCount < from || script === 'well') {
      if (!isProbe(request)) textCount += request.input.length;
      return void response.end(JSON.stringify({ data }));
    }
    reached.resolve();
    switch (script) {
      case 'fails':
        return void response.writeHead(500).end('{"error":{"code":"overloaded"}}');
      case 'stalls':
        return;
      case 'truncates':
        return void response.end(JSON.stringify({ data: data.slice(1) }));
      case 'other-length': {
        const dimensions = (request.dimensions ?? scriptedDimensions) + 1;
        return void response.end(JSON.stringify({ data: vectorsOf({ ...request, dimensions }) }));
      }
      case 'waits':
        waiting.push(() => {
          textCount += request.input.length;
          response.end(JSON.stringify({ data }));
        });
    }
  };
  const endpoint = await startModelEndpoint((body, response) =>
    respond(body as EmbeddingRequest, response),
  );
  return {
    ...endpoint,
    env: {
      MNEME_EMBEDDING_URL: endpoint.url,
      MNEME_EMBEDDING_API_KEY: 'key-of-the-test',
      MNEME_EMBEDDING_TIMEOUT_MS: '1000',
      MNEME_EMBEDDING_BATCH: '20',
    },
    get textCount() {
      return textCount;
    },
    get reached() {
      return reached.promise;
    },
    follow(next, afterTexts = 0) {
      script = next;
      from = textCount + afterTexts;
      reached = Promise.withResolvers();
      if (next === 'well') for (const answer of waiting.splice(0)) answer();
    },
  };
}
