import { afterEach, describe, expect, it, vi } from 'vitest';
import { createClient, MnemeError, operations } from './index.ts';
import { startScriptedServer } from './testing.ts';

/** No UTF-8: read as text, they would be others. */
const bytes = new Uint8Array([0, 0xff, 0xfe, 0x80, 0xc3, 0x28, 0x0d, 0x0a]);
const sound = { status: 200, headers: { 'content-type': 'audio/mpeg' }, body: bytes };
const params = { id: '1' };

afterEach(() => {
  vi.useRealTimers();
});

const streamOf = (pieces: readonly Uint8Array[], { isOpen = false } = {}) =>
  new ReadableStream<Uint8Array>({
    start(controller) {
      for (const piece of pieces) controller.enqueue(piece);
      if (!isOpen) controller.close();
    },
  });

/** A client with a patience of 1 s by a clock that stands, and the signals of what it sends. */
function waiting(fetch: (signal: AbortSignal) => Promise<Response>) {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const signals: AbortSignal[] = [];
  const client = createClient({
    timeoutMs: 1_000,
    retries: 0,
    fetch: (_url, init) => {
      const signal = init?.signal as AbortSignal;
      signals.push(signal);
      return fetch(signal);
    },
  });
  return { client, signals };
}

describe('bytes that come', () => {
  it('are those that were sent, as a Response with status and headers', async () => {
    await using scene = await startScriptedServer(() => sound);
    const response = await scene.client.media.stream({ params });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('audio/mpeg');
    expect(await response.bytes()).toEqual(bytes);
    const { body } = await scene.client.raw(operations.media.thumbnail, { params });
    expect(await body.bytes()).toEqual(bytes);
  });

  it('are there as they arrive, and no time limit holds for what is still to come', async () => {
    const body = streamOf([bytes], { isOpen: true });
    const { client, signals } = waiting(async () => new Response(body));
    const response = await client.media.stream({ params });
    vi.advanceTimersByTime(3_600_000);
    expect(signals.map(({ aborted }) => aborted)).toEqual([false]);
    expect(await response.body?.getReader().read()).toEqual({ done: false, value: bytes });
  });

  it('are asked for in ranges, and again by an ETag', async () => {
    const ranged = { ...sound, status: 206, headers: { 'content-range': 'bytes 1-2/8' } };
    await using scene = await startScriptedServer((_, i) => (i === 0 ? ranged : { status: 304 }));
    const part = await scene.client.media.video({ params, headers: { range: 'bytes=1-2' } });
    expect([part.status, part.headers.get('content-range')]).toEqual([206, 'bytes 1-2/8']);
    const known = { headers: { 'If-None-Match': '"1"' } };
    expect((await scene.client.media.thumbnail({ params }, known)).status).toBe(304);
    const sent = scene.requests.map(({ headers }) => [headers.range, headers['if-none-match']]);
    expect(sent).toEqual([
      ['bytes=1-2', undefined],
      [undefined, '"1"'],
    ]);
  });

  it('that are refused are a MnemeError, and a busy service is asked again', async () => {
    const refused = { status: 404, body: { error: { code: 'not_found', message: 'Gone.' } } };
    await using scene = await startScriptedServer((_, i) => (i < 2 ? { status: 503 } : refused));
    const asked = scene.client.media.stream({ params });
    await expect(asked).rejects.toThrow(MnemeError);
    await expect(asked).rejects.toMatchObject({ status: 404, code: 'not_found' });
    expect(scene.requests).toHaveLength(3);
  });

  it('are whole in an exchange as it is, too', async () => {
    await using scene = await startScriptedServer(() => sound);
    const exchange = { method: 'GET', path: '/memories/1/stream' };
    expect((await scene.client.request(exchange)).body).toEqual(bytes);
    const { body } = await scene.client.request({ ...exchange, unread: true });
    expect(await (body as Response).bytes()).toEqual(bytes);
  });
});

