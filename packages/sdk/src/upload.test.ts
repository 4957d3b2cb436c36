import { routes, type Upload } from '@mneme/contract';
import { describe, expect, it } from 'vitest';
import { type ResponseScript, type ScriptedServer, startScriptedServer } from './testing.ts';

const bytes = Uint8Array.from({ length: 10 }, (_, i) => 250 + i);
const file = new Blob([bytes]);
const memoryId = 'm1';

/** A service that keeps what arrives; a script may do something else with single requests. */
function keeping(meddle: ResponseScript = () => ({ status: 0 })) {
  const kept: number[] = [];
  const record = (): Upload => ({
    ...routes.media.getUpload.example.response,
    id: 'u1',
    length: bytes.length,
    offset: kept.length,
    memory_id: kept.length === bytes.length ? memoryId : null,
  });
  const script: ResponseScript = (seen, i) => {
    const answer = meddle(seen, i);
    if (answer === 'drop' && seen.method === 'PATCH') kept.push(...seen.bytes.subarray(0, 2));
    if (typeof answer === 'string' || answer.status > 0) return answer;
    if (seen.method === 'POST') return { status: 201, body: record() };
    if (seen.method === 'GET') return { status: 200, body: record() };
    if (Number(seen.headers['upload-offset']) !== kept.length) return { status: 409, body: {} };
    kept.push(...seen.bytes);
    const { offset, memory_id } = record();
    const headers = { 'upload-offset': String(offset) };
    const ended = memory_id === null ? {} : { 'x-mneme-memory-id': memory_id };
    return { status: 204, headers: { ...headers, ...ended } };
  };
  return { kept, script };
}

const told = ({ requests }: ScriptedServer) =>
  requests.map(({ method, headers, bytes: { length } }) => {
    return `${method} ${headers['upload-offset'] ?? ''} ${length}`;
  });
const named = { file, filename: 'Zoë.mp3' };

describe('an upload in parts', () => {
  it('begins with the fields of the memory, and ends with the id of the memory', async () => {
    const { kept, script } = keeping();
    await using scene = await startScriptedServer(script);
    const offsets: number[] = [];
    const uploaded = await scene.client.memories.uploadInParts(
      { ...named, tags: ['a'], priority: 3 },
      { partBytes: 4, onProgress: ({ offset }) => offsets.push(offset) },
    );
    expect(uploaded).toMatchObject({ id: 'u1', offset: 10, memory_id: memoryId });
    expect(kept).toEqual([...bytes]);
    expect(told(scene)).toEqual(['POST  0', 'PATCH 0 4', 'PATCH 4 4', 'PATCH 8 2']);
    expect(offsets).toEqual([0, 4, 8, 10]);
    const { headers } = scene.requests[0] ?? {};
    const pairs = String(headers?.['upload-metadata']).split(',');
    const texts = pairs.map((pair) => {
      const [name, encoded = ''] = pair.split(' ');
      return [name, Buffer.from(encoded, 'base64').toString('utf8')];
    });
    expect(Object.fromEntries(texts)).toEqual({
      filename: 'Zoë.mp3',
      tags: '["a"]',
      priority: '3',
    });
    expect(headers).toMatchObject({ 'upload-length': '10', 'tus-resumable': '1.0.0' });
  });

  it('is refused for an empty file, and nothing is sent', async () => {
    await using scene = await startScriptedServer(keeping().script);
    const uploaded = scene.client.memories.uploadInParts({ ...named, file: new Blob([]) });
    await expect(uploaded).rejects.toThrow(TypeError);
    expect(scene.requests).toEqual([]);
  });

  it('goes on where a connection broke, with what had come until then', async () => {
    const { kept, script } = keeping((_, i) => (i === 1 || i === 3 ? 'drop' : { status: 0 }));
    await using scene = await startScriptedServer(script, { retries: 1 });
    const uploaded = await scene.client.memories.uploadInParts(named);
    expect(uploaded.memory_id).toBe(memoryId);
    expect(kept).toEqual([...bytes]);
    const again = ['PATCH 0 10', 'GET  0', 'PATCH 2 8', 'GET  0', 'PATCH 4 6'];
    expect(told(scene)).toEqual(['POST  0', ...again]);
    expect(scene.waits).toHaveLength(2);
  });

  it('waits for another request that is not over yet', async () => {
    const { script } = keeping((_, i) => ({ status: i === 1 ? 409 : 0, body: {} }));
    await using scene = await startScriptedServer(script);
    expect((await scene.client.memories.uploadInParts(named)).memory_id).toBe(memoryId);
    expect(told(scene)).toEqual(['POST  0', 'PATCH 0 10', 'GET  0', 'PATCH 0 10']);
  });

  it('gives up after as many attempts without a byte more as the client makes', async () => {
    const broken = keeping(({ method }) => ({ status: method === 'PATCH' ? 500 : 0, body: {} }));
    await using scene = await startScriptedServer(broken.script, { retries: 2 });
    const sent = scene.client.memories.uploadInParts(named);
    await expect(sent).rejects.toMatchObject({ status: 500 });
    expect(told(scene).filter((line) => line.startsWith('PATCH'))).toHaveLength(3);
  });

  it('ends at once where it is refused', async () => {
    const { script } = keeping(({ method }) => ({
      status: method === 'PATCH' ? 400 : 0,
      body: {},
    }));
    await using scene = await startScriptedServer(script);
    const sent = scene.client.memories.uploadInParts(named);
    await expect(sent).rejects.toMatchObject({ status: 400 });
    expect(scene.waits).toEqual([]);
  });

  it('goes on with one that was begun before, of the same length only', async () => {
    const { kept, script } = keeping();
    kept.push(...bytes.subarray(0, 7));
    await using scene = await startScriptedServer(script);
    const other = { file: new Blob(['x']), filename: 'a' };
    const wrong = scene.client.memories.uploadInParts(other, { uploadId: 'u1' });
    await expect(wrong).rejects.toThrow('10 bytes, but the file has 1');
    await scene.client.memories.uploadInParts(named, { uploadId: 'u1' });
    expect(told(scene)).toEqual(['GET  0', 'GET  0', 'PATCH 7 3']);
    expect(kept).toEqual([...bytes]);
  });

  it('ends with its signal', async () => {
    const hangUp = new AbortController();
    const { script } = keeping(({ method }) => {
      if (method === 'PATCH') hangUp.abort(new Error('enough'));
      return method === 'PATCH' ? 'silence' : { status: 0 };
    });
    await using scene = await startScriptedServer(script);
    const sent = scene.client.memories.uploadInParts(named, { signal: hangUp.signal });
    await expect(sent).rejects.toThrow('enough');
    expect(told(scene)).toEqual(['POST  0', 'PATCH 0 10']);
  });
});
