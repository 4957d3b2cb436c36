import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { inspect } from 'node:util';
import { gzipSync } from 'node:zlib';
import { afterEach, expect, test } from 'vitest';
import { EmbeddingFailed, type OpenAiSettings } from './embedding.ts';
import { createOpenAiEmbedder } from './openai.ts';
import { dotProduct } from './unit-vector.ts';

interface Asked {
  model: string;
  input: string[];
  dimensions?: number;
}
type Handler = (asked: Asked, response: ServerResponse, request: IncomingMessage) => void;

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

/** A real local endpoint; `asked` records the request bodies. */
async function endpoint(handler: Handler) {
  const asked: Asked[] = [];
  const server = createServer(async (request, response) => {
    const body: Asked = JSON.parse(await text(request));
    asked.push(body);
    handler(body, response, request);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const { port } = server.address() as AddressInfo;
  return { asked, url: `http://127.0.0.1:${port}/v1` };
}

const rowOf = (input: string) => [input.length + 1, 2, 3];
const reply = (response: ServerResponse, status: number, body: unknown, headers = {}) =>
  response.writeHead(status, headers).end(typeof body === 'string' ? body : JSON.stringify(body));
const answer: Handler = ({ input }, response) => {
  const data = input.map((one, index) => ({ index, embedding: rowOf(one) }));
  reply(response, 200, { data: data.toReversed() });
};

const settings = (url: string, more: Partial<OpenAiSettings> = {}): OpenAiSettings => ({
  provider: 'openai',
  url,
  model: 'small',
  timeoutMs: 5_000,
  batchSize: 2,
  ...more,
});

/** Records the pauses instead of waiting. */
function pauses() {
  const made: number[] = [];
  return { made, sleep: async (ms: number) => void made.push(ms) };
}

const failure = async (call: Promise<unknown>) => {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(EmbeddingFailed);
  return error as EmbeddingFailed;
};

test('vectors have length 1 and the order of the texts, not that of the response', async () => {
  const { url, asked } = await endpoint(answer);
  const embedder = await createOpenAiEmbedder(settings(`${url}/`));
  expect(embedder).toMatchObject({ model: 'openai:small', dimensions: 3 });
  const texts = ['', 'four', 'a', 'bcd', 'longer text'];
  const vectors = await embedder.embed(texts, 'document');
  expect(asked.slice(1).map(({ input }) => input)).toEqual([
    [' ', 'four'],
    ['a', 'bcd'],
    ['longer text'],
  ]);
  for (const [i, vector] of vectors.entries()) {
    const raw = Float32Array.from(rowOf(texts[i] || ' '));
    expect(dotProduct(vector, vector)).toBeCloseTo(1, 5);
    expect(dotProduct(vector, raw)).toBeCloseTo(Math.hypot(...raw), 4);
  }
});

test('with dimensions no call is made at the start, and they are requested', async () => {
  const { url, asked } = await endpoint(answer);
  const embedder = await createOpenAiEmbedder(settings(url, { dimensions: 3 }));
  expect(asked).toHaveLength(0);
  await embedder.embed(['a'], 'query');
  expect(asked[0]).toMatchObject({ model: 'small', dimensions: 3 });
});

test('dimensions other than the recorded ones fail', async () => {
  const { url } = await endpoint(answer);
  const embedder = await createOpenAiEmbedder(settings(url, { dimensions: 4 }));
  const error = await failure(embedder.embed(['a'], 'query'));
  expect(error.message).toContain('3 dimensions instead of 4');
});

test.each([429, 500, 503])('a %i is retried after increasing pauses', async (status) => {
  let calls = 0;
  const { url } = await endpoint((asked, response, request) => {
    if (++calls < 4) reply(response, status, 'busy');
    else answer(asked, response, request);
  });
  const { made, sleep } = pauses();
  const embedder = await createOpenAiEmbedder(settings(url, { dimensions: 3 }), { sleep });
  expect(await embedder.embed(['a'], 'query')).toHaveLength(1);
  expect(made).toEqual([250, 500, 1000]);
});

test('after four attempts the endpoint counts as unavailable', async () => {
  const { url, asked } = await endpoint((_, response) => reply(response, 503, 'down'));
  const { sleep } = pauses();
  const embedder = await createOpenAiEmbedder(settings(url, { dimensions: 3 }), { sleep });
  const error = await failure(embedder.embed(['a'], 'query'));
  expect(error).toMatchObject({ unavailable: true });
  expect(error.message).toContain('503');
  expect(asked).toHaveLength(4);
});

test('Retry-After is honored up to ten seconds', async () => {
  let calls = 0;
  const { url } = await endpoint((asked, response, request) => {
    const seconds = ['3', '600'][calls++];
    if (seconds) reply(response, 429, 'busy', { 'retry-after': seconds });
    else answer(asked, response, request);
  });
  const { made, sleep } = pauses();
  const embedder = await createOpenAiEmbedder(settings(url, { dimensions: 3 }), { sleep });
  await embedder.embed(['a'], 'query');
  expect(made).toEqual([3_000, 10_000]);
});

test('a rejected text is not retried and does not make the endpoint unavailable', async () => {
  const { url, asked } = await endpoint((_, response) => reply(response, 400, 'too long'));
  const embedder = await createOpenAiEmbedder(settings(url, { dimensions: 3 }));
  const error = await failure(embedder.embed(['a'], 'query'));
  expect(error).toMatchObject({ unavailable: false });
  expect(asked).toHaveLength(1);
});

test('a rejection is reported by its code only, without key or other text', async () => {
  const { url } = await endpoint((asked, response, request) => {
    const message = `wrong key ${request.headers.authorization} for ${asked.input.join()}`;
    reply(response, 401, { error: { message, code: 'invalid_api_key' } });
  });
  const apiKey = 'sk-very-secret';
  const embedder = await createOpenAiEmbedder(settings(url, { dimensions: 3, apiKey }));
  const error = await failure(embedder.embed(['a private text'], 'query'));
  expect(error.message).toMatch(/^embedding endpoint: 401 invalid_api_key \(the key was rejected/);
  expect(inspect(embedder) + inspect(error)).not.toMatch(/very-secret|private text/);
});

test('a response that is not JSON is not quoted', async () => {
  const { url } = await endpoint(({ input }, response) => reply(response, 200, input.join()));
  const embedder = await createOpenAiEmbedder(settings(url, { dimensions: 3 }));
  const error = await failure(embedder.embed(['private'], 'query'));
  expect(error.message).toBe('embedding endpoint: the response is not JSON');
  expect(inspect(error)).not.toContain('private');
});

test('a response is limited to the size of its vectors, also if it is compressed', async () => {
  const row = (length: number) => ({ data: [{ embedding: Array<number>(length).fill(1) }] });
  const sizes = [400_000, 600_000];
  const { url } = await endpoint((_, response) => {
    const packed = gzipSync(JSON.stringify(row(sizes.shift() ?? 0)));
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(packed);
  });
  const embedder = await createOpenAiEmbedder(settings(url, { dimensions: 3 }));
  const messages: string[] = [];
  for (const _ of [1, 2]) messages.push((await failure(embedder.embed(['a'], 'query'))).message);
  expect(messages[0]).toContain('400000 dimensions instead of 3');
  expect(messages[1]).toContain('a response of more than 1048696 bytes');
});

test('a timeout is retried only once', async () => {
  const { url, asked } = await endpoint(() => {});
  const { sleep } = pauses();
  const slow = settings(url, { dimensions: 3, timeoutMs: 500 });
  const embedder = await createOpenAiEmbedder(slow, { sleep });
  const error = await failure(embedder.embed(['a'], 'query'));
  expect(error.message).toContain('no response within 500 ms');
  expect(asked).toHaveLength(2);
});

test('an aborted caller gets its own reason, in a request and in a pause', async () => {
  const leaving = new AbortController();
  const reason = new Error('gone');
  const { url } = await endpoint(() => leaving.abort(reason));
  const embedder = await createOpenAiEmbedder(settings(url, { dimensions: 3 }));
  await expect(embedder.embed(['a'], 'query', leaving.signal)).rejects.toBe(reason);

  const busy = await endpoint((_, response) => {
    reply(response, 429, 'busy', { 'retry-after': '10' });
    setImmediate(() => setImmediate(() => pausing.abort(reason)));
  });
  const pausing = new AbortController();
  const waiting = await createOpenAiEmbedder(settings(busy.url, { dimensions: 3 }));
  await expect(waiting.embed(['a'], 'query', pausing.signal)).rejects.toBe(reason);
});

test('a redirect is not followed, since it could carry the key elsewhere', async () => {
  const other = await endpoint(answer);
  const { url, asked } = await endpoint((_, response) => {
    response.writeHead(307, { location: `${other.url}/embeddings` }).end();
  });
  const embedder = await createOpenAiEmbedder(settings(url, { dimensions: 3 }));
  const error = await failure(embedder.embed(['a'], 'query'));
  expect(error.message).toContain('set MNEME_EMBEDDING_URL to the final address');
  expect([asked.length, other.asked.length]).toEqual([1, 0]);
});

test('without an endpoint creation fails with a remedy', async () => {
  const { sleep } = pauses();
  const nowhere = settings('http://127.0.0.1:9/v1');
  const error = await failure(createOpenAiEmbedder(nowhere, { sleep }));
  expect(error.message).toContain('http://127.0.0.1:9/v1');
  expect(error.message).toContain('set its dimensions');
});

test.each([
  ['not JSON', 'hello'],
  ['no data', {}],
  ['too few', { data: [] }],
  ['a number that is none', { data: [{ index: 0, embedding: [1, null, 2] }] }],
  ['text', { data: [{ index: 0, embedding: 'AAAA' }] }],
  ['an empty vector', { data: [{ index: 0, embedding: [] }] }],
  ['zeros', { data: [{ index: 0, embedding: [0, 0, 0] }] }],
  ['a wrong index', { data: [{ index: 7, embedding: [1, 2, 3] }] }],
])('a response with %s fails', async (_, body) => {
  const { url } = await endpoint((_asked, response) => reply(response, 200, body));
  const embedder = await createOpenAiEmbedder(settings(url, { dimensions: 3 }));
  await failure(embedder.embed(['a'], 'query'));
});

const plain = { query: '', document: '' };

test('a recipe decides the prefixes and the fields of the request', async () => {
  const { url, asked } = await endpoint(answer);
  const request = {
    dimensionsField: 'output_dimension',
    inputTypes: { query: 'query', document: 'document' },
    hasEncodingFormat: false,
  } as const;
  const recipe = { prefixes: { query: 'q: ', document: '' }, request, truncateTo: null };
  const embedder = await createOpenAiEmbedder(settings(url, { dimensions: 3, recipe }));
  expect(embedder.model).toMatch(/^openai:small#[0-9a-f]{8}$/);
  await embedder.embed(['a'], 'query');
  await embedder.embed(['b', ''], 'document');
  expect(asked).toEqual([
    { model: 'small', input: ['q: a'], output_dimension: 3, input_type: 'query' },
    { model: 'small', input: ['b', ' '], output_dimension: 3, input_type: 'document' },
  ]);
});

test('vectors of an endpoint without dimensions are truncated to length 1 again', async () => {
  const { url, asked } = await endpoint(answer);
  const request = { dimensionsField: null, inputTypes: null, hasEncodingFormat: true };
  const recipe = { prefixes: plain, request, truncateTo: 2 };
  const embedder = await createOpenAiEmbedder(settings(url, { dimensions: 2, recipe }));
  const [vector] = await embedder.embed(['a'], 'query');
  expect(asked).toEqual([{ model: 'small', input: ['a'], encoding_format: 'float' }]);
  expect(vector).toHaveLength(2);
  expect(dotProduct(vector as Float32Array, vector as Float32Array)).toBeCloseTo(1);
});
