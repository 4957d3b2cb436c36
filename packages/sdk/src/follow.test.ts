import { eventSamples } from '@mneme/contract';
import { describe, expect, it } from 'vitest';
import type { Client } from './client.ts';
import { MnemeError } from './errors.ts';
import type { FollowedEvent, FollowOptions } from './follow.ts';
import { type ResponseScript, type ScriptedResponse, startScriptedServer } from './testing.ts';

const created = eventSamples['memory.created'];
const updated = eventSamples['memory.updated'];

const message = (id: string, event: object): string =>
  `id: ${id}\nevent: x\ndata: ${JSON.stringify(event)}\n\n`;
const stream = (body: string): ScriptedResponse => ({
  status: 200,
  headers: { 'content-type': 'text/event-stream' },
  body,
});
const opening = 'retry: 1000\nid: at-0\n\n';
const refused: ScriptedResponse = {
  status: 401,
  body: { error: { code: 'revoked_api_key', message: '' } },
};

/** Follows until it throws or as many have come. */
async function collect(client: Client, count: number, options?: FollowOptions) {
  const all: FollowedEvent[] = [];
  for await (const one of client.follow(options)) {
    all.push(one);
    if (all.length === count) break;
  }
  return all;
}

/** Answers in turn; patience is never at its end, as waits are not really waited for. */
async function play(answers: readonly ReturnType<ResponseScript>[]) {
  const waits: number[] = [];
  const scene = await startScriptedServer((_seen, i) => answers[i] ?? refused, {
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        if (signal) signal.addEventListener('abort', () => reject(signal.reason));
        else {
          waits.push(ms);
          resolve();
        }
      }),
  });
  return { scene, waits };
}

describe('follow', () => {
  it('gives each event with the cursor to go on after it', async () => {
    const body = `${opening}: heartbeat\nid: at-1\n\n${message('at-2', created)}`;
    const { scene } = await play([stream(`${body}${message('at-3', updated)}`)]);
    await using _ = scene;
    const asked = { type: 'memory.created', cursor: 'at-0', user_id: 'ana' } as const;
    expect(await collect(scene.client, 2, asked)).toEqual([
      { event: created, cursor: 'at-2' },
      { event: updated, cursor: 'at-3' },
    ]);
    const query = 'type=memory.created&user_id=ana&cursor=at-0';
    expect(scene.requests[0]?.url).toBe(`/v1/events/stream?${query}`);
    expect(scene.requests[0]?.headers).toMatchObject({ authorization: 'Bearer mnk_test' });
  });

  it('reports each position after its event was handled, and those without an event', async () => {
    const body = `${opening}${message('at-1', created)}: heartbeat\nid: at-2\n\n`;
    const { scene } = await play([stream(`${body}${message('at-3', updated)}`)]);
    await using _ = scene;
    const order: string[] = [];
    const onCursor = (cursor: string) => void order.push(cursor);
    for await (const { event } of scene.client.follow({ onCursor })) {
      order.push(event.type);
      if (event.type === updated.type) break;
    }
    expect(order).toEqual(['at-0', created.type, 'at-1', 'at-2', updated.type]);
  });

  it('comes back after an end, a break and a refusal that passes, where it stopped', async () => {
    const { scene, waits } = await play([
      stream(`${opening}${message('at-1', created)}`),
      'drop',
      { status: 429, headers: { 'retry-after': '7' } },
      { status: 503 },
      stream(`: heartbeat\nid: at-2\n\n`),
      stream(message('at-3', updated)),
    ]);
    await using _ = scene;
    expect((await collect(scene.client, 2)).map(({ cursor }) => cursor)).toEqual(['at-1', 'at-3']);
    const places = scene.requests.map(({ url }) =>
      new URLSearchParams(url.split('?')[1]).get('cursor'),
    );
    expect(places).toEqual([null, 'at-1', 'at-1', 'at-1', 'at-1', 'at-2']);
    expect(waits).toEqual([750, 100, 7_000, 400, 750]);
  });

  it('throws what coming back does not mend', async () => {
    const { scene } = await play([stream(message('at-1', created)), refused]);
    await using _ = scene;
    const error = await collect(scene.client, 2).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(MnemeError);
    expect(error).toMatchObject({ code: 'revoked_api_key' });
    expect(scene.requests).toHaveLength(2);
  });

  it('gives up at last where it was never connected', async () => {
    const { scene } = await play(Array.from({ length: 9 }, () => 'drop' as const));
    await using _ = scene;
    await expect(collect(scene.client, 1)).rejects.toThrow(TypeError);
    expect(scene.requests).toHaveLength(4);
  });

  it('takes what is no stream for no service of ours', async () => {
    const { scene } = await play([
      { status: 200, headers: { 'content-type': 'text/html' }, body: '<p>' },
    ]);
    await using _ = scene;
    await expect(collect(scene.client, 1)).rejects.toMatchObject({ code: 'http_200' });
  });

  it('ends with its signal, also in the middle of a silence', async () => {
    const stop = new AbortController();
    const { scene } = await play(['silence']);
    await using _ = scene;
    const following = collect(scene.client, 1, { signal: stop.signal });
    stop.abort();
    expect(await following).toEqual([]);
  });
});
