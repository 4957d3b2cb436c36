import { once } from 'node:events';
import { parentPort, Worker, workerData } from 'node:worker_threads';
import { ApiClient, type ApiRequest, type ServerTarget } from '../api-client.ts';
import { createTextGenerator, readVocabulary, type TextGenerator } from '../text-generator.ts';

/** The heavy calls of one account. */
export type HeavyCallKind = 'search batches' | 'bulks of large texts';

interface Task {
  readonly target: ServerTarget;
  readonly kind: HeavyCallKind;
}

/** Clients of the account that makes the noise. */
const clients = 2;
const batchQueries = 20;
const queryCharacters = 990;
const bulkTexts = 60;
const textCharacters = 20_000;

/**
 * Heavy calls, one after the other on each connection, from a thread of their own: to make and
 * read large bodies must not delay the client that measures.
 */
export class HeavyCalls {
  readonly #worker: Worker;

  private constructor(worker: Worker) {
    this.#worker = worker;
  }

  /** Resolves once the first calls are sent. */
  static async start(target: ServerTarget, kind: HeavyCallKind): Promise<HeavyCalls> {
    const task: Task = { target, kind };
    const worker = new Worker(new URL(import.meta.url), { workerData: task });
    await once(worker, 'message');
    return new HeavyCalls(worker);
  }

  /** Resolves with the number of calls when the last ones are answered. */
  async stop(): Promise<number> {
    const told = once(this.#worker, 'message') as Promise<[number]>;
    this.#worker.postMessage('stop');
    const [calls] = await told;
    return calls;
  }
}

function textOf(texts: TextGenerator, characters: number): string {
  let text = '';
  while (text.length < characters) text += ` ${texts.memory()}`;
  return text.slice(0, characters).trim();
}

const searchBatchRequests = (texts: TextGenerator) => (): ApiRequest => ({
  method: 'POST',
  path: '/search/batch',
  body: {
    queries: Array.from({ length: batchQueries }, () => ({ q: textOf(texts, queryCharacters) })),
  },
});

/** The same texts with another number before them, since to make new ones takes a processor. */
function bulkTextRequests(texts: TextGenerator): () => ApiRequest {
  const long = Array.from({ length: bulkTexts }, () => textOf(texts, textCharacters));
  let made = 0;
  return () => {
    const memories = long.map((text) => {
      made += 1;
      return { content: `${made}: ${text}` };
    });
    return { method: 'POST', path: '/memories/bulk', body: { memories } };
  };
}

async function runHeavyCalls({ target, kind }: Task): Promise<void> {
  const port = parentPort;
  if (!port) throw new Error('this is for a thread');
  const texts = createTextGenerator(await readVocabulary(), 2);
  const next = kind === 'search batches' ? searchBatchRequests(texts) : bulkTextRequests(texts);
  let stopped = false;
  port.once('message', () => {
    stopped = true;
  });
  const client = async (): Promise<number> => {
    using connection = new ApiClient(target, 1);
    let calls = 0;
    for (; !stopped; calls += 1) await connection.run([next()]);
    return calls;
  };
  const running = Array.from({ length: clients }, client);
  port.postMessage('started');
  const calls = await Promise.all(running);
  port.postMessage(calls.reduce((sum, one) => sum + one, 0));
}

if (parentPort) await runHeavyCalls(workerData as Task);