describe('bytes that go', () => {
  const made = { status: 201, body: { id: '1' } };
  const fields = { title: 'Stand-up\n"Monday"', tags: ['a', 'b'], metadata: { n: 1 }, priority: 3 };
  const texts = { title: fields.title, tags: '["a","b"]', metadata: '{"n":1}', priority: '3' };
  const parsed = async ({ headers, bytes: body }: { headers: object; bytes: Uint8Array }) => {
    const type = (headers as Record<string, string>)['content-type'] ?? '';
    const sent = new Response(new Uint8Array(body), { headers: { 'content-type': type } });
    const { file, ...others } = Object.fromEntries(await sent.formData());
    return { file: file as File, others };
  };

  it.each<[what: string, file: Blob | ReadableStream<Uint8Array>]>([
    ['a Blob', new Blob([bytes])],
    ['a stream', streamOf([bytes.subarray(0, 3), bytes.subarray(3)])],
  ])('from %s are a form with the fields of the memory', async (_what, file) => {
    await using scene = await startScriptedServer(() => made);
    const upload = { ...fields, file, filename: 'a "b".mp3', space_id: undefined };
    expect(await scene.client.memories.upload(upload as never)).toEqual({ id: '1' });
    const [seen] = scene.requests;
    expect(seen?.headers['idempotency-key']).toMatch(/^[0-9a-f-]{36}$/);
    const sent = await parsed(seen as NonNullable<typeof seen>);
    expect(await sent.file.bytes()).toEqual(bytes);
    expect(sent.file.name).toBe('a "b".mp3');
    expect(sent.others).toEqual(texts);
  });

  it('of a File have its name', async () => {
    await using scene = await startScriptedServer(() => made);
    await scene.client.memories.upload({ file: new File([bytes], 'talk.mp3') });
    expect(scene.requests[0]?.body).toContain('filename="talk.mp3"');
  });

  it('of a Blob go again with the same key after a 503; those of a stream go once', async () => {
    await using scene = await startScriptedServer((_, i) =>
      i === 1 ? made : { status: 503, body: {} },
    );
    const file = new Blob([bytes]);
    await scene.client.memories.upload({ file, filename: 'a' });
    const keys = new Set(scene.requests.map(({ headers }) => headers['idempotency-key']));
    expect([scene.requests.length, keys.size]).toEqual([2, 1]);
    expect(scene.requests[1]?.bytes).toEqual(scene.requests[0]?.bytes);
    const once = scene.client.memories.upload({ file: streamOf([bytes]), filename: 'a' });
    await expect(once).rejects.toMatchObject({ status: 503 });
    expect(scene.requests).toHaveLength(3);
  });

  it('may be a form of the caller, or of the type that the route takes', async () => {
    await using scene = await startScriptedServer((_, i) => (i === 0 ? made : { status: 204 }));
    const form = new FormData();
    form.set('file', new Blob([bytes]), 'a.mp3');
    await scene.client.memories.create({ body: form });
    const [seen] = scene.requests;
    const { file } = await parsed(seen as NonNullable<typeof seen>);
    expect(await file.bytes()).toEqual(bytes);
    for (const body of [bytes, new Blob([bytes], { type: 'audio/mpeg' }), streamOf([bytes])]) {
      await scene.client.media.appendUpload({ params, headers: { 'upload-offset': '0' }, body });
      const sent = scene.requests.at(-1);
      expect(sent?.headers['content-type']).toBe('application/offset+octet-stream');
      expect(new Uint8Array(sent?.bytes ?? [])).toEqual(bytes);
    }
  });

  it.each<[what: string, file: Blob | ReadableStream<Uint8Array>, patienceMs: number]>([
    ['128 KiB have two seconds more', new Blob([new Uint8Array(131_072)]), 3_000],
    ['a stream has as long as it takes', streamOf([], { isOpen: true }), 86_400_000],
  ])('%s', async (_what, body, patienceMs) => {
    const { client, signals } = waiting(
      (signal) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason));
        }),
    );
    const sent = client.request({ method: 'POST', path: '/memories', body });
    const ended = expect(sent).rejects.toMatchObject({ name: 'TimeoutError' });
    vi.advanceTimersByTime(patienceMs - 1);
    expect(signals.map(({ aborted }) => aborted)).toEqual([false]);
    vi.runAllTimers();
    await ended;
  });

  it('are not sent again from an offset that may have passed', async () => {
    await using scene = await startScriptedServer(() => 'drop');
    const sent = { params, headers: { 'upload-offset': '0' }, body: bytes };
    await expect(scene.client.media.appendUpload(sent)).rejects.toThrow(TypeError);
    expect(scene.requests).toHaveLength(1);
  });
});
